import { describe, expect, it } from "vitest";
import { FleetSimulation } from "../../src/fleet-sim/fleet.ts";
import { simulateFleet } from "../../src/fleet-sim/simulate.ts";
import { aFleet } from "./a-fleet.ts";

describe("a simulated fleet", () => {
  it("without costs is as fast as its workers", async () => {
    const metrics = await simulateFleet(aFleet({ workers: 7, jobs: 3, run_ms: 50 }), 1);
    expect(metrics.runs_per_s).toBeCloseTo((7 * 3) / 0.05, 0);
    expect(metrics.efficiency).toBeCloseTo(1, 3);
  });

  it("is never faster than the coordinator or Redis alone could be", async () => {
    const slow = await simulateFleet(
      aFleet({ workers: 100, run_ms: 10, runs: 20_000, coordinator_run_us: 200 }),
      1,
    );
    expect(slow.runs_per_s! / 5000).toBeCloseTo(1, 2);
    expect(slow.coordinator_utilization).toBeGreaterThan(0.99);
    const busy = await simulateFleet(
      aFleet({ workers: 100, run_ms: 10, runs: 20_000, redis_message_us: 100 }),
      1,
    );
    expect(busy.redis_utilization).toBeGreaterThan(0.99);
    expect(busy.runs_per_s! / 5000).toBeCloseTo(1, 1);
  });

  it("can't have more runs under way than the window has", async () => {
    const { runs_per_s } = await simulateFleet(aFleet({ workers: 400, run_ms: 1000, window: 100 }), 1);
    expect(runs_per_s).toBeCloseTo(100, 0);
  });

  it("has ever rarer heartbeats where they are more than Redis can take, and still records runs", async () => {
    const metrics = await simulateFleet(
      aFleet({ workers: 1000, run_ms: 60_000, beat_redis_us: 5000, redis_run_us: 1 }),
      1,
    );
    expect(metrics.redis_standing).toBeCloseTo(5, 1);
    expect(metrics.redis_utilization).toBeGreaterThan(0.99);
    expect(metrics.beat_s).toBeCloseTo(5, 0);
    expect(metrics.runs_per_s! / (1000 / 60)).toBeGreaterThan(0.6);
  });

  it("loses time to deaths, and no run", () => {
    const params = aFleet({
      workers: 40,
      run_ms: 200,
      lease_s: 4,
      restart_s: 2,
      mtbf_h: 0.005,
      network_ms: 1,
      flush_ms: 4,
    });
    const fleet = new FleetSimulation(params, { seed: 3, total: 10_000 });
    fleet.advance({ recorded: 10_000 });
    expect(fleet.recorded).toBe(10_000);
    expect(fleet.deaths).toBeGreaterThan(20);
    expect(fleet.redelivered).toBeGreaterThan(20);
    expect(fleet.wastedUs / fleet.threadUs).toBeGreaterThan(0.001);
    expect(fleet.wastedUs / fleet.threadUs).toBeLessThan(0.05);
  });

  it("sends short runs in chunks, and long ones alone", async () => {
    const costs = { coordinator_message_us: 300, coordinator_run_us: 30, worker_run_us: 40, network_ms: 0.2 };
    const rules = { ...costs, chunk_ms: 60, flush_ms: 4, workers: 2, jobs: 4 };
    const short = await simulateFleet(aFleet({ ...rules, run_ms: 0.001 }), 1);
    const long = await simulateFleet(aFleet({ ...rules, run_ms: 100 }), 1);
    expect(short.chunk_runs).toBeGreaterThan(10);
    expect(long.chunk_runs).toBe(1);
  });

  it("gives the same numbers for the same seed", async () => {
    const params = aFleet({
      workers: 30,
      run_ms: 20,
      run_dist: "exponential",
      mtbf_h: 0.01,
      service: "exponential",
      redis_message_us: 50,
    });
    const [first, again, other] = [
      await simulateFleet(params, 5),
      await simulateFleet(params, 5),
      await simulateFleet(params, 6),
    ];
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });
});
