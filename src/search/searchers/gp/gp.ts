import * as z from "zod";
import type { Params } from "../../../core/params.ts";
import { RandomStream } from "../../../core/random.ts";
import { compileSpace } from "../../space/compile-space.ts";
import { drawPoint, encodePoint, keysOf, pointKey } from "../../space/points.ts";
import { askInTurn, type History, type Problem, type Searcher } from "../searcher.ts";
import { startPoint } from "../sobol/sobol.ts";
import { logExpectedImprovement, maximiseAcquisition } from "./acquisition.ts";
import { GaussianProcessModel } from "./gaussian-process-model.ts";
import { hyperparametersFor } from "./hyperparameters.ts";
import { modelLosses, normaliseLosses, representatives } from "./losses.ts";

const options = z.strictObject({
  startup: z
    .int()
    .min(1)
    .optional()
    .describe("points before the model begins; by the size of the space unless told"),
  most: z.int().min(10).default(150).describe("observations that the model uses; time grows with their cube"),
});
type Options = z.output<typeof options>;

/** A Gaussian process and the expected improvement, for expensive runs of which there will be hundreds at most. */
export const gp: Searcher<Options> = {
  name: "gp",
  description: "Gaussian process with expected improvement; best for up to a few hundred expensive runs",
  options,
  ask(history, count, problem) {
    const seen = keysOf(history);
    const startup = problem.options.startup ?? Math.max(5, Math.min(12, 2 * problem.space.length));
    return askInTurn(history, count, (soFar) => {
      const point = startPoint(soFar, problem, startup) ?? propose(soFar, problem, seen);
      if (point) seen.add(pointKey(point));
      return point;
    });
  },
};

function propose(history: History, problem: Problem<Options>, seen: Set<string>): Params | undefined {
  const space = compileSpace(problem);
  const index = history.length;
  const stream = new RandomStream(problem.seed, "search/gp");
  const model = buildModel(history, problem);
  let drawn = 0;
  const point =
    model && maximiseAcquisition(space, { ...model, seen, random: () => stream.uniform(index, drawn++) });
  return (
    point ?? drawPoint(space, { stream: new RandomStream(problem.seed, "search/gp/random"), index, seen })
  );
}

/** What is known about the function as a score to maximise. Points in flight count as having what is expected of them. */
function buildModel(history: History, problem: Problem<Options>) {
  const space = compileSpace(problem);
  const finished = history.filter(({ state }) => state !== "pending");
  const all = modelLosses(finished, problem, history.length);
  if (!all) return undefined;
  const chosen = representatives(all.losses, problem.options.most);
  const used = chosen.map((i) => finished[i]!);
  const { values, stretches } = normaliseLosses(chosen.map((i) => all.losses[i]!));
  const errorVariances = stretches.map((stretch, i) => (stretch * all.errors[chosen[i]!]!) ** 2);
  const ordered = space.axes.map(({ domain }) => domain.ordered);
  const codes = used.map(({ params }) => encodePoint(space, params));
  const hyper = hyperparametersFor(finished, problem, all);
  let gaussian = new GaussianProcessModel({ codes, values, errorVariances, ordered }, hyper);
  // With noise the least value seen is too good to be true: the least mean is what there is to beat.
  const means = gaussian.fitted();
  const isNoisy = hyper.noiseVariance > 1e-3 || errorVariances.some((variance) => variance > 1e-3);
  const best = Math.min(...(isNoisy ? means : values));
  const order = used.map((_, i) => i).sort((i, j) => means[i]! - means[j]! || i - j);
  const pending = history.filter(({ state }) => state === "pending");
  if (pending.length > 0) {
    const inFlight = pending.map(({ params }) => encodePoint(space, params));
    const believed = inFlight.map((code) => gaussian.posterior(code).mean);
    gaussian = new GaussianProcessModel(
      {
        codes: [...codes, ...inFlight],
        values: [...values, ...believed],
        errorVariances: [...errorVariances, ...believed.map(() => 0)],
        ordered,
      },
      hyper,
    );
  }
  return {
    anchors: order.slice(0, 4).map((i) => used[i]!.params),
    lengths: hyper.lengths,
    score(code: Float64Array) {
      const { mean, variance } = gaussian.posterior(code);
      return logExpectedImprovement(best, mean, variance);
    },
  };
}
