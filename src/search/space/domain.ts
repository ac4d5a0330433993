import { canonicalJson } from "../../core/hash.ts";
import { rounded } from "../../core/number-text.ts";
import type { Value } from "../../core/params.ts";
import type { Distribution, Scale } from "../../core/space.ts";
import { betaQuantile } from "../../stats/distributions/beta-quantile.ts";
import { normalCdf, normalQuantile } from "../../stats/distributions/normal.ts";
import { incompleteBeta } from "../../stats/special/beta.ts";

/** The values of one parameter, laid out along the unit interval as often as the distribution says. */
export interface Domain {
  /** How many values there are; Infinity for a continuum. */
  size: number;
  /** Whether every number between the bounds is a value, so that no draw repeats another. */
  isContinuum: boolean;
  /** Whether neighbours on the unit interval are alike; false for choices without an order. */
  ordered: boolean;
  /** The value at a quantile in (0, 1). */
  valueAt(unit: number): Value;
  /** The part of the unit interval that gives this value: from, to. In a continuum both are the same. */
  cellOf(value: Value): readonly [number, number];
  /** The value with this number, from 0; only where `size` is finite. */
  nth(index: number): Value;
  /** The number of a value, -1 where it is none of them; only where `size` is finite. */
  indexOf(value: Value): number;
  /** Whether it is one of the values, the bounds of a range included. */
  has(value: Value): boolean;
}

/**
 * A list of choices: values that are there twice are one, with their probabilities together. Numbers that rise or fall,
 * such as 16, 32, 64, are alike where they are neighbours.
 */
