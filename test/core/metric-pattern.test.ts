import { describe, expect, test } from "vitest";
import { isPattern, parsePattern } from "../../src/core/run.ts";

describe("metric patterns", () => {
  test("a name with braces is a pattern, others are not", () => {
    expect(isPattern("build_us.{algorithm}.n{agents}")).toBe(true);
    expect(isPattern("build_us.quadtree.n100")).toBe(false);
    expect(isPattern("odd{")).toBe(false);
  });

  test("parts are read from names, numbers as numbers, and what a statistic adds apart", () => {
    const { parts, read } = parsePattern("build_us.{algorithm}.n{agents}");
    expect(parts).toEqual(["algorithm", "agents"]);
    expect(read("build_us.quadtree.n100")).toEqual({ values: ["quadtree", 100], statistic: "" });
    expect(read("build_us.spatial_hash.n100_min")).toEqual({
      values: ["spatial_hash", 100],
      statistic: "_min",
    });
    expect(read("build_us.quadtree.uniform")).toBeUndefined();
    expect(read("rebuild_us.quadtree.n100")).toBeUndefined();
  });

  test("listed words say where one part ends and the next begins", () => {
    const { read } = parsePattern("{profile=safe|very_safe}_{workload=mixed|read_heavy}_ops");
    expect(read("very_safe_read_heavy_ops")?.values).toEqual(["very_safe", "read_heavy"]);
    expect(read("very_read_heavy_ops")).toBeUndefined();
  });

  test.each([
    ["build_us.{algorithm}.n{agents}", "build_us"],
    ["{profile}_{workload}_ops_per_s", "ops_per_s"],
    ["{mode}_ms", "ms"],
    ["latency/{region}/p95", "latency"],
  ])("%s is called %s without its parts", (pattern, stem) => {
    expect(parsePattern(pattern).stem).toBe(stem);
  });
});
