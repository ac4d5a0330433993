import { createRequire } from "node:module";
import type { Redis } from "ioredis";
import type { Address } from "../address.ts";
import { redisLease, redisPurse } from "../limits/redis-limits.ts";
import { KEYS } from "../protocol.ts";
import { atMost } from "./at-most.ts";
import type { Broker, FleetConsumer, FleetQueue } from "./broker.ts";
import { connectProblem } from "./connect-problem.ts";
import { startPatience } from "./patience.ts";
import { isAway, persist } from "./persist.ts";
import type { Store } from "./store.ts";

/** All keys begin with it, so that an ACL user can be bound to `~assay:*`. */
const PREFIX = "assay";
const LONGEST_PAUSE_MS = 2000;
const CLOSE_MS = 2000;
/** How long a server may be away at the start; later there is no end to the patience. */
const PATIENCE_MS = 6000;

/** BullMQ on Redis. One connection for all queues, one more for each that is waited on. */
export async function redisBroker(address: Address): Promise<Broker> {
  const require = createRequire(import.meta.url);
  const { Redis: Client } = require("ioredis") as typeof import("ioredis");
  const { Queue, Worker } = require("bullmq") as typeof import("bullmq");
  const client = new Client(address.url, {
    // A command waits for the server, however long it is away; what was sent and not answered is sent again.
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(times * 100, LONGEST_PAUSE_MS),
    maxLoadingRetryTime: 600_000,
    keepAlive: 10_000,
    connectTimeout: 5000,
  });
  await firstAnswer(client, address.label);
  const open: (FleetQueue | FleetConsumer)[] = [];
  const closed = new AbortController();
  return {
    label: address.label,
    store: redisStore(client, closed.signal),
    queue(name) {
      const queue: FleetQueue = new Queue(name, {
        connection: client,
        prefix: PREFIX,
        streams: { events: { maxLen: 100 } },
      });
      queue.on("error", () => {});
      open.push(queue);
      return queue;
    },
    consume(name, take, { concurrency, leaseMs }) {
      const consumer: FleetConsumer = new Worker(name, (job, token) => take(job, token!), {
        connection: client,
        prefix: PREFIX,
        concurrency,
        lockDuration: leaseMs,
        stalledInterval: leaseMs / 2,
        maxStalledCount: Number.MAX_SAFE_INTEGER,
        runRetryDelay: 500,
        drainDelay: 2,
      });
      consumer.on("error", () => {});
      const close = consumer.close.bind(consumer);
      // Of a server that is away nothing can be awaited: what was taken goes back when its lease ends.
      consumer.close = () => close(client.status !== "ready");
      open.push(consumer);
      return consumer;
    },
    async close() {
      await atMost(CLOSE_MS, Promise.allSettled(open.map((one) => one.close())));
      // Nothing is asked again of a connection that we end ourselves.
      closed.abort();
      client.disconnect();
    },
  };
}

/** Waits until the server lets us in. What asking again would not change is thrown at once. */
async function firstAnswer(client: Redis, label: string): Promise<void> {
  let last: unknown = `no answer in ${PATIENCE_MS / 1000} s`;
  let stop = () => {};
  try {
    await new Promise<void>((resolve, reject) => {
      stop = startPatience(PATIENCE_MS, () => reject(connectProblem(label, last)));
      client.once("ready", resolve);
      // Listened to for good: an error that nobody hears ends the program.
      client.on("error", (error) => {
        last = error;
        if (!isAway(error)) reject(connectProblem(label, error));
      });
    });
  } catch (error) {
    client.disconnect();
    throw error;
  } finally {
    stop();
  }
}

function redisStore(client: Redis, closed: AbortSignal): Store {
  const ask = <T>(action: () => Promise<T>) => persist(action, closed);
  const full = (key: string) => `${PREFIX}:fleet:${key}`;
  return {
    get: async (key) => (await ask(() => client.getBuffer(full(key)))) ?? undefined,
    async set(key, value, { lifeMs, isNew } = {}) {
      await ask<unknown>(() => {
        if (isNew) return client.setnx(full(key), value);
        if (lifeMs !== undefined) return client.set(full(key), value, "PX", lifeMs);
        return client.set(full(key), value);
      });
    },
    async delete(keys) {
      if (keys.length > 0) await ask(() => client.del(keys.map(full)));
    },
    fields: (key) => ask(() => client.hgetall(full(key))),
    async setFields(key, fields, { lifeMs } = {}) {
      await ask(async () => {
        await client.hset(full(key), fields);
        if (lifeMs !== undefined) await client.pexpire(full(key), lifeMs);
      });
    },
    async deleteFields(key, names) {
      if (names.length > 0) await ask(() => client.hdel(full(key), ...names));
    },
    lease: (request) => ask(() => redisLease(client, request, (label) => full(KEYS.limit(label)))),
    purse: (key, order) => ask(() => redisPurse(client, full(key), order)),
    async nowMs() {
      const [seconds, micros] = await ask(() => client.time());
      return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
    },
  };
}
