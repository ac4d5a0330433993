import type { FleetMetrics } from "./metrics.ts";
import type { FleetParams } from "./params.ts";

/** A worker that is silent for longer is taken for dead. */
const SILENT_S = 15;
/** A server that is busy for more than this share of the time is what holds the others up. */
const BUSY = 0.95;

/** What is in the way of more runs a second. */
export function bottleneckOf(metrics: FleetMetrics, { workers, jobs, window }: FleetParams): string {
  const { worker_utilization, redis_utilization, coordinator_utilization, beat_s } = metrics;
  if ((beat_s ?? 0) > SILENT_S) return "redis: workers are taken for dead";
  if (worker_utilization! >= BUSY) return "workers";
  if (window < workers * jobs && worker_utilization! > (BUSY * window) / (workers * jobs)) return "window";
  if (coordinator_utilization! >= BUSY && coordinator_utilization! >= redis_utilization!)
    return "coordinator";
  return redis_utilization! >= BUSY ? "redis" : "round trips";
}
