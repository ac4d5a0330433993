import type { Params } from "../../../core/params.ts";
import { normalQuantile } from "../../../stats/distributions/normal.ts";
import type { CompiledSpace } from "../../space/compile-space.ts";
import type { Domain } from "../../space/domain.ts";
import { encodePoint, makePoint } from "../../space/points.ts";

export interface MixtureOptions {
  /** One an observation. */
  weights: readonly number[];
  /** Weight of the space's own distribution, beside the observations. */
  priorWeight: number;
  /** Widths of the kernels on ordered axes, as a share of the unit interval. */
  widths: readonly number[];
}

/**
 * A density over a whole space as a mixture: one kernel an observation, jointly over all axes, and the space's own
 * distribution as one more. An axis that is inactive in an observation follows the space's distribution in its kernel,
 * so that a conditional space needs no splitting into groups, and every observation tells about what it shares.
 */
export class ParzenMixture {
  readonly #space: CompiledSpace;
  readonly #axes: AxisKernels[];
  readonly #logWeights: Float64Array;
  readonly #cumulative: Float64Array;
  readonly #sums: Float64Array;

  constructor(space: CompiledSpace, codes: readonly Float64Array[], options: MixtureOptions) {
    const { weights, priorWeight, widths } = options;
    this.#space = space;
    const n = codes.length;
    this.#axes = space.axes.map(({ domain }, i) => {
      const centres = new Float64Array(n + 1);
      for (let k = 0; k < n; k++) centres[k] = codes[k]![i]!;
      // The prior is the observation in which every axis is inactive.
      centres[n] = Number.NaN;
      if (domain.ordered) return orderedKernels(centres, widths[i]!, domain);
      return choiceKernels(centres, domain.size / (n + 1 + domain.size), domain);
    });
    const all = [...weights, priorWeight];
    const total = all.reduce((sum, weight) => sum + weight, 0);
    this.#logWeights = Float64Array.from(all, (weight) => Math.log(weight / total));
    let sum = 0;
    this.#cumulative = Float64Array.from(all, (weight) => (sum += weight / total));
    this.#sums = new Float64Array(n + 1);
  }

  /** A point drawn from the mixture; undefined where the space's `where` excludes it. */
  sample(random: () => number): Params | undefined {
    const pick = random();
    let k = 0;
    while (k < this.#cumulative.length - 1 && pick >= this.#cumulative[k]!) k++;
    const isPrior = k === this.#cumulative.length - 1;
    return makePoint(this.#space, (i) => {
      const { domain } = this.#space.axes[i]!;
      const unit = random();
      if (isPrior) return domain.valueAt(unit);
      const place = this.#axes[i]!.sample(k, unit);
      // An inactive observation has no centre here: the space's distribution.
      if (Number.isNaN(place)) return domain.valueAt(unit);
      return domain.ordered ? domain.valueAt(place) : domain.nth(place);
    });
  }

  logDensity(point: Params): number {
    const code = encodePoint(this.#space, point);
    const sums = this.#sums;
    sums.set(this.#logWeights);
    for (let i = 0; i < code.length; i++) {
      if (Number.isNaN(code[i]!)) continue;
      const { name, domain } = this.#space.axes[i]!;
      this.#axes[i]!.addLogDensity(code[i]!, domain.cellOf(point[name]!), sums);
    }
    let most = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < sums.length; k++) if (sums[k]! > most) most = sums[k]!;
    let total = 0;
    for (let k = 0; k < sums.length; k++) {
      const below = sums[k]! - most;
      if (below > -36) total += Math.exp(below);
    }
    return most + Math.log(total);
  }
}

/** The standard deviation of the uniform distribution on (0, 1). */
const PRIOR_SD = 1 / Math.sqrt(12);
/** Kernels narrower than this share, before the shrinking, let some searches settle too early (docs/search.md). */
const LEAST_SPREAD = 0.1;
const NARROWEST = 0.02;

/**
 * Scott's rule on each axis: the spread of the observations, shrunk as they grow in number. The prior counts as
 * one observation, so that a single point has a wide kernel.
 * Source: D. W. Scott, Multivariate Density Estimation (1992), 6.3.
 */
