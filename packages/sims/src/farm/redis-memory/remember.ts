import { Latencies } from "../database/latencies.ts";
import type { AgentMemory, Entry } from "./agent-memory.ts";

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
