import { UserError } from "../../core/errors.ts";
import { suggestion } from "../../core/suggest.ts";
import { holm } from "../../stats/index.ts";
import { compareTwo } from "./compare-two.ts";
import type { CompareOptions, Comparison } from "./comparison.ts";
import { judge } from "./judge.ts";
import type { Arm, ArmSet } from "./observation.ts";

export interface Compared {
  comparisons: Comparison[];
  /** How many p-values Holm's adjustment is over. */
  family: number;
  alpha: number;
  warnings: string[];
}

/** Compares every arm with the baseline, on every metric, as one family of claims. */
export function compareArms(sets: readonly ArmSet[], options: CompareOptions = {}): Compared {
  const name = baselineName(sets, options.baseline);
  const duels = sets.flatMap((set) => {
    const baseline = set.arms.find((arm) => arm.name === name) ?? { name, observations: [] };
    return set.arms
      .filter((arm) => arm.name !== name)
      .filter((arm) => set.part === null || arm.observations.length + baseline.observations.length > 0)
      .map((candidate) => ({ set, arms: [baseline, candidate] as [Arm, Arm] }));
  });
  if (duels.length === 0) {
    throw new UserError("there is only one arm", {
      expected: "two or more to compare",
      got: [...new Set(sets.flatMap(({ arms }) => arms.map((arm) => arm.name)))].join(", ") || "none",
      remedy: "Name what tells them apart with --by.",
    });
  }
  const family = duels.length;
  const found = duels.map(({ set, arms }) => compareTwo(set, arms, { ...options, family }));
  const tested = found.flatMap(({ p }, i) => (p === null ? [] : [{ p, i }]));
  const adjusted = holm(tested.map(({ p }) => p));
  const ofIndex = new Map(
    adjusted.known ? tested.map(({ i }, k) => [i, adjusted.adjusted[k]!] as const) : [],
  );
  const alpha = options.alpha ?? 0.05;
  const comparisons = found.map((one, i) => judge(one, ofIndex.get(i) ?? null, options));
  const warnings =
    tested.length > 1
      ? [
          `${tested.length} comparisons: p is adjusted by Holm's method, so that the chance of even one false claim stays below ${alpha}; each interval is of its comparison alone.`,
        ]
      : [];
  return { comparisons, family: tested.length, alpha, warnings };
}

/** The arm that was named; a part of its name is enough where it fits one arm only. */
function baselineName(sets: readonly ArmSet[], asked: string | undefined): string {
  const names = [...new Set(sets.flatMap(({ arms }) => arms.map(({ name }) => name)))];
  if (asked === undefined) return names[0] ?? "baseline";
  if (names.includes(asked)) return asked;
  const like = names.filter((name) => name.toLowerCase().includes(asked.toLowerCase()));
  if (like.length === 1) return like[0]!;
  throw new UserError(`--baseline ${asked}`, {
    expected: `one of ${names.slice(0, 20).join(", ")}`,
    got: like.length > 1 ? `a part of ${like.length} of them` : "none of them",
    remedy: suggestion(asked, names),
  });
}