export function choices(values: readonly Value[], probabilities?: readonly number[]): Domain {
  const index = new Map<string, number>();
  const distinct: Value[] = [];
  const weights: number[] = [];
  values.forEach((value, i) => {
    const key = canonicalJson(value);
    const at = index.get(key) ?? distinct.length;
    if (at === distinct.length) {
      index.set(key, at);
      distinct.push(value);
      weights.push(0);
    }
    weights[at]! += probabilities?.[i] ?? (probabilities ? 0 : 1);
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const edges = [0];
  for (const weight of weights) edges.push(edges.at(-1)! + weight / total);
  const indexOf = (value: Value) => index.get(canonicalJson(value)) ?? -1;
  return {
    size: distinct.length,
    isContinuum: false,
    ordered: isMonotone(distinct),
    valueAt(unit) {
      let at = 0;
      while (at < distinct.length - 1 && unit >= edges[at + 1]!) at++;
      while (at > 0 && weights[at] === 0) at--;
      return distinct[at]!;
    },
    cellOf(value) {
      const at = indexOf(value);
      return at < 0 ? [0, 0] : [edges[at]!, edges[at + 1]!];
    },
    nth: (i) => distinct[i]!,
    indexOf,
    has: (value) => indexOf(value) >= 0,
  };
}

function isMonotone(values: readonly Value[]): boolean {
  const gaps = values.slice(1).map((value, i) => Number(value) - Number(values[i]));
  if (gaps.length < 2 || !values.every((value) => typeof value === "number")) return false;
  return gaps.every((gap) => gap > 0) || gaps.every((gap) => gap < 0);
}

/** The multiples of `step` away from `anchor` that lie between two bounds (which may be infinite). */
export interface Lattice {
  step: number;
  anchor: number;
  min: number;
  max: number;
}

/** Numbers between bounds: all of them, or those of a lattice. */
export function numbers(warp: Warp, lattice?: Lattice): Domain {
  return lattice ? latticeNumbers(warp, lattice) : continuum(warp);
}

/** How far the logarithm of a bound may lie beside itself. */
const ROUNDING = 1e-12;

function continuum(warp: Warp): Domain {
  return {
    size: Number.POSITIVE_INFINITY,
    isContinuum: true,
    ordered: true,
    valueAt: (unit) => warp.fromUnit(unit),
    cellOf(value) {
      const unit = clamp(warp.toUnit(Number(value)));
      return [unit, unit];
    },
    nth: () => null,
    indexOf: () => -1,
    has(value) {
      const unit = typeof value === "number" ? warp.toUnit(value) : Number.NaN;
      return unit >= -ROUNDING && unit <= 1 + ROUNDING;
    },
  };
}

/** A number belongs to the nearest multiple: its cell reaches half a step to both sides. */
function latticeNumbers(warp: Warp, { step, anchor, min, max }: Lattice): Domain {
  const first = Math.ceil((min - anchor) / step - 1e-9);
  const last = Math.floor((max - anchor) / step + 1e-9);
  const at = (k: number) => tidy(anchor + k * step);
  const isFalling = warp.fromUnit(0.25) > warp.fromUnit(0.75);
  const nearest = (x: number) => Math.min(last, Math.max(first, Math.round((x - anchor) / step)));
  const indexOf = (value: Value) => {
    const k = nearest(Number(value));
    return typeof value === "number" && Math.abs(at(k) - value) <= 1e-9 * step ? k - first : -1;
  };
  return {
    size: last - first + 1,
    isContinuum: false,
    ordered: true,
    valueAt: (unit) => at(nearest(warp.fromUnit(unit))),
    cellOf(value: Value) {
      const k = nearest(Number(value));
      const a = k === first ? undefined : clamp(warp.toUnit(anchor + (k - 0.5) * step));
      const b = k === last ? undefined : clamp(warp.toUnit(anchor + (k + 0.5) * step));
      return isFalling ? [b ?? 0, a ?? 1] : [a ?? 0, b ?? 1];
    },
    nth: (i) => at(first + i),
    indexOf,
    has: (value) => (Number.isFinite(last - first) ? indexOf(value) >= 0 : typeof value === "number"),
  };
}

/** 0.3, where three times 0.1 gives a last digit that nobody meant. */
function tidy(x: number): number {
  return Number.isInteger(x) ? x + 0 : rounded(x, 15);
}

function clamp(unit: number): number {
  return Math.min(1, Math.max(0, unit));
}

/** A cumulative distribution and its inverse: what lays numbers out along the unit interval. */
export interface Warp {
  fromUnit(unit: number): number;
  /** Below 0 or above 1 for what it does not give. */
  toUnit(x: number): number;
}

/** Closer to 0 or 1 than this, a normal deviate says more about rounding than about the parameter. */
const EDGE = 1e-9;
const inside = (unit: number) => Math.min(1 - EDGE, Math.max(EDGE, unit));

export function scaleWarp(low: number, high: number, scale: Scale): Warp {
  if (scale === "linear") {
    const width = high - low || 1;
    return { fromUnit: (unit) => low + unit * (high - low), toUnit: (x) => (x - low) / width };
  }
  const [a, b] = [Math.log(low), Math.log(high)];
  const width = b - a || 1;
  const toUnit = (x: number) => (x > 0 ? (Math.log(x) - a) / width : Number.NEGATIVE_INFINITY);
  const fromUnit = (unit: number) => Math.min(high, Math.max(low, Math.exp(a + unit * (b - a))));
  if (scale === "log") return { fromUnit, toUnit };
  return { fromUnit: (unit) => fromUnit(1 - unit), toUnit: (x) => 1 - toUnit(x) };
}

export function normalWarp({ mean, sd, scale }: Extract<Distribution, { kind: "normal" }>): Warp {
  const linear: Warp = {
    fromUnit: (unit) => mean + sd * normalQuantile(inside(unit)),
    toUnit: (x) => (sd > 0 ? normalCdf((x - mean) / sd) : 0.5),
  };
  if (scale === "linear") return linear;
  return {
    fromUnit: (unit) => Math.exp(linear.fromUnit(unit)),
    toUnit: (x) => (x > 0 ? linear.toUnit(Math.log(x)) : Number.NEGATIVE_INFINITY),
  };
}

export function betaWarp(a: number, b: number): Warp {
  return {
    fromUnit: (unit) => betaQuantile(inside(unit), a, b),
    toUnit: (x) => (x > 0 && x < 1 ? incompleteBeta(x, a, b) : x),
  };
}
