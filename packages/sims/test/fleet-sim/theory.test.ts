import { RandomStream } from "assay/plugin";
import { describe, expect, it } from "vitest";
import { FleetSimulation } from "../../src/fleet-sim/fleet.ts";
import type { FleetParams } from "../../src/fleet-sim/index.ts";
import { simulateFleet } from "../../src/fleet-sim/simulate.ts";
import { Server } from "../../src/fleet-sim/world.ts";
import { aFleet } from "./a-fleet.ts";

const RUNS = 16;
/** Student's t with 15 degrees of freedom, 99.9 %. */
const T = 4.073;

function interval(values: number[]): { mean: number; halfWidth: number } {
  const mean = values.reduce((a, b) => a + b) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return { mean, halfWidth: T * Math.sqrt(variance / values.length) };
}

function expectMean(values: number[], theory: number): void {
  const { mean, halfWidth } = interval(values);
  expect(halfWidth / theory, "the interval is narrow enough to say something").toBeLessThan(0.15);
  expect(Math.abs(mean - theory), `${mean} against ${theory}`).toBeLessThan(halfWidth);
}

/** The mean wait of customers who come as Poisson does to a server that takes 1 s for each, in the mean. */
function meanWait(load: number, stretch: (draw: () => number) => number, seed: number): number {
  const draw = new RandomStream(seed, "service").sequence();
  const gap = new RandomStream(seed, "arrivals").sequence();
  const server = new Server(() => stretch(draw));
  let nextUs = 0;
  let endUs: number | undefined;
  for (let customer = 0; customer < 20_000; ) {
    if (endUs !== undefined && endUs <= nextUs) endUs = server.end(endUs).nextEndUs;
    else {
      endUs = server.join({ kind: 0, about: 0, costUs: 1e6 }, nextUs) ?? endUs;
      nextUs += (-Math.log(gap()) / load) * 1e6;
      customer++;
    }
  }
  return server.waitSumUs / 1e6 / (server.done + 1);
}

/**
 * Runs a second of a closed network by mean value analysis (Reiser and Lavenberg 1980): exact for exponential service
 * in order of arrival, with `demandS` at one station and `thinkS` elsewhere in each round.
 */
function meanValueAnalysis(customers: number, thinkS: number, demandS: number): number {
  let length = 0;
  let rate = 0;
  for (let n = 1; n <= customers; n++) {
    const stayS = demandS * (1 + length);
    rate = n / (thinkS + stayS);
    length = rate * stayS;
  }
  return rate;
}

async function ratesOf(params: FleetParams): Promise<number[]> {
  const rates: number[] = [];
  for (let seed = 1; seed <= RUNS; seed++) rates.push((await simulateFleet(params, seed)).runs_per_s!);
  return rates;
}

describe("a server alone agrees with theory", () => {
  const seeds = Array.from({ length: RUNS }, (_, i) => i + 1);

  it("M/M/1: load / (1 - load)", () => {
    const waits = seeds.map((seed) => meanWait(0.6, (draw) => -Math.log(draw()), seed));
    expectMean(waits, 0.6 / 0.4);
  });

  it("M/D/1: half of it", () => {
    const waits = seeds.map((seed) => meanWait(0.6, () => 1, seed));
    expectMean(waits, 0.6 / 0.4 / 2);
  });
});

describe("a fleet in which each worker has one run on its way agrees with mean value analysis", () => {
  // Long runs: a worker that finds them short fetches ahead, which is no part of the theory.
  const rounds = {
    run_ms: 400_000,
    run_dist: "exponential",
    service: "exponential",
    ahead: 1,
    runs: 5000,
  } as const;

  it.each([20, 60, 100])("%i workers at a coordinator that takes 6 s a run: knee at 68", async (workers) => {
    const rates = await ratesOf(aFleet({ ...rounds, workers, coordinator_run_us: 6e6 }));
    expectMean(rates, meanValueAnalysis(workers, 400, 6));
  });

  it.each([20, 60, 100])("%i workers at a Redis that takes 6 s a run", async (workers) => {
    const rates = await ratesOf(aFleet({ ...rounds, workers, redis_run_us: 6e6 }));
    expectMean(rates, meanValueAnalysis(workers, 400, 6));
  });
});

describe("laws that hold in every run, exactly", () => {
  const params = aFleet({
    workers: 50,
    jobs: 2,
    run_ms: 5,
    chunk_ms: 60,
    flush_ms: 4,
    network_ms: 0.2,
    coordinator_message_us: 100,
    coordinator_run_us: 10,
    redis_message_us: 60,
    redis_run_us: 3,
    mtbf_h: 0.002,
    restart_s: 1,
    lease_s: 2,
  });
  const total = 20_000;
  const fleet = new FleetSimulation(params, { seed: 1, total });
  fleet.advance({ recorded: total });

  it("Little's law at both servers, while workers die", () => {
    expect(fleet.deaths).toBeGreaterThan(5);
    for (const server of fleet.world.servers) {
      while (server.present > 0) server.end(fleet.world.nowUs);
      expect(server.presentArea / server.staySumUs).toBeCloseTo(1, 9);
    }
  });

  it("the coordinator is busy for what its chunks, messages and runs cost, and no more", () => {
    const [coordinator] = fleet.world.servers;
    const sent = fleet.chunks + fleet.messages;
    const costUs = sent * 100 + ((fleet.published + fleet.redelivered + fleet.returned) * 10) / 2;
    expect(coordinator.busyUs).toBeLessThanOrEqual(costUs + 1);
    expect(coordinator.busyUs / costUs).toBeGreaterThan(0.98);
  });
});
