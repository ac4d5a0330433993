import { checkParams } from "assay/plugin";
import { describe, expect, it } from "vitest";
import { observationFlow } from "../../../src/farm/perception/observation-flow.ts";
import { observationProfiler } from "../../../src/farm/perception/observation-profiler.ts";
import { perceptionMetrics } from "../../../src/farm/perception/perception-metrics.ts";
import { CHANNELS } from "../../../src/farm/perception/view.ts";
import { callTarget } from "../call-target.ts";

const small = { num_agents: 12, width: 20, height: 15, steps: 4, radius: 3 };

describe("observation_flow", () => {
  it("makes a view of every channel for each agent in each step", async () => {
    const { metrics } = await callTarget(observationFlow, small);
    expect(metrics[0]!.observations).toBe(12 * 4);
    expect(metrics[0]!.tensor_bytes).toBe(12 * CHANNELS.length * 7 * 7 * 4);
    expect(metrics[0]!.observations_per_s).toBeGreaterThan(0);
  });

  it("sees the same with the same seed, in every iteration and after any warm-up, and else with another", async () => {
    const seen = async (seed: number, warmup: number) => {
      const { metrics } = await callTarget(observationFlow, small, { seed, warmup, iterations: 2 });
      return metrics.map(({ view_mean }) => view_mean);
    };
    const [first, second] = await seen(1, 0);
    expect(second).toBe(first);
    expect(await seen(1, 2)).toEqual([first, first]);
    expect((await seen(2, 0))[0]).not.toBe(first);
  });

  it("sees less with a narrower field of view", async () => {
    const mean = async (fov_radius: number | null) =>
      (await callTarget(observationFlow, { ...small, fov_radius })).metrics[0]!.view_mean!;
    expect(await mean(1)).toBeLessThan(await mean(null));
    expect(await mean(3)).toBe(await mean(null));
  });

  const bad: [string, Record<string, unknown>, RegExp][] = [
    ["a device that there is not", { device: "cuda" }, /device.*cpu, the only device.*got "cuda"/],
    ["no agents", { num_agents: 0 }, /num_agents.*at least 1, got 0/],
    ["a misspelt name", { radios: 5 }, /no parameter "radios".*radius/],
    ["more than the memory holds", { num_agents: 100_000, radius: 100 }, /num_agents.*GB/],
  ];
  it.each(bad)("refuses %s", (_, params, message) => {
    expect(() => checkParams(observationFlow, params as never)).toThrow(message);
  });
});

describe("observation_profiler", () => {
  it("splits an observation into parts that add up", async () => {
    const { metrics } = await callTarget(observationProfiler, { ...small, radius: 5 });
    const one = metrics[0]! as Record<string, number>;
    const fill = CHANNELS.reduce((sum, channel) => sum + one[`fill_ms.${channel}`]!, 0);
    expect(one.fill_ms).toBeCloseTo(fill, 9);
    expect(one.step_ms).toBeCloseTo(one.gather_ms! + one.decay_ms! + one.clear_ms! + fill, 9);
    expect(one.fill_share).toBeCloseTo(fill / one.step_ms!, 9);
  });
});

describe("perception_metrics", () => {
  const few = { agent_counts: [5, 20], radii: [1, 4], width: 30, height: 30, steps: 3 };

  it("tells what each combination shows and costs", async () => {
    const one = (await callTarget(perceptionMetrics, few)).metrics[0]! as Record<string, number>;
    for (const agents of [5, 20]) {
      expect(one[`coverage.n${agents}.r4`]).toBeGreaterThan(one[`coverage.n${agents}.r1`]!);
      // A disc of radius 1 has five cells, and one of radius 4 has 49 (Gauss's circle).
      expect(one[`coverage.n${agents}.r1`]).toBeLessThanOrEqual((agents * 5) / 900);
      expect(one[`coverage.n${agents}.r4`]).toBeLessThanOrEqual((agents * 49) / 900);
    }
    expect(one["view_bytes.dense.r4"]).toBe(CHANNELS.length * 81 * 4);
    expect(one["view_bytes.hybrid.r4"]).toBeLessThan(one["view_bytes.dense.r4"]!);
    expect(one.entropy_bits).toBeGreaterThan(0);
    expect(one.entropy_bits).toBeLessThanOrEqual(4);
    expect(one.sampling_difference).toBeGreaterThan(0);
    for (const ending of ["", ".dense", ".hybrid", ".bilinear", ".nearest", ".n5", ".r4"])
      expect(one[`observe_us${ending}`]).toBeGreaterThan(0);
  });

  it("sees everything where windows are larger than the world, and nobody where there is one agent", async () => {
    const all = { agent_counts: [1], radii: [20], fov_radius: 30, width: 8, height: 6, steps: 2 };
    const one = (await callTarget(perceptionMetrics, all)).metrics[0]!;
    expect(one.coverage).toBe(1);
    expect(one.agents_in_sight).toBe(0);
    const crowd = (await callTarget(perceptionMetrics, { ...all, agent_counts: [9] })).metrics[0]!;
    expect(crowd.agents_in_sight).toBe(8);
  });

  it("leaves the difference of samplings out where there is one sampling", async () => {
    const one = (await callTarget(perceptionMetrics, { ...few, use_bilinear_list: [false] })).metrics[0]!;
    expect(one).not.toHaveProperty("sampling_difference");
    expect(one).not.toHaveProperty("observe_us.bilinear");
  });
});
