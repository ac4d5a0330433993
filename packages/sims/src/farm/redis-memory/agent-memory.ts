import type { ChainableCommander, Redis } from "ioredis";
import { Latencies } from "../database/latencies.ts";
import { step } from "../world/step.ts";
import { createWorld } from "../world/world.ts";

export interface Entry {
  step: number;
  x: number;
  y: number;
  energy: number;
  gathered: number;
}

interface MemoryOptions {
  redis: Redis;
  /** Begins every key. */
  prefix: string;
  /** Seconds after which a memory that nobody adds to is gone. */
  ttl: number;
  /** Entries that are kept, the newest ones. */
  limit: number;
}

/**
 * What one agent remembers, in three keys: a hash of the entries, a sorted set of their ids by step (to find the
 * newest and drop the oldest), and one by x (to search by place). Redis' own GEO commands measure on a globe, which
 * would bend a flat world; so a search takes the stripe of x from Redis and tests the distance here.
 */
export class AgentMemory {
  readonly keys: { entries: string; bySteps: string; byX: string };
  readonly #options: MemoryOptions;

  constructor(agent: number, options: MemoryOptions) {
    this.#options = options;
    const base = `${options.prefix}:${agent}`;
    this.keys = { entries: `${base}:entries`, bySteps: `${base}:steps`, byX: `${base}:x` };
  }

  /** Adds entries in one round trip. */
  async store(entries: Entry[]): Promise<void> {
    const { redis, ttl } = this.#options;
    const { entries: hash, bySteps, byX } = this.keys;
    const batch = redis.pipeline();
    for (const entry of entries) {
      batch.hset(hash, entry.step, JSON.stringify(entry));
      batch.zadd(bySteps, entry.step, entry.step);
      batch.zadd(byX, entry.x, entry.step);
    }
    for (const key of Object.values(this.keys)) batch.expire(key, ttl);
    await results(batch);
  }

  /** The newest entries, the newest first. */
  async recall(count: number): Promise<Entry[]> {
    return this.#read(await this.#options.redis.zrevrange(this.keys.bySteps, 0, count - 1));
  }

  /** All entries at most `radius` away from a place. */
  async search({ x, y, radius }: { x: number; y: number; radius: number }): Promise<Entry[]> {
    const stripe = await this.#options.redis.zrangebyscore(this.keys.byX, x - radius, x + radius);
    const near = await this.#read(stripe);
    return near.filter((entry) => (entry.x - x) ** 2 + (entry.y - y) ** 2 <= radius ** 2);
  }

  /** Drops the oldest entries beyond the limit, and tells how many. */
  async cleanUp(): Promise<number> {
    const { redis, limit } = this.#options;
    const { entries: hash, bySteps, byX } = this.keys;
    const old = await redis.zrange(bySteps, "0", String(-limit - 1));
    if (old.length === 0) return 0;
    await results(
      redis
        .pipeline()
        .zrem(bySteps, ...old)
        .zrem(byX, ...old)
        .hdel(hash, ...old),
    );
    return old.length;
  }

  /** How many entries each key holds, the seconds that each has left, and the bytes that all take. */
  async inspect(): Promise<{ sizes: number[]; ttls: number[]; bytes: number }> {
    const { entries: hash, bySteps, byX } = this.keys;
    const keys = Object.values(this.keys);
    const asked = this.#options.redis.pipeline().hlen(hash).zcard(bySteps).zcard(byX);
    for (const key of keys) asked.ttl(key);
    for (const key of keys) asked.memory("USAGE", key);
    const answers = (await results(asked)) as number[];
    const bytes = answers.slice(6).reduce((sum, value) => sum + value, 0);
    return { sizes: answers.slice(0, 3), ttls: answers.slice(3, 6), bytes };
  }

  async forget(): Promise<void> {
    await this.#options.redis.unlink(...Object.values(this.keys));
  }

