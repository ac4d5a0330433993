import { defineTarget, type MetricInfo } from "assay/plugin";
import * as z from "zod";
import { MeanBy } from "../../kernel/statistics.ts";
import { drawPlaces, PATTERNS } from "./crowd.ts";
import { type Combination, gatherCrowds, measureCombinations } from "./measure-index.ts";
import { bySize, chosenAlgorithms, spatialParams } from "./params.ts";

const less = (unit: string, description: string): MetricInfo => ({
  unit,
  direction: "minimize",
  description,
});
const plain = (unit: string, description: string): MetricInfo => ({ unit, direction: "none", description });
const flag = (description: string) => z.boolean().default(true).describe(description);

const TASKS = ["build", "update", "range", "nearest"] as const;
type Task = (typeof TASKS)[number];

/** How the time of each task grows with the number of agents. */
export const spatialPerformanceAnalyzer = defineTarget({
  name: "spatial_performance_analyzer",
  version: "1",
  description: "fits how the times of spatial indexes grow with the number of agents, over query patterns",
  params: z.strictObject({
    ...spatialParams,
    agent_counts: spatialParams.agent_counts
      .unwrap()
      .default([100, 500, 1000, 2000, 5000])
      .describe("Numbers of agents"),
    steps: z.int().min(1).max(100_000).default(200).describe("Steps, shared out among the query patterns"),
    queries: z.int().min(1).max(100_000).default(2).describe("Queries of each kind and pattern in a step"),
    query_patterns: z
      .array(z.enum(PATTERNS))
      .min(1)
      .default(["uniform", "clustered", "linear", "random"])
      .describe("Where queries are asked from: evenly spaced, in heaps, along the diagonal, anywhere"),
    analyze_complexity: flag("Fit exponents over the numbers of agents"),
    analyze_scalability: flag("Compare a step of the largest crowd with one of the smallest"),
    analyze_memory_efficiency: flag("Report what an index holds for each agent"),
  }),
  metrics: {
    ...bySize({
      build_us: less("us", "To build"),
      update_us: less("us", "To follow a step"),
      range_us: less("us", "A range query"),
      nearest_us: less("us", "A query for the nearest"),
    }),
    range_us: less("us", "A range query, as .INDEX.PATTERN"),
    nearest_us: less("us", "A query for the nearest, as .INDEX.PATTERN"),
    build_exponent: plain("1", "As .INDEX: b in time = a * agents ** b, and its standard error as .INDEX.se"),
    update_exponent: plain("1", "Likewise"),
    range_exponent: plain(
      "1",
      "Likewise; in a world of fixed size answers grow with the agents, which costs 1 by itself",
    ),
    nearest_exponent: plain("1", "Likewise"),
    step_growth: less("1", "As .INDEX: a step with the most agents over one with the fewest"),
    agents_per_s: {
      unit: "1/s",
      direction: "maximize",
      description: "As .INDEX: agents of the largest crowd followed in a second",
    },
    bytes_per_agent: less("bytes", "As .INDEX: what the index holds, in the largest crowd"),
  },
  setup: ({ params, seed }) => gatherCrowds(params, seed),
  async run({ params, seed, signal }, crowds) {
    const { queries, neighbors, query_radii: radii } = params;
    const patterns = new Set(params.query_patterns);
    const steps = Math.ceil(params.steps / patterns.size);
    const means = new MeanBy();
    const algorithms = chosenAlgorithms(params);
    for (const pattern of patterns) {
      const tasksFor = ({ options }: { options: { worldSize: number } }) => {
        const from = drawPlaces(pattern, {
          count: 1000,
          worldSize: options.worldSize,
          seed,
          purpose: "queries",
        });
        return { steps, queries, neighbors, radii, from };
      };
      for await (const one of measureCombinations(crowds, algorithms, { tasksFor, signal })) {
        note(means, one, pattern);
      }
    }
    const times = means.means();
    return { ...withoutBytes(times), ...analyse(times, algorithms, params) };
  },
});

function note(means: MeanBy, one: Combination, pattern: string): void {
  const { algorithm, agents } = one;
  const rangeUs = one.rangeUs.reduce((sum, us) => sum + us, 0) / one.rangeUs.length;
  means.add(`build_us.${algorithm}.n${agents}`, one.buildMs * 1000);
  means.add(`update_us.${algorithm}.n${agents}`, one.updateMs * 1000);
  for (const ending of [`n${agents}`, pattern]) {
    means.add(`range_us.${algorithm}.${ending}`, rangeUs);
    means.add(`nearest_us.${algorithm}.${ending}`, one.nearestUs);
  }
  means.add(`bytes.${algorithm}.n${agents}`, one.bytes);
}

interface Wishes {
  agent_counts: number[];
  queries: number;
  query_radii: number[];
  analyze_complexity: boolean;
  analyze_scalability: boolean;
  analyze_memory_efficiency: boolean;
}

function analyse(
  times: Record<string, number>,
  algorithms: string[],
  wishes: Wishes,
): Record<string, number | null> {
  const metrics: Record<string, number | null> = {};
  const counts = [...new Set(wishes.agent_counts)].sort((a, b) => a - b);
  for (const algorithm of algorithms) {
    const us = (task: Task, agents: number) => times[`${task}_us.${algorithm}.n${agents}`]!;
    const stepUs = (agents: number) =>
      us("update", agents) +
      wishes.queries * (wishes.query_radii.length * us("range", agents) + us("nearest", agents));
    const most = counts.at(-1)!;
    for (const task of wishes.analyze_complexity ? TASKS : []) {
      const fit = fitExponent(
        counts,
        counts.map((agents) => us(task, agents)),
      );
      metrics[`${task}_exponent.${algorithm}`] = fit?.exponent ?? null;
      metrics[`${task}_exponent.${algorithm}.se`] = fit?.standardError ?? null;
    }
    if (wishes.analyze_scalability) {
      metrics[`step_growth.${algorithm}`] = stepUs(most) / stepUs(counts[0]!);
      metrics[`agents_per_s.${algorithm}`] = (most / us("update", most)) * 1e6;
    }
    if (wishes.analyze_memory_efficiency) {
      metrics[`bytes_per_agent.${algorithm}`] = times[`bytes.${algorithm}.n${most}`]! / most;
    }
  }
  return metrics;
}

function withoutBytes(times: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(times).filter(([name]) => !name.startsWith("bytes.")));
}

interface PowerLaw {
  /** b in `time = a * size ** b`. */
  exponent: number;
  /** Its standard error from the scatter around the line; null with two sizes, which any line fits. */
  standardError: number | null;
}

/**
 * Least squares through the logarithms of sizes and times; null where there are less than two sizes. The error tells
 * how well a power law fits over these sizes within one iteration. How much the exponent itself varies is for the
 * statistics over iterations and seeds to say, which is why no interval is made of it here.
 */
export function fitExponent(sizes: number[], times: number[]): PowerLaw | null {
  const xs = sizes.map(Math.log);
  const ys = times.map(Math.log);
  const meanX = mean(xs);
  const meanY = mean(ys);
  const sxx = xs.reduce((sum, x) => sum + (x - meanX) ** 2, 0);
  if (sxx === 0) return null;
  const exponent = xs.reduce((sum, x, i) => sum + (x - meanX) * (ys[i]! - meanY), 0) / sxx;
  const residual = xs.reduce((sum, x, i) => sum + (ys[i]! - meanY - exponent * (x - meanX)) ** 2, 0);
  const freedom = xs.length - 2;
  return { exponent, standardError: freedom > 0 ? Math.sqrt(residual / freedom / sxx) : null };
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
