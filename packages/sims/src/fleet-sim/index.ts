import { defineTarget, type MetricInfo } from "assay/plugin";
import * as z from "zod";
import { simulateFleet } from "./simulate.ts";

const us = (defaultUs: number, text: string) => z.number().min(0).default(defaultUs).describe(text);

/** Rules are those of the queue executor; costs are those of bench/scale/measured.json. */
export const paramsSchema = z.strictObject({
  workers: z.int().min(1).max(1_000_000).default(10).describe("Workers"),
  jobs: z.int().min(1).default(1).describe("Runs that a worker does at the same time"),
  run_ms: z.number().positive().default(1000).describe("Mean time of a run, ms"),
  run_dist: z.enum(["constant", "exponential"]).default("constant").describe("How run times are spread"),
  runs: z.int().min(10).optional().describe("Runs to simulate; without it, enough to see a steady state"),
  study_runs: z
    .int()
    .min(1)
    .default(1_000_000)
    .describe("Runs of the study that sizes and times are told for"),

  window: z.int().min(1).default(16_384).describe("Most runs between the coordinator and the workers"),
  ahead: z
    .number()
    .min(1)
    .default(2)
    .describe("Runs asked for, for each that the fleet can do at once; twice that in chunks"),
  chunk_ms: z.number().min(0).default(60).describe("How long a chunk of short runs should take, ms"),
  most_in_chunk: z.int().min(1).default(512).describe("Most runs in a chunk"),
  flush_ms: z.number().min(0).default(4).describe("How long results wait for company, ms"),
  lease_s: z
    .number()
    .positive()
    .default(30)
    .describe("A worker that is silent for so long has lost what it took, s"),

  network_ms: z.number().min(0).default(0.2).describe("One way between any two machines, ms"),
  service: z.enum(["constant", "exponential"]).default("constant").describe("How costs are spread"),
  coordinator_message_us: us(122, "Coordinator, a message (a chunk or a batch of results)"),
  coordinator_run_us: us(30.3, "Coordinator, a run: planned, sent, taken, journalled"),
  redis_message_us: us(111, "Redis, a message: added, taken, finished"),
  redis_run_us: us(2.45, "Redis, a run inside of messages"),
  worker_run_us: us(500, "Worker, a run beside its own time"),
  beat_redis_us: us(115, "Redis, a worker, each second: its heartbeat and its waiting"),
  look_redis_us: us(0.708, "Redis, a worker, each second: the coordinator's look at the registry"),
  look_coordinator_us: us(11.1, "Coordinator, a worker, each second: that look"),
  scan_redis_us: us(0.0315, "Redis, a chunk under way, when another one is looked for in the list of them"),

  mtbf_h: z
    .number()
    .positive()
    .nullable()
    .default(null)
    .describe("Mean time between deaths of a worker, hours; null: none dies"),
  restart_s: z.number().min(0).default(10).describe("Until a dead worker is back, s"),

  journal_bytes: z.number().min(0).default(349).describe("A record in the journal, bytes"),
  resume_us: us(14.6, "Reading a record back when a study goes on"),
  message_bytes: z.number().min(0).default(3710).describe("Bytes through Redis, a message"),
  run_bytes: z.number().min(0).default(892).describe("Bytes through Redis, a run inside of messages"),
  beat_bytes: z.number().min(0).default(1330).describe("Bytes through Redis, a worker, each second"),
  record_bytes: z
    .number()
    .min(0)
    .default(614)
    .describe("A worker's record in the registry, bytes: read by every look"),
  connections: z.number().min(0).default(2).describe("Connections to Redis, a worker"),
});

export type FleetParams = z.output<typeof paramsSchema>;

const up = (unit: string, description: string): MetricInfo => ({ unit, direction: "maximize", description });
const down = (unit: string, description: string): MetricInfo => ({
  unit,
  direction: "minimize",
  description,
});
const plain = (unit: string, description: string): MetricInfo => ({ unit, direction: "none", description });

const metricInfos = {
  runs_per_s: up("1/s", "Runs recorded, once the fleet is in full swing"),
  efficiency: up("1", "That, against workers that never wait"),
  worker_utilization: up("1", "Share of the workers' threads in use"),
  coordinator_utilization: plain("1", "Share of the coordinator's thread in use"),
  coordinator_standing: plain("1", "What upkeep asks of it; above 1, upkeep becomes rare"),
  redis_utilization: plain("1", "Share of Redis' thread in use"),
  redis_standing: plain("1", "What upkeep asks of it; above 1, upkeep becomes rare"),
  redis_wait_ms: down("ms", "Mean wait for Redis, of one command"),
  beat_s: down("s", "Between two heartbeats of a worker, wanted each second; past 15 it is taken for dead"),
  queue_depth: plain("1", "Chunks that wait for a worker, in the mean"),
  chunk_runs: plain("1", "Runs that travel together, in the mean"),
  message_runs: plain("1", "Results that travel together, in the mean"),
  wasted_share: down("1", "Share of the threads' time that deaths of workers made worthless"),
  redelivered: down("1", "Runs that were delivered again"),
  deaths: plain("1", "Workers that died"),
  finish_h: down("h", "Until `study_runs` are recorded"),
  network_mb_s: down("MB/s", "Through Redis, in and out"),
  redis_connections: down("1", "Connections to Redis"),
  journal_gb: down("GB", "The journal of `study_runs`"),
  resume_gb: down("GB", "Memory to go on with a study of which `study_runs` are done"),
  resume_min: down("min", "Reading its journal back"),
} satisfies Record<string, MetricInfo>;

export type FleetMetrics = Record<keyof typeof metricInfos, number | null>;

/** A worker that is silent for longer is taken for dead. */
const SILENT_S = 15;
/** A server that is busy for more than this share of the time is what holds the others up. */
const BUSY = 0.95;

/** What is in the way of more runs a second. */
function bottleneckOf(metrics: FleetMetrics, { workers, jobs, window }: FleetParams): string {
  const { worker_utilization, redis_utilization, coordinator_utilization, beat_s } = metrics;
  if ((beat_s ?? 0) > SILENT_S) return "redis: workers are taken for dead";
  if (worker_utilization! >= BUSY) return "workers";
  if (window < workers * jobs && worker_utilization! > (BUSY * window) / (workers * jobs)) return "window";
  if (coordinator_utilization! >= BUSY && coordinator_utilization! >= redis_utilization!)
    return "coordinator";
  return redis_utilization! >= BUSY ? "redis" : "round trips";
}

/** A fleet of workers on a queue, in virtual time: how many runs a second, and what is in the way of more. */
export const fleetSim = defineTarget({
  name: "fleet-sim",
  version: "1",
  description: "simulates the queue executor's fleet: coordinator, Redis, workers, deaths, in virtual time",
  params: paramsSchema,
  metrics: metricInfos,
  async run({ params, seed, signal, label }) {
    const metrics = await simulateFleet(params, seed, async () => {
      await new Promise((resume) => setImmediate(resume));
      signal.throwIfAborted();
    });
    label?.("bottleneck", bottleneckOf(metrics, params));
    return metrics;
  },
});
