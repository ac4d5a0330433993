import { readdirSync } from "node:fs";
import { checkParams } from "assay/plugin";
import { describe, expect, it } from "vitest";
import { TempFolder } from "../../../../test/support/temp-folder.ts";
import { loadSqlite, readValue } from "../../src/farm/database/database.ts";
import { createRecords, fillRecords, RecordMaker } from "../../src/farm/database/records.ts";
import { doWorkload, pragmaProfile, WORKLOADS } from "../../src/farm/pragma-profile.ts";
import { runTarget, undeclared } from "./run-target.ts";

const SMALL = { num_records: 200, db_size_mb: 0.2 };

describe("pragma_profile", () => {
  it("measures one profile under one workload with plain names", async () => {
    using folder = new TempFolder();
    const params = { ...SMALL, profiles: "performance", workloads: ["write_heavy"] };
    const [first, second] = await runTarget(pragmaProfile, { params, outDir: folder.path, iterations: 2 });
    expect(Object.keys(first!)).toEqual(expect.arrayContaining(["workload_ms", "ops_per_s", "read_p95_us"]));
    expect(undeclared(pragmaProfile, first!)).toEqual([]);
    expect(second!.end_bytes).toBe(first!.end_bytes);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it("gives each combination its own names where there are several", async () => {
    const params = { ...SMALL, profiles: ["safety", "memory"], workloads: ["mixed", "read_heavy"] };
    const [metrics] = await runTarget(pragmaProfile, { params });
    const rates = Object.keys(metrics!).filter((name) => name.endsWith("ops_per_s"));
    expect(rates).toEqual([
      "safety_mixed_ops_per_s",
      "safety_read_heavy_ops_per_s",
      "memory_mixed_ops_per_s",
      "memory_read_heavy_ops_per_s",
    ]);
    expect(undeclared(pragmaProfile, metrics!)).toEqual([]);
  });

  it("starts with a database of about the size that was asked for", async () => {
    const params = { num_records: 1, db_size_mb: 3, profiles: "default", workloads: "read_heavy" };
    const [metrics] = await runTarget(pragmaProfile, { params });
    expect(metrics!.end_bytes).toBeGreaterThan(2.7e6);
    expect(metrics!.end_bytes).toBeLessThan(3.6e6);
  });

  it("says what is wrong with a parameter", () => {
    const check = (params: object) => () => checkParams(pragmaProfile, params as never);
    expect(check({ profiles: "fastest" })).toThrow("expected one of safety, balanced");
    expect(check({ profiles: ["balanced", "fastest"] })).toThrow("or a list of them");
    expect(check({ workloads: [] })).toThrow("workloads");
    expect(check({ page_size: 1000 })).toThrow("page_size");
    expect(check({ db_size_mb: -1 })).toThrow("expected a number of at least 0, got -1");
  });
});

describe("a workload", () => {
  it.each(Object.entries(WORKLOADS))(
    "%s writes in %d of its operations, three in four of them new",
    async (workload, share) => {
      const db = (await loadSqlite())(":memory:");
      const maker = new RecordMaker(1, 20);
      createRecords(db);
      fillRecords(db, maker, { from: 0, to: 100 });
      const before = Number(readValue(db, "SELECT sum(energy) FROM records"));
      doWorkload(db, {
        workload: workload as keyof typeof WORKLOADS,
        operations: 4000,
        batchSize: 64,
        records: 100,
        maker,
        seed: 2,
      });
      const inserted = Number(readValue(db, "SELECT count(*) FROM records")) - 100;
      // Four standard deviations of a binomial count.
      const far = (p: number) => 4 * Math.sqrt(4000 * p * (1 - p));
      expect(Math.abs(inserted - 4000 * share * 0.75)).toBeLessThan(far(share * 0.75));
      const made = Array.from({ length: inserted }, (_, i) => maker.make(100 + i)[3] as number);
      const updates =
        Number(readValue(db, "SELECT sum(energy) FROM records")) - before - made.reduce((a, b) => a + b, 0);
      expect(Math.abs(updates - 4000 * share * 0.25)).toBeLessThan(far(share * 0.25));
      db.close();
    },
  );
});
