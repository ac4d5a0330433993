import type * as z from "zod";
import { type FleetParams, paramsSchema } from "../../src/fleet-sim/index.ts";

/** A fleet in which nothing costs anything but what a test says. */
export function aFleet(params: z.input<typeof paramsSchema>): FleetParams {
  return paramsSchema.parse({
    network_ms: 0,
    flush_ms: 0,
    chunk_ms: 0,
    coordinator_message_us: 0,
    coordinator_run_us: 0,
    redis_message_us: 0,
    redis_run_us: 0,
    worker_run_us: 0,
    beat_redis_us: 0,
    look_redis_us: 0,
    look_coordinator_us: 0,
    scan_redis_us: 0,
    ...params,
  });
}
