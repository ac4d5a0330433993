import type { Params } from "../../core/params.ts";
import type { CompiledSpace } from "../space/compile-space.ts";
import { encodePoint } from "../space/encode-point.ts";
import { makePoint } from "../space/point.ts";
import { type AxisKernels, choiceKernels, orderedKernels } from "./axis-kernels.ts";

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
