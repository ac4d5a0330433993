import { defineTarget, type MetricInfo } from "assay/plugin";
import * as z from "zod";
import { MeanBy } from "../../kernel/statistics.ts";
import { pause } from "../pause.ts";
import type { World } from "../world/world.ts";
import { makeViews } from "./hybrid-views.ts";
import { Fields, Meadow } from "./meadow.ts";
import { checkViewBytes, perceptionParams } from "./params.ts";
import { CHANNELS, type Channel, STORAGE_MODES, type Views } from "./view.ts";

/** What the views are worth: the same for the same seed, whatever the machine. */
interface ViewQuality {
  /** Share of the world's cells that somebody sees. */
  coverage: number;
  /** Of how much resource there is in the cells that are seen, in bits: 0 where all look alike. */
  entropyBits: number;
  /** Other agents that an agent sees, on average. */
  agentsInSight: number;
}

const LEVELS = 16;

function judgeViews(views: Views, world: World, radius: number): ViewQuality {
  const size = 2 * radius + 1;
  const area = size * size;
  const isSeen = new Uint8Array(world.width * world.height);
  const levels = new Float64Array(LEVELS);
  let [inSight, cells] = [0, 0];
  for (let slot = 0; slot < world.count; slot++) {
    const view = views.viewOf(slot);
    const at = (channel: Channel, i: number) => view[CHANNELS.indexOf(channel) * area + i]!;
    for (let i = 0; i < area; i++) {
      inSight += at("agents", i);
      if (at("visibility", i) === 0) continue;
      const x = world.x[slot]! + (i % size) - radius;
      const y = world.y[slot]! + Math.floor(i / size) - radius;
      isSeen[y * world.width + x] = 1;
      levels[Math.min(LEVELS - 1, Math.floor(at("resources", i) * LEVELS))]! += 1;
      cells++;
    }
  }
  return {
    coverage: isSeen.reduce((sum, seen) => sum + seen, 0) / isSeen.length,
    entropyBits: entropyBits(levels, cells),
    agentsInSight: inSight / world.count,
  };
}

function entropyBits(counts: Float64Array, total: number): number {
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / total) * Math.log2(count / total);
  return bits;
}

/** How far two ways of reading resources are apart: the mean difference over the mean value; null where all is 0. */
function resourceDifference(one: Views, other: Views, world: World): number | null {
  let [difference, sum] = [0, 0];
  for (let slot = 0; slot < world.count; slot++) {
    const [a, b] = [one.viewOf(slot), other.viewOf(slot)];
    const area = a.length / CHANNELS.length;
    for (let i = 0; i < area; i++) {
      difference += Math.abs(a[i]! - b[i]!);
      sum += (a[i]! + b[i]!) / 2;
    }
  }
  return sum === 0 ? null : difference / sum;
}

const { num_agents: _agents, radius: _radius, ...shared } = perceptionParams;
const plain = (unit: string, description: string): MetricInfo => ({ unit, direction: "none", description });

/** What views cost and what they show, over numbers of agents, radii, ways to keep and ways to read. */
export const perceptionMetrics = defineTarget({
  name: "perception_metrics",
  version: "1",
  description: "time, memory, coverage and entropy of views over agents, radii, storage and sampling",
  params: z
    .strictObject({
      ...shared,
      agent_counts: z
        .array(z.int().min(1).max(100_000))
        .min(1)
        .default([100, 500, 1000])
        .describe("Numbers of agents"),
      radii: z.array(z.int().min(0).max(100)).min(1).default([5, 8, 10]).describe("Radii of the window"),
      storage_modes: z
        .array(z.enum(STORAGE_MODES))
        .min(1)
        .default(["hybrid", "dense"])
        .describe(
          "dense: all channels cell by cell; hybrid: agents as a list, edge and visibility when asked for",
        ),
      use_bilinear_list: z
        .array(z.boolean())
        .min(1)
        .default([true, false])
        .describe("true: fields are read between cells, where an agent stands; false: cell by cell"),
    })
    .superRefine(({ agent_counts, radii }, ctx) => {
      const size = 2 * Math.max(...radii) + 1;
      checkViewBytes(Math.max(...agent_counts) * CHANNELS.length * size ** 2 * 4, ctx, "agent_counts");
    }),
  metrics: {
    observe_us: {
      unit: "us",
      direction: "minimize",
      description: "An agent's view in a step; mean, and as .STORAGE, .SAMPLING, .nAGENTS, .rRADIUS",
    },
    view_bytes: {
      unit: "bytes",
      direction: "minimize",
      description: "What a view takes, as .STORAGE and .STORAGE.rRADIUS",
    },
    coverage: plain("1", "Share of the world that somebody sees, at the end, as .nAGENTS.rRADIUS"),
    entropy_bits: plain("bit", "Entropy of the resources in sight (16 levels), as .nAGENTS.rRADIUS"),
    agents_in_sight: plain("agents", "Others that an agent sees, as .nAGENTS.rRADIUS"),
    sampling_difference: plain("1", "Of bilinear from cell by cell: mean difference over mean resource"),
  },
  setup: ({ params, seed }) =>
    params.agent_counts.map((num_agents) => {
      const meadow = new Meadow({ ...params, num_agents }, seed);
      return { meadow, fields: new Fields(meadow.world), agents: num_agents };
    }),
  async run({ params, signal }, states) {
    const means = new MeanBy();
    for (const { meadow, fields, agents } of states) {
      for (const radius of new Set(params.radii)) {
        const bySampling = new Map<boolean, Views>();
        for (const mode of new Set(params.storage_modes)) {
          for (const bilinear of new Set(params.use_bilinear_list)) {
            await pause(signal);
            const options = { radius, fovRadius: params.fov_radius ?? radius, bilinear };
            const views = makeViews(mode, meadow.world, fields, options);
            const us = observeUs({ meadow, fields, views }, params.steps) / agents;
            for (const ending of [
              "",
              `.${mode}`,
              bilinear ? ".bilinear" : ".nearest",
              `.n${agents}`,
              `.r${radius}`,
            ])
              means.add(`observe_us${ending}`, us);
            const bytes = views.bytes() / agents;
            means.add(`view_bytes.${mode}`, bytes);
            means.add(`view_bytes.${mode}.r${radius}`, bytes);
            bySampling.set(bilinear, views);
          }
        }
        const judged = bySampling.get(false) ?? bySampling.get(true)!;
        note(means, judgeViews(judged, meadow.world, radius), `n${agents}.r${radius}`);
        if (bySampling.size < 2) continue;
        const difference = resourceDifference(bySampling.get(true)!, bySampling.get(false)!, meadow.world);
        if (difference !== null) means.add("sampling_difference", difference);
      }
    }
    return means.means();
  },
});

interface Observed {
  meadow: Meadow;
  fields: Fields;
  views: Views;
}

/** Microseconds of observing in a step, mean over a walk from the first step on. */
function observeUs({ meadow, fields, views }: Observed, steps: number): number {
  meadow.begin();
  fields.forget();
  let ms = 0;
  for (let step = 0; step < steps; step++) {
    meadow.step();
    const start = performance.now();
    fields.gather();
    fields.decay();
    views.fill();
    ms += performance.now() - start;
  }
  return (ms / steps) * 1000;
}

function note(means: MeanBy, quality: ReturnType<typeof judgeViews>, ending: string): void {
  const { coverage, entropyBits, agentsInSight } = quality;
  for (const [name, value] of Object.entries({
    coverage,
    entropy_bits: entropyBits,
    agents_in_sight: agentsInSight,
  })) {
    means.add(name, value);
    means.add(`${name}.${ending}`, value);
  }
}
