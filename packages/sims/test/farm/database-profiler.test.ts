import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { TempFolder } from "../../../../test/support/temp-folder.ts";
import { databaseProfiler, OPERATIONS } from "../../src/farm/database-profiler.ts";
import { runTarget, undeclared } from "./run-target.ts";

const SMALL = { num_records: 300, calls: 25, batch_size: 10 };

describe("database_profiler", () => {
  it("measures every operation with and without indices, and declares all of it", async () => {
    using folder = new TempFolder();
    const [metrics] = await runTarget(databaseProfiler, { params: SMALL, outDir: folder.path });
    const names = OPERATIONS.flatMap((name) => [`with_${name}_p99_us`, `without_${name}_p99_us`]);
    expect(Object.keys(metrics!)).toEqual(expect.arrayContaining(names));
    expect(Object.values(metrics!).every((value) => Number(value) > 0)).toBe(true);
    expect(undeclared(databaseProfiler, metrics!)).toEqual([]);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it("gives plain names for one kind, so that arms can be compared", async () => {
    for (const indices of ["with", "without"]) {
      const [metrics] = await runTarget(databaseProfiler, { params: { ...SMALL, indices, in_memory: true } });
      expect(Object.keys(metrics!)).toEqual(expect.arrayContaining(["insert_per_s", "aggregate_p50_us"]));
      expect(undeclared(databaseProfiler, metrics!)).toEqual([]);
    }
  });

  it("takes batches that are larger than all there is", async () => {
    const params = { ...SMALL, batch_size: 1000, indices: "with" };
    expect(await runTarget(databaseProfiler, { params })).toHaveLength(1);
  });
});
