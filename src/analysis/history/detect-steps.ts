import { type Interval, type Result, ratioOfMeans, welchInterval } from "../../stats/index.ts";
import { bestSplit, centre, FEWEST_A_SIDE } from "./best-split.ts";
import { fewestValues, testCut } from "./test-cut.ts";

export interface StepOptions {
  /** Chance to see a step where there is none; .05 unless told. */
  alpha?: number;
  seed?: number;
  resamples?: number;
}

/** How far two levels lie apart. */
export interface LevelChange {
  before: number;
  after: number;
  /** After minus before, and the same as a share of before. */
  difference: Result<Interval>;
  relative: Result<Interval>;
}

/** A change of level between two points of a history. */
export interface Step extends LevelChange {
  /** The first point of the new level, and the first and last that it could be with 95 % confidence. */
  at: number;
  first: number;
  last: number;
  /** In what the machines of the points before and at it differ, which may be why. */
  machine?: string[];
}

export type Steps = { known: true; steps: Step[] } | { known: false; why: string };

/** With more points than this the oldest are left out by who asks. */
export const MOST_POINTS = 200;
const RESAMPLES = 1999;

/**
 * Where the level of a series changed. A stretch is cut where that explains most of its scatter, if chance does not
 * explain the cut (a permutation test), and then its parts in the same way; at the end each step is placed anew
 * between its neighbours. Each point counts once, so what differs from one measurement to the next is the noise.
 * Sources: A. J. Scott and M. Knott, Biometrics 30 (1974), 507-512 (cutting in two); A. B. Olshen et al.,
 * Biostatistics 5 (2004), 557-572 (stretches, permutations); J. Bai, Econometric Theory 13 (1997), 315-352 (placing
 * anew); D. Daly et al., ICPE 2020, 67-75 (on benchmarks of software).
 */
export function detectSteps(values: readonly number[], options: StepOptions = {}): Steps {
  const { alpha = 0.05, seed = 1, resamples = RESAMPLES } = options;
  const fewest = fewestValues(alpha);
  if (values.length < fewest) {
    const why = `with fewer than ${fewest} points a step can't be told from noise, and there ${values.length === 1 ? "is 1" : `are ${values.length}`}`;
    return { known: false, why };
  }
  const cuts: number[] = [];
  const cut = (from: number, to: number): void => {
    const found = testCut(values.slice(from, to), { alpha, seed, resamples });
    if (!found) return;
    const ends = [from, ...found.map((at) => from + at), to];
    cuts.push(...ends.slice(1, -1));
    for (let i = 1; i < ends.length; i++) cut(ends[i - 1]!, ends[i]!);
  };
  cut(0, values.length);
  const placed = placeAnew(
    values,
    cuts.toSorted((a, b) => a - b),
  );
  const ends = [0, ...placed, values.length];
  return {
    known: true,
    steps: placed.map((at, i) => describe(values, { at, from: ends[i]!, to: ends[i + 2]! })),
  };
}

/** The first cuts were made while others were still in the way. */
function placeAnew(values: readonly number[], cuts: readonly number[]): number[] {
  const placed = [...cuts];
  for (let i = 0; i < placed.length; i++) {
    const from = placed[i - 1] ?? 0;
    const to = placed[i + 1] ?? values.length;
    placed[i] = from + bestSplit(centre(values.slice(from, to))).at[0]!;
  }
  return placed;
}

function describe(
  values: readonly number[],
  { at, from, to }: { at: number; from: number; to: number },
): Step {
  const { first, last } = placesOf(values.slice(from, to));
  const change = levelChange(values.slice(from, at), values.slice(at, to));
  return { at, first: from + first, last: from + last, ...change };
}

/** Each point counts once on either side. */
export function levelChange(before: readonly number[], after: readonly number[]): LevelChange {
  const ratio = ratioOfMeans(after, before);
  return {
    ...{ before: mean(before), after: mean(after) },
    difference: welchInterval(after, before),
    relative: ratio.known
      ? { ...ratio, estimate: ratio.estimate - 1, low: ratio.low - 1, high: ratio.high - 1 }
      : ratio,
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** −2 ln(1 − √.95): the 95 % point of the likelihood ratio of a place, (1 − e^(−x/2))². */
const LIMIT = 7.352;

/**
 * The first and the last place where the one step of these values could be, with 95 % confidence: all places whose
 * scatter about the two means is not much above the least. Holds roughly where there are enough values for the
 * noise to be known, and is wide where the step is small.
 * Source: B. E. Hansen, Econometrica 68 (2000), 575-603.
 */
function placesOf(values: readonly number[]): { first: number; last: number } {
  const n = values.length;
  const rests = new Map<number, number>();
  for (let k = FEWEST_A_SIDE; k <= n - FEWEST_A_SIDE; k++)
    rests.set(k, scatter(values.slice(0, k)) + scatter(values.slice(k)));
  const least = Math.min(...rests.values());
  const noise = least / (n - 2);
  const possible = [...rests].filter(([, rest]) => rest - least <= LIMIT * noise).map(([k]) => k);
  return { first: possible[0]!, last: possible.at(-1)! };
}

function scatter(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}
