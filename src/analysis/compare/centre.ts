import type { Centre } from "../../design/arm-set.ts";
import { differences, median } from "../../stats/index.ts";
import { TRIMMED } from "../../stats/intervals/trimmed-difference.ts";
import { countsMiddle, estimateArm, isSameList } from "../estimate-arm.ts";
import type { CompareOptions } from "./comparison.ts";
import type { Samples } from "./samples.ts";
import type { SettledSet } from "./settle-failures.ts";

/** The share that each centre leaves out at either end. */
export const TRIMS: Record<Centre, number> = { mean: 0, trimmed: TRIMMED, middle: 0.25 };

/** By how many times one tail may be the longer one. */
const ALIKE = 2.5;

/** The share that one value may have: more is a lump, and what is left of it after trimming says nothing. */
const LUMP = 0.1;

/** Fewer values can't show their tails: a bad seed among eight is part of the answer. */
const LEAST = 20;

/** Of more values of an arm, so many are looked at, evenly spaced: they show the same tails. */
const MOST_LOOKED_AT = 20_000;

/** Steps after which the fit moves by less than matters for a choice. */
const STEPS = 20;

/**
 * The centre that values suit. Trimmed means are for unbounded values with heavy tails that are alike on both sides: there they
 * estimate what means do, and know it better. Heavy is what fits Student's t with 3 degrees of freedom better than a normal
 * curve. Arms that are paired are looked at within units, others as one heap, so the look at tails never sees which arm a value
 * is from. Source of choosing by the tails of all values together: R. V. Hogg, JASA 69 (1974), 909-923.
 *
 * Of what a body needs at least, the middle half of the starts counts: one slow start among ten hides a difference of 5 % from a
 * mean. docs/benchmarks.md has the counts.
 */
export function suitableCentre(set: Omit<SettledSet, "centre">): Centre {
  const { isRate, range, noun, clusterBy, scale } = set;
  // Settings have sizes of their own, and pairs that share a seed are clustered.
  if (isRate || (range && Number.isFinite(range[1])) || noun === "setting" || clusterBy !== undefined)
    return "mean";
  if (set.isLeastTime)
    return set.arms.every(({ arm }) => countsMiddle(set, arm.observations.length)) ? "middle" : "mean";
  const arms = set.arms.map((arm) => estimateArm(arm, set)).filter(({ values }) => values.length > 0);
  if (arms.length < 2 || arms.some(({ values }) => values.length < LEAST)) return "mean";
  const scaled = scale === "ratio" ? Math.log : (x: number) => x;
  const within = set.keys.length > 0 ? withinUnits(arms, scaled) : null;
  const heap = within ? within.flat() : arms.flatMap(({ values }) => thinned(values).map(scaled));
  const tails = within ?? [heap];
  return isHeavy(heap, within !== null) && !isLumpy(heap) && tails.every(isEven) ? "trimmed" : "mean";
}

/** From so many values on tails can be guessed at; by so much must heavy ones be likelier to be spoken of. */
const GUESSED = { least: 10, by: 1 };

/** Whether values that are too few to choose by look as if trimmed means would tell their arms apart more often. */
export function seemsHeavy(
  { isRate, range, noun }: Pick<SettledSet, "isRate" | "range" | "noun">,
  { isPaired, baseline, candidate }: Samples,
  { method = "auto" }: CompareOptions,
): boolean {
  const n = Math.min(baseline.length, candidate.length);
  const isFree = method === "auto" && !isRate && noun !== "setting" && !Number.isFinite(range?.[1]);
  if (!isFree || n < GUESSED.least || n >= LEAST) return false;
  const parts = isPaired ? [differences(candidate, baseline)] : [baseline, candidate];
  const rest = parts.flatMap((xs) => {
    const middle = median(xs);
    return Array.from(xs, (x) => x - (middle.known ? middle.value : 0));
  });
  return isHeavy(rest, false, GUESSED.by) && !isLumpy(rest) && isEven(rest);
}

