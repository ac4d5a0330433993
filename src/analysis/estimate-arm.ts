import type { Arm } from "../design/arm-set.ts";
import {
  type Interval,
  type Result,
  standardDeviation,
  tInterval,
  unknownBecause,
  wilsonInterval,
} from "../stats/index.ts";
import { trimmedInterval } from "../stats/intervals/trimmed-difference.ts";
import { unitsOf } from "./compare/pair-up.ts";
import type { Settled, SettledValues } from "./compare/settle-failures.ts";

/** One arm in numbers: the same ones wherever it is named. */
export interface ArmEstimate {
  name: string;
  /** What is counted: seeds, tasks. */
  units: string[];
  /** One value per unit: the mean of its tries, each shared setting weighing the same. */
  values: number[];
  /** null where there is no value. Of a least time over enough starts it is the mean of the middle, see `countsMiddle`. */
  mean: number | null;
  sd: number | null;
  interval: Result<Interval>;
  observations: number;
  /** Observations without a value, by whose fault it is. */
  missing: Record<string, number>;
  counted: number;
}

type Kind = Pick<SettledValues, "isRate" | "range" | "isLeastTime" | "noun" | "clusterBy">;

/** From so many starts on, a quarter at either end leaves four. */
const STARTS = 8;

/** Slow starts lie on one side, and an arm alone has no partner in which they cancel, so it leaves out more than a pair does. */
export const ARM_TRIM = 0.35;

/**
 * Whether, of what a body needs at least, the middle of the starts counts: now and then a machine runs at half its speed for
 * longer than a start. Settings have sizes of their own, and values that share a seed are clustered: of those all count.
 */
export function countsMiddle(
  { isLeastTime, noun, clusterBy }: Pick<Kind, "isLeastTime" | "noun" | "clusterBy">,
  starts: number,
): boolean {
  return isLeastTime === true && noun !== "setting" && clusterBy === undefined && starts >= STARTS;
}

/** An arm takes part in many comparisons, and is the same in all where its values are of one kind. */
const estimates = new WeakMap<Settled, { kind: Kind; estimate: ArmEstimate }>();

/** What an arm's values come to. */
export function estimateArm(settled: Settled, kind: Kind): ArmEstimate {
  const before = estimates.get(settled);
  if (before && isSameKind(before.kind, kind)) return before.estimate;
  const estimate = makeEstimate(settled, kind);
  const { isRate, range, isLeastTime, noun, clusterBy } = kind;
  estimates.set(settled, { kind: { isRate, range, isLeastTime, noun, clusterBy }, estimate });
  return estimate;
}

function isSameKind(a: Kind, b: Kind): boolean {
  const isSameRange = a.range?.[0] === b.range?.[0] && a.range?.[1] === b.range?.[1];
  const isSameTime = a.isLeastTime === b.isLeastTime && a.noun === b.noun && a.clusterBy === b.clusterBy;
  return isSameRange && isSameTime && a.isRate === b.isRate;
}

function makeEstimate({ arm, missing, counted }: Settled, kind: Kind): ArmEstimate {
  const { units, values, mean } = unitValues(arm);
  const spread = standardDeviation(values);
  const own = countsMiddle(kind, values.length)
    ? middleOf(values)
    : { mean, interval: meanInterval(values, { ...kind, mean }) };
  return {
    ...{ name: arm.name, units, values, missing, counted },
    ...own,
    sd: spread.known ? spread.value : null,
    observations: arm.observations.length,
  };
}

function middleOf(values: readonly number[]): Pick<ArmEstimate, "mean" | "interval"> {
  const whole = tInterval(values);
  const { estimate: mean, ...limits } = trimmedInterval(values, { trim: ARM_TRIM });
  return { mean, interval: whole.known ? { ...whole, estimate: mean, ...limits } : whole };
}

/** A sentence about the means of a metric, where they are not of all values; else nothing. */
export function leftOutWords({
  name,
  isLeastTime,
}: {
  name: string;
  isLeastTime?: boolean | undefined;
}): string {
  if (!isLeastTime) return "";
  return ` A mean of ${name} over ${STARTS} starts or more leaves out the ${100 * ARM_TRIM} % at either end.`;
}

/** How the interval of an arm's mean is made, in words. */
export function intervalWords(
  { isRate, isLeastTime }: Pick<Kind, "isRate" | "isLeastTime">,
  noun: string,
): string {
  if (isRate)
    return `95 % interval of the share of ${noun}s (Wilson where each ${noun} passes or fails, else t)`;
  const middle = isLeastTime
    ? `; of ${STARTS} starts or more without the ${100 * ARM_TRIM} % at either end`
    : "";
  return `95 % t interval of the mean over ${noun}s${middle}`;
}

/**
 * One value per unit. Where a unit was measured at several settings that all units share, each setting weighs the same,
 * and a unit that lacks one is compared with the others at those it has: its mean would be one of other things.
 */
