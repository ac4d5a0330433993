import type { ChainableCommander, Redis } from "ioredis";

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
