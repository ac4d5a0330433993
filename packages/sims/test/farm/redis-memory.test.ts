import { createServer } from "node:net";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { queueProblem, skipReason } from "../../../../test/support/queue-server.ts";
import { freePort, startRedis } from "../../../../test/support/redis.ts";
import { AgentMemory, checkMemory, liveThrough } from "../../src/farm/redis-memory/agent-memory.ts";
import { redisMemory } from "../../src/farm/redis-memory/index.ts";
import { runTarget, undeclared } from "./run-target.ts";

const SMALL = { num_agents: 3, memory_entries: 25, batch_size: 10 };

const problem = queueProblem("redis");

describe.skipIf(problem)(`redis_memory${skipReason(problem)}`, () => {
  let server: Awaited<ReturnType<typeof startRedis>>;
  let redis: Redis;
  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
  });
  afterAll(async () => {
    redis.disconnect();
    await server[Symbol.asyncDispose]();
  });

  it("stores, searches, trims and declares all that it measures", async () => {
    const params = { ...SMALL, memory_limit: 7, cleanup_interval: 10, url: server.url };
    const [first, second] = await runTarget(redisMemory, { params, iterations: 2 });
    expect(first).toMatchObject({ entries_stored: 75, entries_dropped: 75 - 3 * 7 });
    expect(undeclared(redisMemory, first!)).toEqual([]);
    expect(second!.found_per_search).toBe(first!.found_per_search);
    expect(first!.found_per_search).toBeGreaterThan(1);
  });

  it("leaves no key and touches no other, also when it is stopped halfway", async () => {
    await redis.set("not-mine", "1");
    const params = { ...SMALL, url: server.url };
    await runTarget(redisMemory, { params });
    expect(await redis.keys("*")).toEqual(["not-mine"]);
    let looks = 0;
    const throwIfAborted = () => {
      if (++looks > 1) throw new Error("stopped");
    };
    const signal = { throwIfAborted } as AbortSignal;
    await expect(runTarget(redisMemory, { params, signal })).rejects.toThrow("stopped");
    expect(await redis.keys("*")).toEqual(["not-mine"]);
    await redis.del("not-mine");
  });

  it("closes its connection", async () => {
    const clients = async () =>
      String(await redis.client("LIST"))
        .trim()
        .split("\n").length;
    const before = await clients();
    await runTarget(redisMemory, { params: { ...SMALL, url: server.url } });
    await expect.poll(clients).toBe(before);
  });

  describe("an agent's memory", () => {
    const options = { batchSize: 10, cleanupInterval: 10, limit: 100, radius: 3, ttl: 60 };

    it("finds by place what a look at every entry finds", async () => {
      const [life] = liveThrough(1, 60, 9);
      const memory = new AgentMemory(0, { redis, prefix: "test-search", ttl: 60, limit: 100 });
      await memory.store(life!);
      for (const { x, y } of life!) {
        const near = life!.filter((entry) => Math.hypot(entry.x - x, entry.y - y) <= 3);
        const found = await memory.search({ x, y, radius: 3 });
        expect(found.map(({ step }) => step).sort((a, b) => a - b)).toEqual(near.map(({ step }) => step));
      }
      expect(await memory.recall(3)).toEqual(life!.slice(-3).reverse());
      expect(await checkMemory(memory, life!, options)).toBeGreaterThan(0);
      await memory.forget();
    });

    it("is not accepted when an entry was lost, is wrong or never expires", async () => {
      const [life] = liveThrough(1, 20, 9);
      const memory = new AgentMemory(0, { redis, prefix: "test-check", ttl: 60, limit: 100 });
      await memory.store(life!);
      await redis.hdel(memory.keys.entries, "20");
      await expect(checkMemory(memory, life!, options)).rejects.toThrow("keeps 19, 20, 20 entries");
      await memory.store(life!.slice(-1));
      await redis.zadd(memory.keys.byX, 5000, "20");
      await expect(checkMemory(memory, life!, options)).rejects.toThrow("a search found");
      await memory.store(life!.slice(-1));
      await redis.persist(memory.keys.byX);
      await expect(checkMemory(memory, life!, options)).rejects.toThrow("expected at most 60");
      await memory.forget();
    });
  });
});

describe("redis_memory without a server", () => {
  it("says in one message how to get a server that is not there", async () => {
    const port = await freePort();
    await expect(
      runTarget(redisMemory, { params: { url: `redis://me:secret@127.0.0.1:${port}` } }),
    ).rejects.toThrow(
      new RegExp(
        `^no Redis at redis://127.0.0.1:${port} \\(.*ECONNREFUSED.*\\). Start one \\(apt-get install redis-server`,
      ),
    );
  });

  it("gives up on a server that accepts and never answers", async () => {
    const sockets: import("node:net").Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket));
    await new Promise<void>((ready) => silent.listen(0, "127.0.0.1", ready));
    const { port } = silent.address() as { port: number };
    const params = { url: `redis://127.0.0.1:${port}` };
    await expect(runTarget(redisMemory, { params })).rejects.toThrow(
      /^no Redis at .* \(no answer in 1500 ms\)/,
    );
    expect(sockets).toHaveLength(1);
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  it("rejects parameters that are out of range, misspelt or no address", () => {
    const wrong = (params: object) => redisMemory.params.safeParse(params).error?.issues[0]?.path[0];
    expect(wrong({ memory_limit: 0 })).toBe("memory_limit");
    expect(wrong({ ttl: 1.5 })).toBe("ttl");
    expect(wrong({ url: "localhost:6379" })).toBe("url");
    expect(redisMemory.params.safeParse({ radius: 1 }).success).toBe(false);
  });
});