function unitValues(arm: Arm): { units: string[]; values: number[]; mean: number | null } {
  const { observations } = arm;
  const [first] = observations;
  // At one setting nothing is to be weighed.
  if (observations.every(({ block }) => (block ?? "") === (first!.block ?? ""))) return plainValues(arm);
  const units = new Map<string, Map<string, { total: number; n: number }>>();
  for (const { id, unit, cluster, block, value } of observations) {
    if (value === null) continue;
    const key = cluster ?? unit ?? String(id);
    let blocks = units.get(key);
    if (!blocks) {
      blocks = new Map();
      units.set(key, blocks);
    }
    const sum = blocks.get(block ?? "");
    if (!sum) blocks.set(block ?? "", { total: value, n: 1 });
    else {
      sum.total += value;
      sum.n++;
    }
  }
  const ofBlock = new Map<string, { total: number; n: number }>();
  for (const blocks of units.values())
    for (const [block, { total, n }] of blocks) {
      const sum = ofBlock.get(block) ?? { total: 0, n: 0 };
      sum.total += total / n;
      sum.n++;
      ofBlock.set(block, sum);
    }
  if (ofBlock.size === 0) return { units: [], values: [], mean: null };
  const blockMeans = new Map([...ofBlock].map(([block, { total, n }]) => [block, total / n]));
  const grand = average([...blockMeans.values()]);
  const values = [...units.values()].map((blocks) => {
    const own = [...blocks].map(([block, { total, n }]) => ({
      value: total / n,
      usual: blockMeans.get(block)!,
    }));
    if (own.length === blockMeans.size) return average(own.map(({ value }) => value));
    return grand + average(own.map(({ value, usual }) => value - usual));
  });
  return { units: [...units.keys()], values, mean: grand };
}

/** The same without settings, which a million tasks can afford. What no unit is named for stands for itself. */
function plainValues(arm: Arm): ReturnType<typeof unitValues> {
  const { observations } = arm;
  // Where nothing but the unit groups the values, pairing has gathered them, or will.
  const gathered = observations.some(({ cluster }) => cluster !== undefined) ? undefined : unitsOf(arm);
  if (gathered) {
    const [units, values]: [string[], number[]] = [[], []];
    for (const { key, values: list } of gathered.values()) {
      if (list.length === 0) continue;
      units.push(key);
      values.push(list.length === 1 ? list[0]! : average(list));
    }
    return { units, values, mean: values.length === 0 ? null : average(values) };
  }
  const places = new Map<string, number>();
  const units: string[] = [];
  const totals: number[] = [];
  const counts: number[] = [];
  for (const { id, unit, cluster, value } of observations) {
    if (value === null) continue;
    const key = cluster ?? unit;
    const place = key === null ? undefined : places.get(key);
    if (place !== undefined) {
      totals[place]! += value;
      counts[place]!++;
      continue;
    }
    if (key !== null) places.set(key, totals.length);
    units.push(key ?? String(id));
    totals.push(value);
    counts.push(1);
  }
  const values = totals.map((total, i) => total / counts[i]!);
  return { units, values, mean: values.length === 0 ? null : average(values) };
}

/**
 * The interval of a mean over units: of passes and failures Wilson's, else by t, and never beyond what the metric can
 * be. Where all units share one value that is a share, each counts as one try.
 */
export function meanInterval(
  values: readonly number[],
  { isRate, range, mean }: Kind & { mean: number | null },
): Result<Interval> {
  if (values.length === 0 || mean === null) return unknownBecause("there is no value");
  const isShare = isRate || (range?.[0] === 0 && range[1] === 1);
  const total = values.reduce((sum, value) => sum + value, 0);
  if (isShare && values.every((value) => value === 0 || value === 1))
    return wilsonInterval(total, values.length);
  const interval = tInterval(values);
  if (interval.known) {
    const shift = mean - interval.estimate;
    return clipped(
      { ...interval, estimate: mean, low: interval.low + shift, high: interval.high + shift },
      isShare ? [0, 1] : range,
    );
  }
  if (!isShare || values.length < 2) return interval;
  const alike = wilsonInterval(Math.round(mean * values.length), values.length);
  if (!alike.known) return alike;
  return { ...alike, estimate: mean, low: Math.min(alike.low, mean), high: Math.max(alike.high, mean) };
}

function clipped(
  interval: Interval & { known: true },
  [least, most]: readonly [number, number] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
): Result<Interval> {
  return { ...interval, low: Math.max(least, interval.low), high: Math.min(most, interval.high) };
}

/** The units that all arms have, when pairing by them leaves at least two. */
export function sharedUnits(arms: readonly Pick<ArmEstimate, "units">[]): string[] | null {
  const [first, ...rest] = arms;
  if (!first || rest.length === 0) return null;
  const others = rest
    .filter(({ units }) => !isSameList(units, first.units))
    .map(({ units }) => new Set(units));
  const shared =
    others.length === 0
      ? first.units
      : first.units.filter((unit) => others.every((units) => units.has(unit)));
  return shared.length >= 2 ? shared : null;
}

/** Lists that are alike need neither a set nor a map, which a million units notice. */
export function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((unit, i) => unit === b[i]));
}

/** The values of an arm at given units, in their order. */
export function valuesAt(
  { units, values }: Pick<ArmEstimate, "units" | "values">,
  wanted: readonly string[],
): number[] {
  if (isSameList(units, wanted)) return values;
  const place = new Map(units.map((unit, i) => [unit, i]));
  return wanted.map((unit) => values[place.get(unit)!]!);
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