/** Each n-th of so many is looked at. */
function stepThrough(count: number): number {
  return Math.max(1, Math.ceil(count / MOST_LOOKED_AT));
}

function thinned(values: readonly number[]): readonly number[] {
  const step = stepThrough(values.length);
  return step === 1 ? values : values.filter((_, i) => i % step === 0);
}

/** Each arm's values less the mean of their unit, of units that all arms have; null where those are no pairs. */
function withinUnits(
  arms: readonly { units: string[]; values: number[] }[],
  scaled: (value: number) => number,
): number[][] | null {
  const { units } = arms[0]!;
  const step = stepThrough(units.length);
  const places = arms.map((arm) => placesIn(arm.units, units));
  const within = arms.map((): number[] => []);
  for (let i = 0; i < units.length; i += step) {
    const found = arms.map(({ values }, k) => values[places[k]!(i)]);
    if (found.some((value) => value === undefined)) continue;
    const own = found.map((value) => scaled(value!));
    const mean = own.reduce((sum, value) => sum + value, 0) / arms.length;
    for (const [k, list] of within.entries()) list.push(own[k]! - mean);
  }
  return within[0]!.length < LEAST ? null : within;
}

/** Where the i-th of `wanted` stands in a list; −1 where it does not. */
function placesIn(units: readonly string[], wanted: readonly string[]): (i: number) => number {
  if (isSameList(units, wanted)) return (i) => i;
  const places = new Map<string, number>();
  for (const [i, unit] of units.entries()) places.set(unit, i);
  return (i) => places.get(wanted[i]!) ?? -1;
}

/** Whether t with 3 degrees of freedom is likelier than a normal curve, each at its best place and width. */
function isHeavy(values: readonly number[], isCentred: boolean, by = 0): boolean {
  const n = values.length;
  const middle = isCentred ? null : median(values);
  let place = middle?.known ? middle.value : 0;
  const average = isCentred ? 0 : values.reduce((sum, x) => sum + x, 0) / n;
  const variance = values.reduce((sum, x) => sum + (x - average) ** 2, 0) / n;
  if (!(variance > 0)) return false;
  let squared = variance / 3;
  for (let step = 0; step < STEPS; step++) {
    if (!isCentred) {
      let [weights, first] = [0, 0];
      for (const x of values) {
        const weight = 4 / (3 + (x - place) ** 2 / squared);
        weights += weight;
        first += weight * x;
      }
      place = first / weights;
    }
    let second = 0;
    for (const x of values) second += (4 / (3 + (x - place) ** 2 / squared)) * (x - place) ** 2;
    squared = second / n;
    if (!(squared > 0)) return false;
  }
  const normal = -0.5 * n * (Math.log(2 * Math.PI * variance) + 1);
  const constant = Math.log(2 / (Math.PI * Math.sqrt(3)));
  const heavy = values.reduce(
    (sum, x) => sum + constant - 2 * Math.log1p((x - place) ** 2 / squared / 3),
    -0.5 * n * Math.log(squared),
  );
  return heavy > normal + by;
}

function isLumpy(values: readonly number[]): boolean {
  const counts = new Map<number, number>();
  for (const x of values) counts.set(x, (counts.get(x) ?? 0) + 1);
  return [...counts.values()].some((count) => count > Math.max(1, LUMP * values.length));
}

/** Whether the means of the outer values lie about as far above the middle half's as below it. */
function isEven(values: readonly number[]): boolean {
  const sorted = Float64Array.from(values).sort();
  const [outer, quarter] = [Math.ceil(TRIMMED * sorted.length), Math.floor(sorted.length / 4)];
  const average = (part: Float64Array) => part.reduce((sum, x) => sum + x, 0) / part.length;
  const middle = average(sorted.subarray(quarter, sorted.length - quarter));
  const above = average(sorted.subarray(sorted.length - outer)) - middle;
  const below = middle - average(sorted.subarray(0, outer));
  return Math.max(above, below) < ALIKE * Math.min(above, below);
}
