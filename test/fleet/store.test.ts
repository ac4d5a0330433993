import { describe, expect, test } from "vitest";
import { readAddress } from "../../src/fleet/address.ts";
import { openBroker } from "../../src/fleet/broker/broker.ts";
import { Registry, type WorkerRecord } from "../../src/fleet/registry.ts";
import { queueProblem, skipReason, startQueueServer } from "../support/queue-server.ts";

const KEY = "a key for this test only";

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
