import { defineTarget } from "assay/plugin";
import * as z from "zod";
import { pause } from "../pause.ts";
import { DenseViews } from "./dense-views.ts";
import { Fields, Meadow } from "./meadow.ts";
import { checkViewBytes, perceptionParams } from "./params.ts";
import { CHANNELS } from "./view.ts";

const STEPS_BETWEEN_PAUSES = 20;

/** How many views of agents can be made in a second. */
export const observationFlow = defineTarget({
  name: "observation_flow",
  version: "1",
  description: "fills the fields of view of all agents as one tensor, step by step: observations a second",
  params: z
    .strictObject(perceptionParams)
    .superRefine(({ num_agents, radius }, ctx) =>
      checkViewBytes(num_agents * CHANNELS.length * (2 * radius + 1) ** 2 * 4, ctx, "num_agents"),
    ),
  metrics: {
    observations_per_s: {
      unit: "1/s",
      direction: "maximize",
      primary: true,
      description: "Views made in a second of observing",
    },
    step_ms: {
      unit: "ms",
      direction: "minimize",
      description: "To make the views of all agents, mean of a step",
    },
    world_ms: {
      unit: "ms",
      direction: "minimize",
      description: "The world's own step, which is no part of the above",
    },
    observations: { unit: "1", direction: "none", description: "Views made: agents times steps" },
    tensor_bytes: {
      unit: "bytes",
      direction: "none",
      description: "The tensor [agents, channels, rows, columns]",
    },
    view_mean: {
      unit: "1",
      direction: "none",
      description: "Mean over the last tensor: the same seed gives the same",
    },
  },
  setup({ params, seed }) {
    const meadow = new Meadow(params, seed);
    const fields = new Fields(meadow.world);
    const { radius, fov_radius } = params;
    const options = { radius, fovRadius: fov_radius ?? radius, bilinear: false };
    return { meadow, fields, views: new DenseViews(meadow.world, fields, options) };
  },
  async run({ params, signal }, { meadow, fields, views }) {
    meadow.begin();
    fields.forget();
    let [worldMs, observeMs] = [0, 0];
    for (let step = 0; step < params.steps; step++) {
      if (step % STEPS_BETWEEN_PAUSES === 0) await pause(signal);
      const start = performance.now();
      meadow.step();
      const moved = performance.now();
      fields.gather();
      fields.decay();
      views.fill();
      worldMs += moved - start;
      observeMs += performance.now() - moved;
    }
    const observations = params.num_agents * params.steps;
    return {
      observations_per_s: (observations / observeMs) * 1000,
      step_ms: observeMs / params.steps,
      world_ms: worldMs / params.steps,
      observations,
      tensor_bytes: views.bytes(),
      view_mean: meanOf(views.tensor),
    };
  },
});

function meanOf(values: Float32Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}