  async #read(ids: string[]): Promise<Entry[]> {
    if (ids.length === 0) return [];
    const texts = await this.#options.redis.hmget(this.keys.entries, ...ids);
    return texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as Entry]));
  }
}

/** A pipeline's answers; it resolves even when a command failed. */
async function results(pipeline: ChainableCommander): Promise<unknown[]> {
  const answers = (await pipeline.exec()) ?? [];
  return answers.map(([error, answer]) => {
    if (error) throw error;
    return answer;
  });
}

export interface RememberOptions {
  batchSize: number;
  /** Entries after which the oldest ones are dropped. */
  cleanupInterval: number;
  limit: number;
  radius: number;
  ttl: number;
}

export class MemoryTimes {
  readonly store = new Latencies();
  readonly recall = new Latencies();
  readonly search = new Latencies();
  readonly cleanup = new Latencies();
  found = 0;
  searches = 0;
  dropped = 0;
}

/** One agent's life with its memory: after each batch it recalls the newest entries and searches around itself. */
export async function remember(
  memory: AgentMemory,
  life: Entry[],
  { times, options }: { times: MemoryTimes; options: RememberOptions },
): Promise<void> {
  const { batchSize, cleanupInterval, radius } = options;
  let sinceCleanup = 0;
  for (let from = 0; from < life.length; from += batchSize) {
    const batch = life.slice(from, from + batchSize);
    const { x, y } = batch.at(-1)!;
    await times.store.timeAsync(() => memory.store(batch), batch.length);
    await times.recall.timeAsync(() => memory.recall(batchSize));
    const found = await times.search.timeAsync(() => memory.search({ x, y, radius }));
    times.found += found.length;
    times.searches++;
    sinceCleanup += batch.length;
    if (sinceCleanup < cleanupInterval) continue;
    times.dropped += await times.cleanup.timeAsync(() => memory.cleanUp());
    sinceCleanup = 0;
  }
  times.dropped += await times.cleanup.timeAsync(() => memory.cleanUp());
}

/** Throws where the memory is not what it should be after such a life. Gives the bytes that it takes. */
export async function checkMemory(
  memory: AgentMemory,
  life: Entry[],
  options: RememberOptions,
): Promise<number> {
  const kept = life.slice(-options.limit);
  const { sizes, ttls, bytes } = await memory.inspect();
  if (sizes.some((size) => size !== kept.length))
    throw new Error(
      `Redis keeps ${sizes.join(", ")} entries of an agent, expected ${kept.length} in each key`,
    );
  if (ttls.some((ttl) => ttl < 0 || ttl > options.ttl))
    throw new Error(
      `Redis keeps an agent's entries for ${ttls.join(", ")} s, expected at most ${options.ttl}`,
    );
  const { x, y } = kept.at(-1)!;
  const near = kept.filter((entry) => (entry.x - x) ** 2 + (entry.y - y) ** 2 <= options.radius ** 2);
  const found = await memory.search({ x, y, radius: options.radius });
  if (steps(found) !== steps(near))
    throw new Error(`a search found ${found.length} entries, expected ${near.length}`);
  return bytes;
}

function steps(entries: Entry[]): string {
  return entries
    .map(({ step }) => step)
    .sort((a, b) => a - b)
    .join(" ");
}

/** What each agent lives through in so many steps of a world where nobody dies or is born. */
export function liveThrough(agents: number, steps: number, seed: number): Entry[][] {
  const forever = { metabolism: 0, move_cost: 0, max_age: 1_000_000_000 };
  const world = createWorld({ num_agents: agents, max_agents: agents, ...forever }, seed);
  const lives: Entry[][] = Array.from({ length: agents }, () => []);
  for (let i = 0; i < steps; i++) {
    step(world);
    for (let agent = 0; agent < agents; agent++) {
      lives[agent]!.push({
        step: world.time,
        x: world.x[agent]!,
        y: world.y[agent]!,
        energy: world.energy[agent]!,
        gathered: world.gathered[agent]!,
      });
    }
  }
  return lives;
}
