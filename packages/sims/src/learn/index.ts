import { defineTarget } from "assay/plugin";
import { metricInfos, metricsOf } from "./metrics.ts";
import { paramsSchema } from "./params.ts";
import { type CurvePoint, train } from "./train.ts";

/** Some tens of milliseconds of work: often enough to notice that the run should end. */
const STEPS_BETWEEN_LOOKS = 100_000;

/** Small reinforcement learning: an agent that learns its way over a terrain from nothing. */
export const learn = defineTarget({
  name: "learn",
  version: "1",
  description: "trains a small agent from scratch on grid terrains, with or without memory",
  params: paramsSchema,
  metrics: metricInfos,
  async run({ params, seed, signal, series }) {
    const curve: CurvePoint[] = [];
    const training = train(params, seed);
    let look = STEPS_BETWEEN_LOOKS;
    let next = training.next();
    for (; !next.done; next = training.next()) {
      curve.push(next.value);
      series({ ...next.value });
      if (next.value.step < look) continue;
      look = next.value.step + STEPS_BETWEEN_LOOKS;
      await new Promise((resume) => setImmediate(resume));
      signal.throwIfAborted();
    }
    return metricsOf(curve, next.value.states, params);
  },
});
