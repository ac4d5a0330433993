import { Redis } from "ioredis";
import { describe, expect, test } from "vitest";
import { readAddress } from "../../src/fleet/address.ts";
import { openBroker } from "../../src/fleet/broker/broker.ts";
import { persist } from "../../src/fleet/broker/persist.ts";
import { Registry, type WorkerRecord } from "../../src/fleet/registry.ts";
import { queueProblem, skipReason, startQueueServer } from "../support/queue-server.ts";

const KEY = "a key for this test only";

const redisProblem = queueProblem("redis");

test.skipIf(redisProblem).each([
  ["has no memory", "OOM", ["maxmemory", "1"], ["maxmemory", "0"]],
  [
    "can't save to its disk",
    "MISCONF",
    ["stop-writes-on-bgsave-error", "yes"],
    ["stop-writes-on-bgsave-error", "no"],
  ],
])(
  `what is stored while Redis %s waits until it can be${skipReason(redisProblem)}`,
  async (_, code, on, off) => {
    await using server = await startQueueServer("redis");
    const broker = await openBroker(readAddress(server.url), KEY);
    const admin = new Redis(server.url);
    if (code === "MISCONF") {
      // A folder that is not there: the next save fails.
      await admin.config("SET", "save", "3600 1");
      await admin.set("some", "change");
      await server.loseFolder();
      await admin.bgsave().catch(() => {});
      await waitForText(() => admin.info("persistence"), "rdb_last_bgsave_status:err");
    }
    await admin.config("SET", on[0]!, on[1]!);
    const stored = Promise.all([
      broker.store.set("value", "here"),
      broker.store.setFields("table", { a: "1" }),
      persist(() => broker.queue("jobs").add("results", {} as never, { jobId: "one" })),
    ]);
    await waitForText(() => admin.info("errorstats"), `errorstat_${code}`);
    await admin.config("SET", off[0]!, off[1]!);
    await stored;
    expect((await broker.store.get("value"))!.toString()).toBe("here");
    expect(await broker.store.fields("table")).toEqual({ a: "1" });
    admin.disconnect();
    await broker.close();
  },
);

async function waitForText(ask: () => Promise<string>, text: string): Promise<void> {
  while (!(await ask()).includes(text));
}

/** What holds on every kind of queue. */
describe.each(["redis", "postgres"] as const)("the store on %s", (kind) => {
  const problem = queueProblem(kind);
  test.skipIf(problem)(`keeps values and fields, and knows the time${skipReason(problem)}`, async () => {
    await using server = await startQueueServer(kind);
    const { store, close } = await openBroker(readAddress(server.url), KEY);
    const bytes = Buffer.from([0, 255, 10, 0]);
    await store.set("bytes", bytes);
    await store.set("text", "old", { lifeMs: 60_000 });
    await store.set("text", "new", { isNew: true });
    expect(await store.get("bytes")).toEqual(bytes);
    expect((await store.get("text"))!.toString()).toBe("old");
    expect(await store.get("absent")).toBeUndefined();
    await store.setFields("table", { a: "1", b: "2" });
    await store.setFields("table", { b: "3", "c d": "4" });
    await store.deleteFields("table", ["a", "absent"]);
    expect(await store.fields("table")).toEqual({ b: "3", "c d": "4" });
    await store.delete(["bytes", "table"]);
    expect(await store.get("bytes")).toBeUndefined();
    expect(await store.fields("table")).toEqual({});
    expect(Math.abs((await store.nowMs()) - Date.now())).toBeLessThan(60_000);
    await expect(openBroker(readAddress(server.url), `${KEY}!`)).rejects.toThrow(
      "is not the key of the fleet",
    );
    await close();
  });

  test.skipIf(problem)(`forgets a table after its life${skipReason(problem)}`, async () => {
    await using server = await startQueueServer(kind);
    const { store, close } = await openBroker(readAddress(server.url), KEY);
    await store.setFields("long", { a: "1" }, { lifeMs: 600_000 });
    await store.setFields("short", { a: "1" }, { lifeMs: 1 });
    await store.setFields("kept", { a: "1" });
    const start = await store.nowMs();
    while ((await store.nowMs()) < start + 5);
    expect(await Promise.all(["long", "short", "kept"].map((key) => store.fields(key)))).toEqual([
      { a: "1" },
      {},
      { a: "1" },
    ]);
    await close();
  });

  test.skipIf(problem)(`tells who lives, and the newest order for each${skipReason(problem)}`, async () => {
    await using server = await startQueueServer(kind);
    const { store, close } = await openBroker(readAddress(server.url), KEY);
    const registry = new Registry(store);
    const now = await store.nowMs();
    await registry.write({ id: "alive", seenAtMs: now } as WorkerRecord);
    await registry.write({ id: "silent", seenAtMs: now - 60_000 } as WorkerRecord);
    await registry.write({ id: "forgotten", seenAtMs: now - 48 * 3600_000 } as WorkerRecord);
    expect((await registry.list()).map(({ id, isAlive }) => [id, isAlive])).toEqual([
      ["alive", true],
      ["silent", false],
    ]);
    await registry.order("*", "drain");
    expect(await registry.orderFor("alive", now - 1000)).toBe("drain");
    expect(await registry.orderFor("newcomer", now + 60_000)).toBeUndefined();
    await registry.order("*", "pause");
    expect(await registry.orderFor("newcomer", now + 60_000)).toBe("pause");
    await registry.remove("alive");
    expect((await registry.list()).map(({ id }) => id)).toEqual(["silent"]);
    await close();
  });
});