export function kernelWidths(space: CompiledSpace, codes: readonly Float64Array[]): number[] {
  const dimensions = space.axes.filter(({ domain }) => domain.ordered && domain.size > 1).length;
  return space.axes.map(({ domain }, i) => {
    if (!domain.ordered) return 1;
    let n = 0;
    let mean = 0;
    let squares = 0;
    for (const code of codes) {
      const x = code[i]!;
      if (Number.isNaN(x)) continue;
      n++;
      const away = x - mean;
      mean += away / n;
      squares += away * (x - mean);
    }
    const spread = Math.sqrt((squares + PRIOR_SD * PRIOR_SD) / (n + 1));
    const halfCell = Number.isFinite(domain.size) ? 0.5 / domain.size : 0;
    const shrunk = Math.max(spread, LEAST_SPREAD) * (n + 1) ** (-1 / (dimensions + 4));
    return Math.max(NARROWEST, halfCell, shrunk);
  });
}

/** The kernels of a mixture along one axis, one an observation, all of one width. */
export interface AxisKernels {
  /** A place on the unit interval near observation `k`, for a uniform number; or a choice's number. */
  sample(k: number, unit: number): number;
  /** Adds each observation's log density at a value (its code and cell) to `into`. */
  addLogDensity(code: number, cell: readonly [number, number], into: Float64Array): void;
}

/** Normal kernels cut off at 0 and 1. Values that form a lattice have masses, integrated over their cells. */
function orderedKernels(centres: Float64Array, sd: number, domain: Domain): AxisKernels {
  const lows = centres.map((centre) => roughNormalCdf(-centre / sd));
  const masses = centres.map((centre, k) => roughNormalCdf((1 - centre) / sd) - lows[k]!);
  const logHeight = -Math.log(sd * Math.sqrt(2 * Math.PI));
  // An inactive observation says nothing about this axis: there the prior holds, log 1 (or the cell's mass).
  const places = centres.map((centre) => (Number.isNaN(centre) ? 0 : centre));
  const scales = centres.map((centre) => (Number.isNaN(centre) ? 0 : -0.5 / (sd * sd)));
  const heights = centres.map((centre, k) => (Number.isNaN(centre) ? 0 : logHeight - Math.log(masses[k]!)));
  // One row a value that was asked for: lattices are small, and many observations share a centre.
  const rows = new Map<number, Map<number, number>>();
  return {
    sample(k, unit) {
      const p = lows[k]! + unit * masses[k]!;
      return Math.min(1 - 1e-12, Math.max(1e-12, centres[k]! + sd * normalQuantile(p)));
    },
    addLogDensity(code, [from, to], into) {
      if (domain.isContinuum || to - from < sd / 16) {
        const cell = domain.isContinuum ? 0 : Math.log(to - from);
        for (let k = 0; k < into.length; k++) {
          const away = code - places[k]!;
          into[k] = into[k]! + (scales[k]! * away * away + (cell + heights[k]!));
        }
        return;
      }
      let row = rows.get(code);
      if (!row) {
        row = new Map();
        rows.set(code, row);
      }
      for (let k = 0; k < centres.length; k++) {
        const centre = centres[k]!;
        let value = row.get(centre);
        if (value === undefined) {
          const mass = Number.isNaN(centre)
            ? to - from
            : (roughNormalCdf((to - centre) / sd) - roughNormalCdf((from - centre) / sd)) / masses[k]!;
          value = Math.log(Math.max(mass, 1e-300));
          row.set(centre, value);
        }
        into[k]! += value;
      }
    },
  };
}

/** For choices: the observed one gets most of the weight, the rest is shared out as the prior says. */
function choiceKernels(centres: Float64Array, leak: number, domain: Domain): AxisKernels {
  const prior = Array.from({ length: domain.size }, (_, i) => {
    const [from, to] = domain.cellOf(domain.nth(i));
    return Math.max(to - from, 1e-9);
  });
  return {
    sample(k, unit) {
      const centre = centres[k]!;
      if (!Number.isNaN(centre) && centre >= 0 && unit >= leak) return centre;
      const rest = Number.isNaN(centre) || centre < 0 ? unit : unit / leak;
      return domain.indexOf(domain.valueAt(rest));
    },
    addLogDensity(code, _cell, into) {
      const other = Math.log(leak * prior[code]!);
      const same = Math.log(1 - leak + leak * prior[code]!);
      const absent = Math.log(prior[code]!);
      for (let k = 0; k < centres.length; k++) {
        const centre = centres[k]!;
        into[k]! += Number.isNaN(centre) || centre < 0 ? absent : centre === code ? same : other;
      }
    },
  };
}

/**
 * P(Z <= z) with an error below 7.5e-8, at a tenth of the exact one's time: a proposal takes tens of thousands.
 * Source: Abramowitz and Stegun (1964), 26.2.17.
 */
function roughNormalCdf(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const sum =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = 0.3989422804014327 * Math.exp(-0.5 * z * z) * sum;
  return z > 0 ? 1 - tail : tail;
}
