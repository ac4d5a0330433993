import type { FleetParams } from "./params.ts";

export const BEAT_S = 1;
export const LOOK_S = 1;
/** The coordinator asks for the state of chunks that are older than four seconds, every three. */
export const CHECK_S = 3;
const OLD_MS = 4000;

/** What a fleet that has all it can do under way asks of a thread while no run ends; 1 is all that a thread has. */
export interface StandingLoad {
  redis: number;
  coordinator: number;
}

export function standingLoad(params: FleetParams): StandingLoad {
  const { workers, jobs, window, ahead } = params;
  const underWay = Math.min(workers * jobs, window);
  const all = isChecked(params) ? Math.min(window, workers * jobs * ahead) : 0;
  const checksUs = (all * checkUs(params, underWay, Math.max(1, all))) / CHECK_S;
  const askedUs = (all * params.coordinator_message_us) / 3 / CHECK_S;
  return {
    redis: (workers * (beatUs(params) / BEAT_S + params.look_redis_us / LOOK_S) + checksUs) / 1e6,
    coordinator: ((workers * params.look_coordinator_us) / LOOK_S + askedUs) / 1e6,
  };
}

/** Redis, one heartbeat of one worker, with its share of renewing what it has leased. */
export function beatUs({
  beat_redis_us,
  redis_message_us,
  jobs,
  workers,
  window,
  lease_s,
}: FleetParams): number {
  const busy = Math.min(jobs, window / workers);
  return beat_redis_us + (busy * BEAT_S * redis_message_us) / 3 / (lease_s / 2);
}

export function isChecked({ run_ms, redis_message_us, scan_redis_us }: FleetParams): boolean {
  return run_ms > OLD_MS && redis_message_us + scan_redis_us > 0;
}

/** Redis, the state of one chunk: those that wait are found by a hash, those under way by going through half the list. */
export function checkUs(
  { redis_message_us, scan_redis_us }: FleetParams,
  underWay: number,
  all: number,
): number {
  return redis_message_us / 3 + (underWay / all) * (underWay / 2) * scan_redis_us;
}
