import { RandomStream } from "../../../core/random.ts";
import { lossesOf } from "../rank-history.ts";
import type { Evaluation, Problem } from "../searcher.ts";

/** One number to minimise for each finished evaluation. */
export interface ModelLosses {
  losses: number[];
  /** Standard errors of the losses; 0 where unknown. */
  errors: number[];
}

/**
 * Several objectives become one by random weights, others for each proposal, which spreads proposals along the front
 * (J. Knowles, "ParEGO", IEEE TEC 10 (2006), 50-66). A point that misses the constraints is worse than all that keep
 * them, and the worse the farther off; a failed one is as bad as the worst. Undefined where nothing gave a number.
 */
export function modelLosses(
  finished: readonly Evaluation[],
  problem: Problem,
  proposal: number,
): ModelLosses | undefined {
  const each = finished.map((evaluation) => lossesOf(evaluation, problem));
  if (!each.some((losses) => losses !== undefined)) return undefined;
  const scalars = problem.objectives.length === 1 ? each.map((l) => l?.[0]) : mix(each, problem, proposal);
  const violation = (i: number) => Math.max(0, finished[i]!.violation ?? 0);
  const kept = scalars.filter((scalar, i) => scalar !== undefined && violation(i) === 0) as number[];
  const most = kept.length > 0 ? Math.max(...kept) : 0;
  const range = kept.length > 1 ? most - Math.min(...kept) || 1 : 1;
  const farthest = Math.max(...finished.map((_, i) => (scalars[i] === undefined ? 0 : violation(i)))) || 1;
  const losses = scalars.map((scalar, i) =>
    scalar !== undefined && violation(i) > 0 ? most + (range * violation(i)) / farthest : scalar,
  );
  const worst = Math.max(...(losses.filter((loss) => loss !== undefined) as number[]));
  const errors = finished.map(({ standardErrors, violation = 0 }, i) => {
    const error = standardErrors?.[0] ?? 0;
    const counts = problem.objectives.length === 1 && violation <= 0 && scalars[i] !== undefined;
    return counts && Number.isFinite(error) ? error : 0;
  });
  return { losses: losses.map((loss) => loss ?? worst), errors };
}

/** The augmented Tchebycheff norm of the objectives, each scaled to its range. */
function mix(each: readonly (number[] | undefined)[], { objectives, seed }: Problem, proposal: number) {
  const stream = new RandomStream(seed, "search/gp/weights");
  const draws = objectives.map((_, i) => -Math.log(stream.uniform(proposal, i)));
  const total = draws.reduce((sum, draw) => sum + draw, 0);
  const there = each.filter((losses) => losses !== undefined) as number[][];
  const lows = objectives.map((_, i) => Math.min(...there.map((losses) => losses[i]!)));
  const widths = objectives.map((_, i) => Math.max(...there.map((losses) => losses[i]!)) - lows[i]! || 1);
  return each.map((losses) => {
    if (!losses) return undefined;
    const parts = losses.map((loss, i) => ((draws[i]! / total) * (loss - lows[i]!)) / widths[i]!);
    return Math.max(...parts) + 0.05 * parts.reduce((sum, part) => sum + part, 0);
  });
}

/** Losses as a process likes them, and by how much each was stretched (for their standard errors). */
export interface NormalLosses {
  values: Float64Array;
  stretches: Float64Array;
}

const POWERS = [1, 0.5, 0.25, 0, -0.25, -0.5];

/**
 * Standardised after a power of the Box-Cox family, the one that makes them most normal: where losses range over
 * orders of magnitude, a process on the plain ones would see the worst only.
 * Source: G. E. P. Box and D. R. Cox, J. R. Statist. Soc. B 26 (1964), 211-252; used so by A. Cowen-Rivers et al.,
 * "HEBO", JAIR 74 (2022).
 */
export function normaliseLosses(losses: readonly number[]): NormalLosses {
  const sorted = losses.toSorted((a, b) => a - b);
  const least = sorted[0]!;
  const unit = sorted[sorted.length >> 1]! - least || sorted.at(-1)! - least || 1;
  const ratios = losses.map((loss) => 1 + (loss - least) / unit);
  const logs = ratios.map(Math.log);
  const logSum = logs.reduce((sum, log) => sum + log, 0);
  const fits = POWERS.map((power) => {
    const powers = ratios.map((x, i) => (power === 0 ? logs[i]! : (x ** power - 1) / power));
    const { mean, sd } = momentsOf(powers);
    const fit = (power - 1) * logSum - losses.length * Math.log(Math.max(sd, 1e-12));
    return { power, powers, mean, sd: sd || 1, fit };
  });
  const { power, powers, mean, sd } = fits.reduce((best, next) => (next.fit > best.fit + 1e-9 ? next : best));
  return {
    values: Float64Array.from(powers, (value) => (value - mean) / sd),
    stretches: Float64Array.from(ratios, (x) => x ** (power - 1) / (unit * sd)),
  };
}

function momentsOf(values: readonly number[]): { mean: number; sd: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, sd: Math.sqrt(squares / values.length) };
}

/** Which observations stand for all: the best half, and the rest evenly by rank. In the order of the observations. */
export function representatives(losses: readonly number[], most: number): number[] {
  const order = losses.map((_, i) => i);
  if (losses.length <= most) return order;
  order.sort((i, j) => losses[i]! - losses[j]! || i - j);
  const half = Math.floor(most / 2);
  const chosen = order.slice(0, half);
  const rest = order.slice(half);
  for (let k = 0; k < most - half; k++) chosen.push(rest[Math.floor((k * rest.length) / (most - half))]!);
  return chosen.sort((i, j) => i - j);
}
