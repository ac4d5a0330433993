import { defineTarget, type MetricInfo } from "assay/plugin";
import * as z from "zod";
import { pause } from "../pause.ts";
import { DenseViews } from "./dense-views.ts";
import { Fields, Meadow } from "./meadow.ts";
import { checkViewBytes, perceptionParams, radius } from "./params.ts";
import { CHANNELS } from "./view.ts";

const ms = (description: string): MetricInfo => ({ unit: "ms", direction: "minimize", description });

/** Where the time of an observation goes. */
export const observationProfiler = defineTarget({
  name: "observation_profiler",
  version: "1",
  description: "times the parts of an observation: gathering fields, fading trails, filling each channel",
  params: z
    .strictObject({ ...perceptionParams, radius: radius(20) })
    .superRefine(({ num_agents, radius: r }, ctx) =>
      checkViewBytes(num_agents * CHANNELS.length * (2 * r + 1) ** 2 * 4, ctx, "num_agents"),
    ),
  metrics: {
    step_ms: ms("A whole observation of all agents, mean of a step"),
    gather_ms: ms("Of which: reading resources and agents from the world"),
    decay_ms: ms("Of which: letting the trail fade"),
    clear_ms: ms("Of which: emptying the tensor"),
    fill_ms: ms("Of which: filling all channels, and as .CHANNEL one of them"),
    fill_share: { unit: "1", direction: "none", description: "What filling takes of it" },
    fill_ns_per_cell: {
      unit: "ns",
      direction: "minimize",
      description: "Filling, for each cell of the tensor",
    },
    world_ms: ms("The world's own step, which is no part of the above"),
  },
  setup({ params, seed }) {
    const meadow = new Meadow(params, seed);
    const fields = new Fields(meadow.world);
    const options = { radius: params.radius, fovRadius: params.fov_radius ?? params.radius, bilinear: false };
    return { meadow, fields, views: new DenseViews(meadow.world, fields, options) };
  },
  async run({ params, signal }, { meadow, fields, views }) {
    const parts: [string, () => void][] = [
      ["world_ms", () => meadow.step()],
      ["gather_ms", () => fields.gather()],
      ["decay_ms", () => fields.decay()],
      ["clear_ms", () => views.clear()],
      ...CHANNELS.map((channel): [string, () => void] => [
        `fill_ms.${channel}`,
        () => views.fillChannel(channel),
      ]),
    ];
    const spentMs = new Float64Array(parts.length);
    meadow.begin();
    fields.forget();
    for (let step = 0; step < params.steps; step++) {
      await pause(signal);
      for (const [part, [, work]] of parts.entries()) {
        const start = performance.now();
        work();
        spentMs[part]! += performance.now() - start;
      }
    }
    const metrics: Record<string, number> = {};
    for (const [part, [name]] of parts.entries()) metrics[name] = spentMs[part]! / params.steps;
    const fillMs = CHANNELS.reduce((sum, channel) => sum + metrics[`fill_ms.${channel}`]!, 0);
    const stepMs = metrics.gather_ms! + metrics.decay_ms! + metrics.clear_ms! + fillMs;
    const perCell = (fillMs * 1e6) / views.tensor.length;
    return {
      step_ms: stepMs,
      fill_ms: fillMs,
      fill_share: fillMs / stepMs,
      fill_ns_per_cell: perCell,
      ...metrics,
    };
  },
});
