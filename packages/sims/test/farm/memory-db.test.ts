import { existsSync, readdirSync } from "node:fs";
import { checkParams } from "assay/plugin";
import { describe, expect, it } from "vitest";
import { TempFolder } from "../../../../test/support/temp-folder.ts";
import { loadSqlite, readValue } from "../../src/farm/database/database.ts";
import { memoryDb } from "../../src/farm/memory-db.ts";
import { runTarget, undeclared } from "./run-target.ts";

const SMALL = { num_agents: 20, num_steps: 15 };

describe("memory_db", () => {
  it("logs in all three ways, the same rows in each, and cleans up", async () => {
    using folder = new TempFolder();
    const [first, second] = await runTarget(memoryDb, { params: SMALL, outDir: folder.path, iterations: 2 });
    expect(undeclared(memoryDb, first!)).toEqual([]);
    const { disk_ms, memory_ms, persisted_ms, total_ms, speedup, memory_speedup } = first as Record<
      string,
      number
    >;
    expect(total_ms).toBeCloseTo(disk_ms! + memory_ms! + persisted_ms!, 9);
    expect(speedup).toBe(disk_ms! / persisted_ms!);
    expect(memory_speedup).toBe(disk_ms! / memory_ms!);
    expect(second!.rows).toBe(first!.rows);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it("tries only the ways that are asked for", async () => {
    const names = async (params: object) =>
      Object.keys((await runTarget(memoryDb, { params: { ...SMALL, ...params } }))[0]!).filter((name) =>
        /^(disk|memory|persisted)_ms|speedup/.test(name),
      );
    expect(await names({ mode: "persisted" })).toEqual(["persisted_ms"]);
    expect(await names({ mode: "disk", profile: "default" })).toEqual(["disk_ms"]);
    expect(await names({ parameters: { test_in_memory: false, test_persistence: false } })).toEqual([
      "disk_ms",
    ]);
    expect(await names({ parameters: { test_disk_based: false } })).toEqual(["memory_ms", "persisted_ms"]);
  });

  it.each(["disk", "persisted"])("keeps a whole %s database where asked", async (mode) => {
    using folder = new TempFolder();
    const params = { ...SMALL, mode, keep_database: true };
    const [metrics] = await runTarget(memoryDb, { params, outDir: folder.path, iterations: 2 });
    expect(readdirSync(folder.path)).toEqual(["simulation.db"]);
    const db = (await loadSqlite())(`${folder.path}/simulation.db`);
    expect(readValue(db, "SELECT count(*) FROM agent_states")).toBe(metrics!.agent_states);
    expect(readValue(db, "SELECT max(step) FROM steps")).toBe(15);
    expect(readValue(db, "PRAGMA integrity_check")).toBe("ok");
    db.close();
  });

  it.each(["disk", "memory", "persisted"])("fails where a %s log is not what was logged", async (mode) => {
    using folder = new TempFolder();
    const doubtful = {
      ...memoryDb,
      async setup(ctx: never) {
        const state = await memoryDb.setup!(ctx);
        state.expected.births!.hash = "0".repeat(64);
        return state;
      },
    };
    const run = (verify: boolean) =>
      runTarget(doubtful, { params: { ...SMALL, mode, verify }, outDir: folder.path });
    await expect(run(true)).rejects.toThrow("the log is not complete: births has");
    expect(readdirSync(folder.path)).toEqual([]);
    expect(await run(false)).toHaveLength(1);
  });

  it("writes to a folder with a quote in its name, and to none when there is none", async () => {
    using folder = new TempFolder({ "it's/a": "" });
    const params = { ...SMALL, mode: "persisted" };
    await runTarget(memoryDb, { params, outDir: `${folder.path}/it's` });
    expect(readdirSync(`${folder.path}/it's`)).toEqual(["a"]);
    expect(await runTarget(memoryDb, { params })).toHaveLength(1);
    expect(existsSync("simulation.db")).toBe(false);
  });

  it("ends early when it should, and still cleans up", async () => {
    using folder = new TempFolder();
    const params = { ...SMALL, num_steps: 1_000_000, mode: "disk", verify: false };
    const target = memoryDb;
    const hurried = {
      ...target,
      setup: (ctx: { params: typeof params }) =>
        target.setup!({ ...ctx, params: { ...ctx.params, num_steps: 1 } } as never),
    };
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(runTarget(hurried, { params, outDir: folder.path, signal })).rejects.toThrow("enough");
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it("says what is wrong with a parameter", () => {
    const check = (params: object) => () => checkParams(memoryDb, params as never);
    expect(check({ num_steps: 0 })).toThrow(
      "num_steps of target memory_db: expected a number of at least 1, got 0",
    );
    expect(check({ num_agents: "many" })).toThrow(/num_agents .* got "many"/);
    expect(check({ agents: 5 })).toThrow('no parameter "agents"');
    expect(check({ parameters: { test_disk: true } })).toThrow('no parameter "parameters.test_disk"');
    expect(check({ world: { width: -1 } })).toThrow("world.width");
    expect(
      check({ parameters: { test_in_memory: false, test_disk_based: false, test_persistence: false } }),
    ).toThrow("at least one way to log");
  });
});
