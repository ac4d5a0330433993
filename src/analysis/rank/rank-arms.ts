import { plural } from "../../core/number-text.ts";
import { TRIMS } from "../compare/centre.ts";
import { comparePairs, MOST_PAIRED } from "../compare/compare-arms.ts";
import type { Comparison } from "../compare/comparison.ts";
import { differing, failureRates } from "../compare/failure-rates.ts";
import { alsoSentences, headlineFor } from "../compare/headline.ts";
import { comparedValues, orderArms } from "../compare/order-arms.ts";
import { settleFailures } from "../compare/settle-failures.ts";
import { type ArmEstimate, estimateArm, sharedUnits } from "../estimate-arm.ts";
import type { Measurements } from "../measurements.ts";
import { chanceOfBest } from "./chance-of-best.ts";
import { compactLetters } from "./compact-letters.ts";
import { rankRanges } from "./rank-ranges.ts";

export interface RankedArm extends Pick<ArmEstimate, "name" | "interval" | "values"> {
  /** Units with a value. */
  n: number;
  mean: number;
  /** Arms that share a letter can't be told apart. */
  letters: string;
  /** The ranks that it may truly have; null where not every pair was compared. */
  ranks: readonly [number, number] | null;
  /** Null where an arm has one unit, which shows nothing of what another draw would give. */
  chanceOfBest: number | null;
}

export interface RankedPair {
  better: string;
  worse: string;
  /** better − worse; null where nothing is known of it. */
  difference: number | null;
  p: number | null;
  adjustedP: number | null;
  /** What `compare` says of the same two arms. */
  verdict: Comparison["verdict"];
  sentence: string;
  method: string;
}

export interface Ranking {
  goal: "minimize" | "maximize";
  alpha: number;
  /** What `compare` says of the best arm. */
  sentence: string;
  /** What the winner pays elsewhere, or what else the metrics of `analysis.also` show. */
  also: string[];
  /** Best first. */
  arms: RankedArm[];
  pairs: RankedPair[];
  method: string;
  /** Arms without a number, and why. */
  empty: { name: string; why: string }[];
  cautions: string[];
}

export interface RankOptions {
  goal: "minimize" | "maximize";
  alpha: number;
  resamples: number;
  seed: number;
}

/** Orders arms and says which of them can be told apart: every pair as `compare` would judge it. */
export function rankArms(measured: Measurements, options: RankOptions): Ranking {
  const { goal, alpha } = options;
  const settled = settleFailures({ ...measured.set, goal });
  const estimates = settled.arms.map((arm) => estimateArm(arm, settled));
  const sorted = orderArms(estimates, goal, settled);
  const baseline = measured.baseline === null ? {} : { baseline: measured.baseline };
  const { comparisons, family } = comparePairs(settled, { alpha, ...baseline });
  const apart = new Set(
    comparisons.filter(isTold).map(({ candidate, baseline: base }) => pairKey(candidate, base)),
  );
  const isMany = sorted.length > MOST_PAIRED;
  const letters = isMany
    ? sorted.map((arm, i) => (i === 0 || !apart.has(pairKey(sorted[0]!, arm)) ? "a" : "b"))
    : compactLetters(sorted.length, (i, j) => apart.has(pairKey(sorted[i]!, sorted[j]!)));
  const ranges = rankRanges(
    sorted.map(({ name }) => name),
    comparisons,
  );
  const shared = sharedUnits(sorted);
  const drawn = comparedValues(sorted, settled);
  const chances = drawn.every(({ length }) => length > 1)
    ? chanceOfBest(drawn, { ...options, isPaired: shared !== null, trim: TRIMS[settled.centre] })
    : null;
  const leader = sorted[0]!.name;
  const own = comparisons.filter(({ candidate }) => candidate.name === leader);
  const told = headlineFor(
    { ...measured.set, goal },
    {
      ...{ comparisons: own, baseline: null },
      leaders: [{ metric: measured.set.metric, part: measured.set.part, name: leader }],
    },
  );
  const againstBase = own.find(({ baseline: base }) => base.name === measured.baseline);
  const beside =
    measured.baseline === null || measured.baseline === leader
      ? told
      : againstBase?.verdict === "better"
        ? { winner: leader, loser: measured.baseline }
        : { winner: null, loser: null };
  const first = { name: measured.baseline ?? sorted[0]!.name, isBaseline: measured.baseline !== null };
  return {
    goal,
    alpha,
    sentence: told.sentence,
    also: (measured.also ?? []).flatMap((second) =>
      alsoSentences(second, { ...beside, baseline: measured.baseline, options: { alpha } }),
    ),
    arms: sorted.map(({ name, units, mean, interval, values }, i) => ({
      ...{ name, n: units.length, mean: mean!, interval, values },
      ...{ letters: letters[i]!, chanceOfBest: chances?.[i] ?? null },
      ranks: isMany ? null : ([ranges[i]!.best, ranges[i]!.worst] as const),
    })),
    pairs: comparisons.map(pairOf),
    method: methodWords(comparisons, { measured, family }),
    empty: estimates
      .filter(({ mean }) => mean === null)
      .map(({ name }) => ({ name, why: whyEmpty(measured, name) })),
    cautions: [
      ...differing(failureRates([measured.set], () => first, { alpha })),
      ...measured.cautions,
      ...cautionsOf(sorted, { measured, shared, isMany, comparisons }),
    ],
  };
}

