import type { Measurements } from "../analysis/measurements.ts";
import { UserError } from "../core/errors.ts";
import { suggestion } from "../core/suggest.ts";

/**
 * The pairs of arms that a study will compare, baseline first: the two that were named, each arm with the baseline, or, where
 * there is none, every two.
 */
export function armPairs(
  measured: Measurements,
  { baseline, candidate }: { baseline?: string; candidate?: string },
): (readonly [string, string])[] {
  const { arms } = measured;
  const first = baseline ?? measured.baseline ?? undefined;
  if (arms.length < 3 || candidate !== undefined || (first !== undefined && !arms.includes(first)))
    return [
      chooseArms(measured, {
        ...(baseline !== undefined && { baseline }),
        ...(candidate !== undefined && { candidate }),
      }),
    ];
  if (first !== undefined) return arms.filter((arm) => arm !== first).map((arm) => [first, arm] as const);
  return arms.flatMap((arm, i) => arms.slice(i + 1).map((other) => [arm, other] as const));
}

/** The two arms to compare, baseline first: those named, or the only two there are. */
export function chooseArms(
  { arms, baseline: declared, by }: Measurements,
  { baseline, candidate }: { baseline?: string; candidate?: string },
): [string, string] {
  for (const name of [baseline, candidate]) {
    if (name !== undefined && !arms.includes(name))
      throw new UserError(`there is no arm "${name}"`, { remedy: suggestion(name, arms) });
  }
  const first = baseline ?? declared ?? arms.find((arm) => arm !== candidate);
  const others = arms.filter((arm) => arm !== first);
  const second = candidate ?? (others.length === 1 ? others[0] : undefined);
  if (first !== undefined && second !== undefined && first !== second) return [first, second];
  throw new UserError(
    arms.length < 2
      ? `there is one arm, "${arms[0] ?? ""}", and two are compared`
      : `there are ${arms.length} arms by ${by.join(", ") || "cell"}`,
    {
      remedy:
        arms.length < 2
          ? "--by NAME groups the runs by a parameter or by variant."
          : `Name two of them with --baseline and --candidate: ${arms.slice(0, 8).join("; ")}.`,
    },
  );
}
