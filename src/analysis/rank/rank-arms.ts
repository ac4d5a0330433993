import {
  differences,
  holm,
  type Interval,
  mean,
  pairedTTest,
  type Result,
  signFlipTest,
  tInterval,
  welchTest,
} from "../../stats/index.ts";
import type { Measurements } from "../measurements.ts";
import { type ArmValues, seedValues, sharedUnits, valuesAt } from "../seed-values.ts";
import { chanceOfBest } from "./chance-of-best.ts";
import { compactLetters } from "./compact-letters.ts";

export interface RankedArm {
  name: string;
  n: number;
  mean: number;
  interval: Result<Interval>;
  /** Arms that share a letter can't be told apart. */
  letters: string;
  chanceOfBest: number;
  values: number[];
}

export interface RankedPair {
  better: string;
  worse: string;
  difference: number;
  p: number | null;
  adjustedP: number | null;
  method: string;
}

export interface Ranking {
  goal: "minimize" | "maximize";
  alpha: number;
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

/** Orders arms by their means and says which of them can be told apart: all pairs, adjusted by Holm. */
export function rankArms(measured: Measurements, options: RankOptions): Ranking {
  const { goal, alpha } = options;
  const { arms: all, cautions } = seedValues(measured);
  const empty = all
    .filter(({ values }) => values.length === 0)
    .map(({ name }) => ({ name, why: whyEmpty(measured, name) }));
  const there = all.filter(({ values }) => values.length > 0);
  const shared = sharedUnits(there);
  const notes = [...measured.cautions, ...cautions];
  if (shared && there.some(({ units }) => units.length > shared.length))
    notes.push(
      `Pairs use the ${shared.length} seeds that all arms have; means and intervals use every seed of an arm.`,
    );
  if (!shared && there.length > 1)
    notes.push("The arms share fewer than two seeds: they are compared unpaired.");
  const sorted = [...there].sort((a, b) => (goal === "maximize" ? 1 : -1) * (average(b) - average(a)));
  const pairs = comparePairs(sorted, shared);
  const apart = new Set<string>();
  for (const { better, worse, adjustedP } of pairs)
    if (adjustedP !== null && adjustedP < alpha) apart.add(JSON.stringify([better, worse]));
  const letters = compactLetters(sorted.length, (i, j) =>
    apart.has(JSON.stringify([sorted[i]!.name, sorted[j]!.name])),
  );
  const chances = chanceOfBest(
    sorted.map((arm) => (shared ? valuesAt(arm, shared) : arm.values)),
    { ...options, isPaired: shared !== null },
  );
  const few = there.filter(({ values }) => values.length < 2);
  if (few.length > 0)
    notes.push(
      `${few.map(({ name }) => name).join(", ")}: one seed, so no interval and no test; "can't be told apart" is all that can be said.`,
    );
  return {
    goal,
    alpha,
    arms: sorted.map((arm, i) => ({
      ...{ name: arm.name, n: arm.values.length, mean: average(arm), interval: tInterval(arm.values) },
      ...{ letters: letters[i]!, chanceOfBest: chances[i]!, values: arm.values },
    })),
    pairs,
    method: shared ? `paired t over ${shared.length} shared seeds, Holm-adjusted` : "Welch t, Holm-adjusted",
    empty,
    cautions: notes,
  };
}

function comparePairs(arms: readonly ArmValues[], shared: string[] | null): RankedPair[] {
  const pairs: RankedPair[] = [];
  for (let i = 0; i < arms.length; i++)
    for (let j = i + 1; j < arms.length; j++) pairs.push(comparePair(arms[i]!, arms[j]!, shared));
  const tested = pairs.filter(({ p }) => p !== null);
  const adjusted = holm(tested.map(({ p }) => p!));
  if (adjusted.known) for (const [k, pair] of tested.entries()) pair.adjustedP = adjusted.adjusted[k]!;
  return pairs;
}

function comparePair(first: ArmValues, second: ArmValues, shared: string[] | null): RankedPair {
  const base = { better: first.name, worse: second.name, difference: average(first) - average(second) };
  if (!shared) {
    const test = welchTest(first.values, second.values);
    return { ...base, ...pOf(test) };
  }
  const [xs, ys] = [valuesAt(first, shared), valuesAt(second, shared)];
  const test = pairedTTest(xs, ys);
  if (test.known) return { ...base, ...pOf(test) };
  // Differences without any spread: flips still count how many seeds agree.
  const flips = signFlipTest(differences(xs, ys));
  return { ...base, ...pOf(flips) };
}

function pOf(test: Result<{ p: number; method: string }>): Pick<RankedPair, "p" | "adjustedP" | "method"> {
  if (test.known) return { p: test.p, adjustedP: null, method: test.method };
  return { p: null, adjustedP: null, method: `unknown, because ${test.why}` };
}

function whyEmpty({ missing }: Measurements, name: string): string {
  const own = missing.filter(({ arm }) => arm === name);
  return own.length === 0 ? "it has no runs" : `all ${own.length} of its runs are missing: ${own[0]!.why}`;
}

function average({ values }: ArmValues): number {
  const answer = mean(values);
  return answer.known ? answer.value : Number.NaN;
}
