import type { Distribution, Scale } from "../../core/space.ts";
import { betaQuantile } from "../../stats/distributions/beta-quantile.ts";
import { normalCdf } from "../../stats/distributions/normal-cdf.ts";
import { normalQuantile } from "../../stats/distributions/normal-quantile.ts";
import { incompleteBeta } from "../../stats/special/incomplete-beta.ts";

/** A cumulative distribution and its inverse: what lays numbers out along the unit interval. */
export interface Warp {
  fromUnit(unit: number): number;
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
  const toUnit = (x: number) => (x > 0 ? (Math.log(x) - a) / width : 0);
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
    toUnit: (x) => (x > 0 ? linear.toUnit(Math.log(x)) : 0),
  };
}

export function betaWarp(a: number, b: number): Warp {
  return {
    fromUnit: (unit) => betaQuantile(inside(unit), a, b),
    toUnit: (x) => (x <= 0 ? 0 : x >= 1 ? 1 : incompleteBeta(x, a, b)),
  };
}
