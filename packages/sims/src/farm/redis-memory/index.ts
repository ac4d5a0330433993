import { randomUUID } from "node:crypto";
import { defineTarget, MachineError } from "assay/plugin";
import type { Redis } from "ioredis";
import * as z from "zod";
import { latencyInfos } from "../database/latencies.ts";
import {
  AgentMemory,
  checkMemory,
  type Entry,
  liveThrough,
  MemoryTimes,
  type RememberOptions,
  remember,
} from "./agent-memory.ts";

const paramsSchema = z.strictObject({
  num_agents: z.int().min(1).max(100_000).default(10).describe("Agents with a memory of their own"),
  memory_entries: z.int().min(1).max(1_000_000).default(100).describe("Entries that each agent stores"),
  batch_size: z.int().min(1).max(10_000).default(10).describe("Entries that are stored in one round trip"),
  search_radius: z.number().min(0).max(10_000).default(5).describe("How far a search reaches, in cells"),
  memory_limit: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(1000)
    .describe("Entries of an agent that are kept at most"),
  ttl: z.int().min(1).max(31_536_000).default(3600).describe("Seconds after which a memory is gone"),
  cleanup_interval: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(100)
    .describe("Entries of an agent after which those beyond the limit are dropped"),
  url: z
    .string()
    .regex(/^rediss?:\/\//, "an address such as redis://127.0.0.1:6379")
    .nullable()
    .default(null)
    .describe("Where Redis is; null takes REDIS_URL, or redis://127.0.0.1:6379"),
});

interface State {
  redis: Redis;
  /** Begins every key of this run, so that nothing else in that Redis is touched. */
  prefix: string;
  lives: Entry[][];
  /** Memories that were begun and not yet forgotten. */
  open: Set<AgentMemory>;
}

/** Per-agent memory in Redis: storing in batches, recalling, searching by place, limits and expiry. */
export const redisMemory = defineTarget({
  name: "redis_memory",
  version: "1",
  description: "agents' memories in a real Redis: store, recall, search by place, limit, expire",
  params: paramsSchema,
  metrics: {
    total_ms: { unit: "ms", direction: "minimize", description: "All calls together" },
    ...latencyInfos("store", "Entries", "storing a batch"),
    ...latencyInfos("recall", "Recalls", "recalling the newest entries"),
    ...latencyInfos("search", "Searches", "a search by place"),
    ...latencyInfos("cleanup", "Clean-ups", "a clean-up"),
    found_per_search: {
      unit: "1",
      direction: "none",
      description: "Entries that a search found, on average",
    },
    entries_stored: { unit: "1", direction: "none", description: "Entries that were stored" },
    entries_dropped: { unit: "1", direction: "none", description: "Of which beyond the limit, and dropped" },
    bytes_per_entry: {
      unit: "B",
      direction: "minimize",
      description: "Memory that Redis takes for a kept entry",
    },
  },
  async setup({ params, seed }): Promise<State> {
    // First, so that nothing can go wrong while the connection is open: a setup that failed has no teardown.
    const lives = liveThrough(params.num_agents, params.memory_entries, seed);
    const redis = await connectRedis(params.url);
    return { redis, prefix: `assay:redis_memory:${randomUUID()}`, lives, open: new Set() };
  },
  async run({ params, iteration, signal }, { redis, prefix, lives, open }) {
    const options: RememberOptions = {
      batchSize: params.batch_size,
      cleanupInterval: params.cleanup_interval,
      limit: params.memory_limit,
      radius: params.search_radius,
      ttl: params.ttl,
    };
    const times = new MemoryTimes();
    const memories: AgentMemory[] = [];
    let bytes = 0;
    for (const [agent, life] of lives.entries()) {
      signal.throwIfAborted();
      const memory = new AgentMemory(agent, {
        redis,
        prefix: `${prefix}:${iteration}`,
        ttl: params.ttl,
        limit: params.memory_limit,
      });
      memories.push(memory);
      open.add(memory);
      await remember(memory, life, { times, options });
    }
    // All memories are there at once before the first is checked and forgotten.
    for (const [agent, memory] of memories.entries()) {
      bytes += await checkMemory(memory, lives[agent]!, options);
      await memory.forget();
      open.delete(memory);
    }
    const { store, recall, search, cleanup } = times;
    const stored = params.num_agents * params.memory_entries;
    return {
      total_ms: store.totalMs + recall.totalMs + search.totalMs + cleanup.totalMs,
      ...store.metrics("store"),
      ...recall.metrics("recall"),
      ...search.metrics("search"),
      ...cleanup.metrics("cleanup"),
      found_per_search: times.found / times.searches,
      entries_stored: stored,
      entries_dropped: times.dropped,
      bytes_per_entry: bytes / (stored - times.dropped),
    };
  },
  async teardown(_ctx, state) {
    if (!state) return;
    try {
      for (const memory of state.open) await memory.forget();
    } finally {
      state.redis.disconnect();
    }
  },
});

const DEFAULT_URL = "redis://127.0.0.1:6379";
const PATIENCE_MS = 1500;

/** A connection that is ready, or one message about how to get one: nothing is tried twice. */
async function connectRedis(url: string | null): Promise<Redis> {
  const address = url ?? process.env.REDIS_URL ?? DEFAULT_URL;
  const { Redis } = await import("ioredis");
  let reason = `no answer in ${PATIENCE_MS} ms`;
  let redis: Redis | undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    redis = new Redis(address, {
      lazyConnect: true,
      connectTimeout: PATIENCE_MS,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    });
    // Without a listener ioredis prints each of them.
    redis.on("error", (error: Error) => {
      reason = error.message;
    });
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(reason)), PATIENCE_MS);
    });
    await Promise.race([redis.connect().then(() => redis!.ping()), late]);
    return redis;
  } catch (error) {
    redis?.disconnect();
    // What `connect` rejects with only says that the connection is closed; the event before says why.
    const { message } = error as Error;
    const why = /closed/i.test(message) ? reason : message;
    throw new MachineError(
      `no Redis at ${withoutSecret(address)} (${why}). Start one (apt-get install redis-server, then redis-server), or name yours in REDIS_URL or the parameter url.`,
    );
  } finally {
    clearTimeout(timer);
  }
}

function withoutSecret(address: string): string {
  return address.replace(/\/\/[^@/]*@/, "//");
}
