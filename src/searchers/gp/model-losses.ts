import { RandomStream } from "../../core/random.ts";
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
