import type { SimParams } from "../params/index.ts";
import { Station, type StationPlan } from "./station.ts";

/** The tiers, the cheapest of each provider first, then the local workers. Slots are numbered through. */
export function makeStations(params: SimParams): Station[] {
  const tiers = params.tiers.map(
    (tier): StationPlan => ({
      resource: tier.provider,
      tierId: tier.tier_id,
      concurrency: tier.concurrency,
      ratePerS: tier.rate_per_s,
      bucket: tier.bucket,
      priceUsd: tier.price_usd,
      failProb: tier.p_fail,
      timeoutMs: tier.timeout_ms,
      speed: tier.speed,
      isDearer: params.tiers.some((t) => t.provider === tier.provider && t.price_usd < tier.price_usd),
    }),
  );
  tiers.sort(
    (a, b) =>
      Number(a.resource > b.resource) - Number(a.resource < b.resource) ||
      a.priceUsd! - b.priceUsd! ||
      a.tierId - b.tierId,
  );
  const plans: StationPlan[] = [
    ...tiers,
    { resource: "cpu_workers", tierId: 0, concurrency: params.cpu_workers },
    { resource: "io_workers", tierId: 0, concurrency: params.io_workers },
  ];
  let firstSlot = 0;
  return plans.map((plan) => {
    const station = new Station(plan, firstSlot);
    firstSlot += plan.concurrency;
    return station;
  });
}
