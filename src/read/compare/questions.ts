import { canonicalJson } from "../../core/hash.ts";
import type { Analysis } from "../../core/study.ts";
import type { StudyRuns } from "./metric-readers.ts";
import type { CompareRequest } from "./request.ts";

/** What an option is where nobody gives it, as far as it changes an answer. */
const USUAL = {
  side: "two-sided",
  alpha: 0.05,
  method: "auto",
  adjust: "holm",
};
/** What never changes an answer, only what is shown of it or where it is looked for. */
const SHOWN: ReadonlySet<string> = new Set([
  ...["withEffects", "withPower", "withCheck", "withValues", "outRoot", "listed", "isLook", "withProfiles"],
]);

/**
 * What was asked beside the study's own question, in words that are the same whenever the same is asked; undefined where
 * nothing was. The number of resamples and their seed count, too: both can be tried until they please.
 */
export function askedBeside(
  request: object,
  { metric, goal, margin, scale }: Analysis = {},
): string | undefined {
  const usual: Record<string, unknown> = {
    ...{ ...USUAL, goal, margin, scale, resamples: 10_000, seed: 1 },
    ...{ metrics: metric === undefined ? undefined : [metric], metric },
  };
  const given = Object.entries(request).filter(
    ([name, value]) =>
      value !== undefined &&
      !SHOWN.has(name) &&
      // The design knows which arm is the plan's baseline.
      name !== "baseline" &&
      !(typeof value === "object" && !Array.isArray(value) && Object.keys(value as object).length === 0) &&
      canonicalJson(value) !== canonicalJson(usual[name] ?? null),
  );
  if (given.length === 0) return undefined;
  return given
    .map(([name, value]) => `${name} ${canonicalJson(value)}`)
    .sort()
    .join(", ");
}

/** For the ledger: what a question is beside the study's own; undefined where it is that, or several studies are asked. */
export function askedOf(studies: readonly StudyRuns[], request: CompareRequest): string | undefined {
  const { baseline } = request;
  const beside = askedBeside(request, studies.length === 1 ? studies[0]!.study?.study.analysis : undefined);
  const words = [baseline !== undefined && `baseline ${baseline}`, beside].filter(Boolean);
  return words.length === 0 ? undefined : words.join(", ");
}
