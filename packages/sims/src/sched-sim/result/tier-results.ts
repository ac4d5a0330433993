import type { Station } from "../engine/station.ts";
import type { TierResult } from "./sim-result.ts";

/** What each station did until the last workflow ended. */
export function tierResults(stations: readonly Station[], endUs: number): TierResult[] {
  return stations.map((station) => {
    const p95Us = station.waits.quantile(0.95);
    const overTime = (area: number) => (endUs > 0 ? area / endUs : 0);
    return {
      provider: station.resource,
      tier_id: station.tierId,
      utilization: overTime(station.flightArea) / station.concurrency,
      queue_wait_p95_ms: p95Us === null ? null : p95Us / 1000,
      in_flight_avg: overTime(station.flightArea),
      calls: station.started,
      queue_wait_mean_ms: station.started > 0 ? station.waitSumUs / station.started / 1000 : null,
      queue_length_avg: overTime(station.queueArea),
      cost: (station.started * station.priceNanoUsd) / 1e9,
    };
  });
}
