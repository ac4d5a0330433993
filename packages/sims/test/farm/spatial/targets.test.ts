import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkParams } from "assay/plugin";
import { describe, expect, it, vi } from "vitest";
import { spatialComprehensive } from "../../../src/farm/spatial/comprehensive.ts";
import { spatialIndexProfiler } from "../../../src/farm/spatial/index-profiler.ts";
import { algorithms } from "../../../src/farm/spatial/indexes/index.ts";
import { UniformGrid } from "../../../src/farm/spatial/indexes/uniform-grid.ts";
import { spatialMemoryProfiler } from "../../../src/farm/spatial/memory-profiler.ts";
import { spatialPerformanceAnalyzer } from "../../../src/farm/spatial/performance-analyzer.ts";
import { callTarget } from "../call-target.ts";

const small = { agent_counts: [20, 60], world_sizes: [30], query_radii: [0, 5, 100], steps: 3, queries: 4 };

describe("spatial_comprehensive", () => {
  it("measures every index, by number of agents and by radius", async () => {
    const { metrics } = await callTarget(spatialComprehensive, { ...small, algorithms });
    const one = metrics[0]! as Record<string, number>;
    for (const index of algorithms) {
      for (const task of ["build_ms", "update_ms", "range_us", "nearest_us", "step_ms"]) {
        const [few, many] = [one[`${task}.${index}.n20`]!, one[`${task}.${index}.n60`]!];
        expect(few).toBeGreaterThan(0);
        expect(one[`${task}.${index}`]).toBeCloseTo((few + many) / 2, 12);
      }
      expect(one[`range_us.${index}.r5`]).toBeGreaterThan(0);
      const logs = ["n20", "n60"].map((world) => {
        const best = Math.min(...algorithms.map((other) => one[`step_ms.${other}.${world}`]!));
        return Math.log(one[`step_ms.${index}.${world}`]! / best);
      });
      expect(one[`slowdown.${index}`]).toBeCloseTo(Math.exp((logs[0]! + logs[1]!) / 2), 10);
    }
    const mean = algorithms.reduce((sum, index) => sum + one[`update_ms.${index}`]!, 0) / algorithms.length;
    expect(one.update_ms).toBeCloseTo(mean, 12);
  });

  it("finds everybody in a circle around the world, and oneself in one of radius 0", async () => {
    const one = (await callTarget(spatialComprehensive, small)).metrics[0]!;
    expect(one["found.r100"]).toBe(40);
    expect(one["found.r0"]).toBe(1);
  });

  it("takes one index as an axis, with the same names of metrics whichever it is", async () => {
    const names = async (algorithm: string) =>
      Object.keys((await callTarget(spatialComprehensive, { ...small, algorithm })).metrics[0]!).filter(
        (name) => !name.includes("."),
      );
    expect(await names("rbush")).toEqual(await names("kd_tree"));
    expect(await names("rbush")).toEqual([
      "build_ms",
      "update_ms",
      "range_us",
      "nearest_us",
      "step_ms",
      "found",
    ]);
  });

  it("leaves a table of all combinations, warm-up left out", async () => {
    const outDir = mkdtempSync(join(tmpdir(), "assay-spatial-"));
    try {
      await callTarget(spatialComprehensive, small, { outDir, warmup: 1, iterations: 2 });
      const [header, ...lines] = readFileSync(join(outDir, "combinations.csv"), "utf8").trim().split("\n");
      const names = header!.split(",");
      const rows = lines.map((line) =>
        Object.fromEntries(line.split(",").map((cell, i) => [names[i]!, cell])),
      );
      expect(rows).toHaveLength(2 * 3 * 2 * 3);
      expect(new Set(rows.map(({ iteration }) => iteration))).toEqual(new Set(["0", "1"]));
      for (const { radius, agents, found } of rows) if (radius === "100") expect(found).toBe(agents);
    } finally {
      rmSync(outDir, { recursive: true, force: true });
    }
  });

  it("ends when an index answers wrongly", async () => {
    const lying = vi.spyOn(UniformGrid.prototype, "range").mockReturnValue(7);
    try {
      await expect(callTarget(spatialComprehensive, small)).rejects.toThrow(
        /spatial_hash and quadtree found different agents among 20 in a world of 30/,
      );
    } finally {
      lying.mockRestore();
    }
  });

  const bad: [string, Record<string, unknown>, RegExp][] = [
    ["an index that there is not", { algorithms: ["octree"] }, /algorithms.*"quadtree".*got "octree"/],
    ["no index at all", { algorithms: [] }, /algorithms.*at least 1 item/],
    ["a number for a list", { agent_counts: 100 }, /agent_counts.*a list, got 100/],
    ["no agents", { agent_counts: [10, 0] }, /agent_counts.*at least 1, got 0/],
    ["a misspelt name", { query_radius: [5] }, /no parameter "query_radius".*query_radii/],
  ];
  it.each(bad)("refuses %s", (_, params, message) => {
    expect(() => checkParams(spatialComprehensive, params as never)).toThrow(message);
  });
});

