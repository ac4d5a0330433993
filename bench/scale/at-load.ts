// Prints the processor time of messages and heartbeats while there are as many as a thread can take:
// `node at-load.js REDIS_URL RECORD`, once it is bundled. A process that has much to do wakes up less often for each
// thing, so these are the costs that decide how much is too much.
import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { readAddress } from "../../src/fleet/address.ts";
import type { FleetJob } from "../../src/fleet/broker/broker.ts";
import { redisBroker } from "../../src/fleet/broker/redis.ts";
import { open, seal } from "../../src/fleet/envelope.ts";
import { KEYS } from "../../src/fleet/protocol.ts";
import { Registry, type WorkerRecord } from "../../src/fleet/registry.ts";

const [url, text = "{}"] = process.argv.slice(2);
const address = readAddress(url);
const MESSAGES = 6000;
const IN_BULK = 100;
const CONNECTIONS = 100;
const BEATS = 40;
const KEY = "a key for measuring only";
const run = {
  id: "ms5__seed1__baseline__0123456789ab",
  params: { ms: 5 },
  variant: "baseline",
  flags: [],
  seed: 1,
};

const messages = await measure(MESSAGES, async () => {
  const broker = await redisBroker(address);
  const queue = broker.queue("load");
  let left = MESSAGES;
  await new Promise<void>((resolve) => {
    const take = async (job: FleetJob) => {
      open("chunk", job.data, KEY);
      if (--left === 0) setImmediate(resolve);
    };
    broker.consume("load", take, { concurrency: 1000, leaseMs: 30_000 });
    const add = async () => {
      for (let i = 0; i < MESSAGES; i += IN_BULK) {
        const jobs = Array.from({ length: IN_BULK }, () => {
          const body = { id: randomUUID(), setting: "0".repeat(64), jobs: [{ run, attempt: 1 }] };
          const opts = { jobId: randomUUID(), priority: 1001, removeOnComplete: true };
          return { name: "chunk", data: seal("chunk", body, { key: KEY, study: "load" }), opts };
        });
        await queue.addBulk(jobs);
      }
    };
    void add();
  });
  await broker.close();
});

const beats = await measure(CONNECTIONS * BEATS, async () => {
  const record = JSON.parse(text) as WorkerRecord;
  const brokers = await Promise.all(Array.from({ length: CONNECTIONS }, () => redisBroker(address)));
  await Promise.all(
    brokers.map(async ({ store }, i) => {
      const registry = new Registry(store);
      for (let beat = 0; beat < BEATS; beat++) {
        await registry.write({ ...record, id: `copy-${i}`, seenAtMs: await store.nowMs() });
        await registry.orderFor(`copy-${i}`, 0);
        await store.fields(KEYS.classes);
        await store.fields(KEYS.cancels("load"));
      }
      await registry.remove(`copy-${i}`);
    }),
  );
  for (const broker of brokers) await broker.close();
});
console.log(JSON.stringify({ messages, beats }));
process.exit(0);

/** Microseconds of Redis and of this process for each of so many things. */
async function measure(count: number, act: () => Promise<void>): Promise<{ redis: number; own: number }> {
  const { Redis } = createRequire(import.meta.url)("ioredis") as typeof import("ioredis");
  const client = new Redis(address.url);
  const redisUs = async () => {
    const info = await client.info("cpu");
    const [user, system] = ["user", "sys"].map((kind) =>
      Number(new RegExp(`used_cpu_${kind}:(.*)\\r`).exec(info)![1]),
    );
    return 1e6 * (user! + system!);
  };
  const before = await redisUs();
  const start = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(start);
  const redis = (await redisUs()) - before;
  client.disconnect();
  return { redis: redis / count, own: (user + system) / count };
}
