import { expect, it } from "vitest";
import { Latencies, latencyInfos } from "../../../src/farm/database/latencies.ts";

it("latencies become a rate and percentiles by definition 7 of Hyndman and Fan", () => {
  const latencies = new Latencies();
  for (let us = 100; us >= 1; us--) latencies.add(us, 10);
  const metrics = latencies.metrics("read");
  expect(latencies.totalMs).toBeCloseTo(5.05, 12);
  expect(metrics.read_per_s).toBeCloseTo((1000 / 5050) * 1e6, 6);
  expect(metrics.read_p50_us).toBeCloseTo(50.5, 12);
  expect(metrics.read_p95_us).toBeCloseTo(95.05, 12);
  expect(metrics.read_p99_us).toBeCloseTo(99.01, 12);
  expect(Object.keys(latencyInfos("read", "Reads", "a read"))).toEqual(Object.keys(metrics));
});

it("latencies without a call are unknown, not 0", () => {
  expect(Object.values(new Latencies().metrics("read"))).toEqual([null, null, null, null]);
});