function isTold({ verdict }: Comparison): boolean {
  return verdict === "better" || verdict === "worse";
}

function pairOf(one: Comparison): RankedPair {
  const { candidate, baseline, difference, p, adjustedP, verdict, sentence, method } = one;
  return {
    ...{ better: candidate.name, worse: baseline.name, p, adjustedP, verdict, sentence },
    difference: difference.known ? difference.value : null,
    method: method?.name ?? `unknown, because ${difference.known ? "there is no test" : difference.why}`,
  };
}

function methodWords(
  comparisons: readonly Comparison[],
  { measured, family }: { measured: Measurements; family: number },
): string {
  const methods = [...new Set(comparisons.flatMap(({ method }) => (method ? [method.name] : [])))];
  const isPaired = comparisons.every(({ pairing }) => pairing.isPaired);
  const { baseline } = measured;
  const hasOthers = comparisons.some(
    (one) => one.candidate.name !== baseline && one.baseline.name !== baseline,
  );
  const first = baseline === null || !hasOthers ? "" : `, those with ${baseline} as a family of their own`;
  const by = isPaired ? ` by ${measured.set.keys.join(" and ")}` : "";
  return `${methods.join("; ") || "no test"}${by}, Holm-adjusted over ${plural(family, "pair")}${first}`;
}

interface Doubted {
  measured: Measurements;
  shared: string[] | null;
  isMany: boolean;
  comparisons: readonly Comparison[];
}

function cautionsOf(
  sorted: readonly ArmEstimate[],
  { measured, shared, isMany, comparisons }: Doubted,
): string[] {
  const notes: string[] = [];
  const noun = measured.counted;
  if (shared && sorted.some(({ units }) => units.length > shared.length))
    notes.push(
      `The order is by the ${plural(shared.length, noun)} that all arms have, which is what pairs compare; means and intervals are over every ${noun} of an arm.`,
    );
  if (measured.set.keys.length > 0 && comparisons.some(({ pairing, p }) => p !== null && !pairing.isPaired))
    notes.push(`Arms that share fewer than two ${noun}s are compared unpaired.`);
  const few = sorted.filter(({ units }) => units.length < 2);
  if (few.length > 0)
    notes.push(`${few.map(({ name }) => name).join(", ")}: one ${noun}, so no interval and no test.`);
  if (isMany) notes.push(`With more than ${MOST_PAIRED} arms only the first is compared with the others.`);
  return notes;
}

function whyEmpty({ missing }: Measurements, name: string): string {
  const own = missing.filter(({ arm }) => arm === name);
  return own.length === 0 ? "it has no runs" : `all ${own.length} of its runs are missing: ${own[0]!.why}`;
}

function pairKey(a: { name: string }, b: { name: string }): string {
  return JSON.stringify([a.name, b.name].sort());
}
