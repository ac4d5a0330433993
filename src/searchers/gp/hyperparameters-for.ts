import type { Evaluation, Problem } from "../searcher.ts";
import { compileSpace } from "../space/compile-space.ts";
import { encodePoint } from "../space/encode-point.ts";
import { pointKey } from "../space/point.ts";
import { fitHyperparameters } from "./fit-hyperparameters.ts";
import type { Hyperparameters } from "./matern.ts";
import type { ModelLosses } from "./model-losses.ts";
import { normaliseLosses } from "./normalise-losses.ts";
import { representatives } from "./representatives.ts";

const MOST_FITTED = 80;

interface Fit {
  prefix: string;
  hyper: Hyperparameters;
}
const fits = new WeakMap<Problem, Map<number, Fit>>();

/**
 * Hyperparameters fitted to the first m finished points, where m grows by a quarter at a time: what takes longest is
 * done now and then, and still depends on the history alone. The last fit for each m is remembered.
 */
export function hyperparametersFor(
  finished: readonly Evaluation[],
  problem: Problem,
  { losses, errors }: ModelLosses,
): Hyperparameters {
  const m = lastMilestone(finished.length);
  const prefix = Array.from({ length: m }, (_, i) => `${pointKey(finished[i]!.params)}${losses[i]}`).join();
  let known = fits.get(problem);
  if (!known) {
    known = new Map();
    fits.set(problem, known);
  }
  const fit = known.get(m);
  if (fit?.prefix === prefix) return fit.hyper;
  const space = compileSpace(problem);
  const chosen = representatives(losses.slice(0, m), MOST_FITTED);
  const { values, stretches } = normaliseLosses(chosen.map((i) => losses[i]!));
  const hyper = fitHyperparameters({
    codes: chosen.map((i) => encodePoint(space, finished[i]!.params)),
    values,
    errorVariances: stretches.map((stretch, i) => (stretch * errors[chosen[i]!]!) ** 2),
    ordered: space.axes.map(({ domain }) => domain.ordered),
  });
  known.set(m, { prefix, hyper });
  return hyper;
}

function lastMilestone(n: number): number {
  let m = 1;
  for (let next = 1; next <= n; next = Math.max(next + 1, Math.floor(next * 1.25))) m = next;
  return m;
}
