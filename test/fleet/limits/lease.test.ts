import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readAddress } from "../../../src/fleet/address.ts";
import { type Broker, openBroker } from "../../../src/fleet/broker/broker.ts";
import { Leases } from "../../../src/fleet/limits/leases.ts";
import type { Limit } from "../../../src/fleet/limits/limit.ts";
import { KEYS } from "../../../src/fleet/protocol.ts";
import { type QueueKind, queueProblem, skipReason, startQueueServer } from "../../support/queue-server.ts";

const KEY = "a key for the tests only";
const LONG_MS = 600_000;
/** A database is made first, which takes a busy machine longer than a hook is given by default. */
const START_MS = 120_000;

for (const kind of ["redis", "postgres"] as const) {
  const problem = queueProblem(kind);
  describe.skipIf(problem)(`places under limits on ${kind}${skipReason(problem)}`, () => {
    const ask = (broker: Broker, limits: Limit[], holder: string, lifeMs = LONG_MS) =>
      broker.store.lease({ limits, holder, lifeMs });

    let fleet: Awaited<ReturnType<typeof openFleet>>;
    beforeAll(async () => {
      fleet = await openFleet(kind);
    }, START_MS);
    afterAll(() => fleet?.[Symbol.asyncDispose](), START_MS);

    test("are as many as there may be, and the same holder has one only", async () => {
      const [one, other] = fleet.brokers as [Broker, Broker];
      const limits = [{ label: "api", concurrent: 2 }];
      expect((await ask(one, limits, "a/1")).isGranted).toBe(true);
      expect((await ask(one, limits, "a/1")).isGranted).toBe(true);
      expect((await ask(other, limits, "b/1")).isGranted).toBe(true);
      expect(await ask(other, limits, "b/2")).toEqual({ isGranted: false, waitMs: 0 });
      await one.store.deleteFields(KEYS.limit("api"), ["a/1"]);
      expect((await ask(other, limits, "b/2")).isGranted).toBe(true);
    });

    test("are all given, or none", async () => {
      const [one] = fleet.brokers as [Broker];
      const full = { label: "full", concurrent: 1 };
      const free = { label: "free", concurrent: 1, perMinute: 1 };
      expect((await ask(one, [full], "a/1")).isGranted).toBe(true);
      expect((await ask(one, [free, full], "a/2")).isGranted).toBe(false);
      expect((await ask(one, [free], "a/3")).isGranted).toBe(true);
    });

    test("run out where the holder is silent; one that goes on is counted again", async () => {
      const [one] = fleet.brokers as [Broker];
      const limits = [{ label: "silent", concurrent: 1 }];
      expect((await ask(one, limits, "dead/1", 1)).isGranted).toBe(true);
      await passed(one, 2);
      expect((await ask(one, limits, "a/1")).isGranted).toBe(true);
      expect(
        (await one.store.lease({ limits, holder: "dead/1", lifeMs: LONG_MS, isRenewal: true })).isGranted,
      ).toBe(true);
      await one.store.deleteFields(KEYS.limit("silent"), ["a/1"]);
      expect((await ask(one, limits, "a/2")).isGranted).toBe(false);
    });

    test("know a slow rate until its bucket is full again", async () => {
      const [one] = fleet.brokers as [Broker];
      const limits = [{ label: "slow", perMinute: 0.1 }];
      expect((await ask(one, limits, "a/1", 1000)).isGranted).toBe(true);
      const { isGranted, waitMs } = await ask(one, limits, "a/2", 1000);
      expect(isGranted).toBe(false);
      expect(waitMs).toBeGreaterThan(500_000);
      if (kind === "postgres") return;
      const redis = new Redis(fleet.url);
      expect(await redis.pttl("assay:fleet:limit/slow")).toBeGreaterThan(500_000);
      redis.disconnect();
    });

    test("begin no faster than the rate, and say when the next may", async () => {
      const [one, other] = fleet.brokers as [Broker, Broker];
      const limits = [{ label: "rated", perMinute: 2 }];
      expect((await ask(one, limits, "a/1")).isGranted).toBe(true);
      const { isGranted, waitMs } = await ask(other, limits, "b/1");
      expect(isGranted).toBe(false);
      expect(waitMs).toBeGreaterThan(1000);
      expect(waitMs).toBeLessThanOrEqual(30_000);
      // What is renewed begins nothing.
      expect((await ask(one, limits, "a/1")).isGranted).toBe(true);
    });

    test("are never too many, however many ask at once", async () => {
      const limits = [
        { label: "wide", concurrent: 5 },
        { label: "narrow", concurrent: 3 },
      ];
      let under = 0;
      let most = 0;
      let done = 0;
      const work = async (leases: Leases) => {
        while (done < 120) {
          const lease = await leases.take("s", limits);
          if (!("release" in lease)) continue;
          most = Math.max(most, ++under);
          await new Promise((resolve) => setImmediate(resolve));
          under--;
          done++;
          await lease.release();
        }
      };
      const all = fleet.brokers.map(
        ({ store }, i) => new Leases(store, { worker: `w${i}`, lifeMs: LONG_MS }),
      );
      await Promise.all(all.flatMap((leases) => [1, 2, 3, 4].map(() => work(leases))));
      for (const leases of all) leases.close();
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThanOrEqual(3);
      for (const { label } of limits)
        expect(await fleet.brokers[0]!.store.fields(KEYS.limit(label))).toEqual({});
    });
  });
}

/** Two who share a queue, each with connections of its own. */
async function openFleet(kind: QueueKind) {
  const server = await startQueueServer(kind);
  const address = readAddress(server.url);
  const brokers = [await openBroker(address, KEY), await openBroker(address, KEY)];
  return {
    url: server.url,
    brokers,
    async [Symbol.asyncDispose]() {
      for (const broker of brokers) await broker.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Waits by the clock that counts: the server's. */
async function passed({ store }: Broker, ms: number): Promise<void> {
  const start = await store.nowMs();
  while ((await store.nowMs()) - start < ms);
}
