import type { MetricInfo } from "assay/plugin";

const up = (unit: string, description: string): MetricInfo => ({ unit, direction: "maximize", description });
const down = (unit: string, description: string): MetricInfo => ({
  unit,
  direction: "minimize",
  description,
});
const plain = (unit: string, description: string): MetricInfo => ({ unit, direction: "none", description });

export const metricInfos = {
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