describe("spatial_index_profiler", () => {
  it("tells the median and the slow ones of each operation", async () => {
    const params = { agent_counts: [30], steps: 8, query_types: ["range", "intersection"] };
    const one = (await callTarget(spatialIndexProfiler, params)).metrics[0]! as Record<string, number>;
    for (const operation of ["build", "update", "range", "intersection"]) {
      expect(one[`${operation}_us.quadtree.n30`]).toBeGreaterThan(0);
      expect(one[`${operation}_p99_us.quadtree.n30`]).toBeGreaterThanOrEqual(
        one[`${operation}_us.quadtree.n30`]!,
      );
    }
    expect(one).not.toHaveProperty("nearest_us");
    expect(one.clock_us).toBeGreaterThan(0);
  });
});

describe("spatial_memory_profiler", () => {
  it("measures what the indexes say that they hold", async () => {
    const params = { algorithms, agent_counts: [2000], world_sizes: [100], steps: 2 };
    const { metrics, warnings } = await callTarget(spatialMemoryProfiler, params);
    const one = metrics[0]! as Record<string, number>;
    expect(warnings).toEqual([]);
    // Other work in this process shifts the heap, so the bounds are wide; an index that lies by half is found out.
    for (const index of algorithms) {
      expect(one[`held_bytes.${index}`]! / one[`estimated_bytes.${index}`]!).toBeGreaterThan(0.6);
      expect(one[`held_bytes.${index}`]! / one[`estimated_bytes.${index}`]!).toBeLessThan(1.6);
    }
    // Two doubles an agent, and a list of objects has a pointer and a header besides.
    expect(one["bytes_per_agent.numpy_array"]).toBeGreaterThan(15);
    expect(one["bytes_per_agent.numpy_array"]).toBeLessThan(25);
    expect(one["bytes_per_agent.list"]).toBeGreaterThan(one["bytes_per_agent.numpy_array"]!);
    expect(one["bytes_per_agent.dict"]).toBeGreaterThan(one["bytes_per_agent.list"]!);
    for (const index of algorithms) expect(one[`gc_count.${index}`]).toBeGreaterThanOrEqual(0);
  });

  it("measures only what is asked for", async () => {
    const quiet = {
      agent_counts: [50],
      steps: 1,
      track_memory_usage: false,
      track_garbage_collection: false,
    };
    const one = (await callTarget(spatialMemoryProfiler, quiet)).metrics[0]!;
    expect(Object.keys(one).every((name) => name.startsWith("estimated_bytes"))).toBe(true);
  });
});

describe("spatial_performance_analyzer", () => {
  const params = { agent_counts: [20, 40, 80], world_sizes: [50], query_radii: [5], steps: 8 };

  it("fits each task of each index, and tells patterns apart", async () => {
    const one = (
      await callTarget(spatialPerformanceAnalyzer, { ...params, algorithms: ["kd_tree", "brute"] })
    ).metrics[0]! as Record<string, number>;
    for (const index of ["kd_tree", "brute"]) {
      for (const task of ["build", "update", "range", "nearest"]) {
        expect(Number.isFinite(one[`${task}_exponent.${index}`])).toBe(true);
        expect(one[`${task}_exponent.${index}.se`]).toBeGreaterThanOrEqual(0);
        expect(one[`${task}_us.${index}.n80`]).toBeGreaterThan(0);
      }
      for (const pattern of ["uniform", "clustered", "linear", "random"])
        expect(one[`range_us.${index}.${pattern}`]).toBeGreaterThan(0);
    }
    expect(one["bytes_per_agent.brute"]).toBe(16);
  });

  it("says that it does not know an exponent from one number of agents", async () => {
    const one = (await callTarget(spatialPerformanceAnalyzer, { ...params, agent_counts: [20] })).metrics[0]!;
    expect(one["range_exponent.kd_tree"]).toBeNull();
    expect(one["range_exponent.kd_tree.se"]).toBeNull();
    expect(one["step_growth.kd_tree"]).toBe(1);
  });

  it("leaves out the analyses that are not asked for", async () => {
    const none = { analyze_complexity: false, analyze_scalability: false, analyze_memory_efficiency: false };
    const one = (await callTarget(spatialPerformanceAnalyzer, { ...params, ...none })).metrics[0]!;
    expect(Object.keys(one).filter((name) => !/^(build|update|range|nearest)_us\./.test(name))).toEqual([]);
  });
});
