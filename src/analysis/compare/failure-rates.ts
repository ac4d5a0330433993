import { countText, plural, pText, rangeText } from "../../core/number-text.ts";
import type { Owner } from "../../core/run.ts";
import type { Arm, ArmSet, Observation } from "../../design/arm-set.ts";
import { compareTwo } from "./compare-two.ts";
import type { CompareOptions, Comparison } from "./comparison.ts";
import { judgeFamily } from "./family.ts";
import { type Settled, settleFailures } from "./settle-failures.ts";

/** How often two arms fail, and whether that differs. */
export interface FailureRates {
  part: string | null;
  baseline: { name: string; failed: number; runs: number };
  candidate: { name: string; failed: number; runs: number };
  /** Whose fault; null for all owners together. */
  owner: Owner | null;
  /** candidate − baseline, as a share of the runs. */
  difference: Comparison["difference"];
  p: number | null;
  /** Holm's, over all tests of failures of this call. */
  adjustedP: number | null;
  verdict: "more" | "fewer" | "unclear" | "unknown";
  sentence: string;
}

/** The arm that all others are compared with: the baseline, or the best one. */
export interface Reference {
  name: string;
  isBaseline: boolean;
}

/**
 * Tests whether arms fail equally often, for each owner and for all together: where they don't, what is left to compare
 * was chosen by the arms themselves. Runs are paired and counted as for the metric; nothing is said where none failed.
 */
export function failureRates(
  sets: readonly ArmSet[],
  referenceOf: (set: ArmSet) => Reference | null,
  { alpha = 0.05, unpaired }: CompareOptions,
): FailureRates[] {
  // Of several metrics any will do: failures are those of the runs.
  const parts = sets.filter((set, i) => sets.findIndex(({ part }) => part === set.part) === i);
  const failures = failuresOf();
  const tested = parts
    .flatMap((set) => pairsOf(set, referenceOf(set)))
    .flatMap((pair) => {
      const { part } = pair;
      return ownersIn(pair).flatMap((owner) => {
        const settled = settleFailures(failures(pair, owner));
        const [first, second] = settled.arms as [Settled, Settled];
        const counts = [first, second].map(({ arm }) => ({
          name: arm.name,
          failed: arm.observations.filter(({ value }) => value === 1).length,
          runs: arm.observations.filter(({ value }) => value !== null).length,
        }));
        const measure = (intervalAlpha: number) =>
          compareTwo({ ...settled, isAsked: false }, [first, second], {
            ...(unpaired && { unpaired }),
            ...{ alpha, intervalAlpha, withPower: false, withCheck: false, withValues: false, family: 1 },
          });
        return [{ part, owner, baseline: counts[0]!, candidate: counts[1]!, measure, p: measure(alpha).p }];
      });
    });
  const claims = judgeFamily(
    tested.map(({ p }) => p),
    { alpha, how: "holm" },
  );
  return tested.map(({ measure, ...one }, i) => {
    const { adjustedP, alpha: intervalAlpha } = claims[i]!;
    const { difference } = measure(intervalAlpha);
    const verdict = verdictOf(difference, adjustedP, alpha);
    const told = { ...one, difference, adjustedP, verdict };
    return { ...told, sentence: sentenceOf(told) };
  });
}

export function isDiffering({ verdict }: FailureRates): boolean {
  return verdict === "more" || verdict === "fewer";
}

/** What an answer has to say beside its numbers. */
export function differing(failures: readonly FailureRates[]): string[] {
  return failures.filter(isDiffering).map(({ sentence }) => sentence);
}

function pairsOf(set: ArmSet, reference: Reference | null): ArmSet[] {
  const first = set.arms.find(({ name }) => name === reference?.name);
  if (!first) return [];
  return set.arms
    .filter((arm) => arm !== first)
    .map((other) => ({ ...set, arms: reference!.isBaseline ? [first, other] : [other, first] }));
}

/** All together first; by owner only where there are several. */
function ownersIn({ arms }: ArmSet): (Owner | null)[] {
  const owners = new Set<Owner>();
  for (const { observations } of arms)
    for (const { owner } of observations) if (owner !== undefined && owner !== "unknown") owners.add(owner);
  if (owners.size === 0) return [];
  return owners.size === 1 ? [...owners] : [null, ...owners];
}

/** Sets of failures in place of values; an arm of many pairs, as the baseline is, is made once. */
function failuresOf(): (set: ArmSet, owner: Owner | null) => ArmSet {
  const known = new Map<Arm, Map<Owner | null, Arm>>();
  const failuresIn = (arm: Arm, owner: Owner | null): Arm => {
    const own = known.get(arm) ?? known.set(arm, new Map()).get(arm)!;
    return own.get(owner) ?? own.set(owner, failedOrNot(arm, owner)).get(owner)!;
  };
  return (set, owner) => {
    const { range: _, failure: __, ...rest } = set;
    const arms = set.arms.map((arm) => failuresIn(arm, owner));
    return { ...rest, metric: "failures", goal: "minimize", arms };
  };
}

/** 1 for a failure by this owner. A run that was cancelled neither failed nor ended well. */
function failedOrNot({ name, observations }: Arm, owner: Owner | null): Arm {
  const hasFailed = (one: Observation) => {
    if (one.owner === "unknown") return null;
    return Number(one.owner !== undefined && (owner === null || one.owner === owner));
  };
  return {
    name,
    observations: observations.map((one) => ({ ...one, value: hasFailed(one), owner: undefined })),
  };
}

function verdictOf(
  difference: Comparison["difference"],
  adjustedP: number | null,
  alpha: number,
): FailureRates["verdict"] {
  if (!difference.known || adjustedP === null) return "unknown";
  if (adjustedP > alpha || difference.value === 0) return "unclear";
  return difference.value > 0 ? "more" : "fewer";
}

function sentenceOf(one: Omit<FailureRates, "sentence">): string {
  const { part, baseline, candidate, owner, difference, adjustedP, verdict } = one;
  const where = part === null ? "" : `${part}: `;
  const by = owner === null ? "" : ` (${owner})`;
  const counts = `${countText(candidate.failed)} of ${plural(candidate.runs, "run")} against ${countText(baseline.failed)} of ${countText(baseline.runs)}${by}`;
  if (verdict === "unknown" || !difference.known)
    return `${where}Failures of ${candidate.name} and ${baseline.name}: ${counts}; too few runs to say whether that differs.`;
  const range = rangeText(
    { value: 100 * difference.value, low: 100 * difference.low, high: 100 * difference.high },
    { unit: " points", signed: true },
  );
  if (verdict === "unclear")
    return `${where}Failures of ${candidate.name} and ${baseline.name} can't be told apart: ${counts}, ${range}, p ${pText(adjustedP!)}.`;
  return `${where}${candidate.name} fails ${verdict === "more" ? "more" : "less"} often than ${baseline.name}: ${counts}, ${range}, p ${pText(adjustedP!)}.`;
}
