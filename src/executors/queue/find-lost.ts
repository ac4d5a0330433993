import type { FleetQueue } from "../../fleet/broker/broker.ts";
import type { OutstandingRuns } from "./outstanding.ts";

const YOUNG_MS = 4000;
const AT_A_TIME = 100;

interface Lost {
  chunk: string;
  /** Why workers set it aside; undefined where the queue does not know it. */
  refusal: string | undefined;
}

/** No worker puts a chunk off for so long: one that is has a time that no clock here comes to. */
const LONGEST_DELAY_MS = 60_000;

/** Chunks that are put off, with since when; by this machine's own monotonic clock. */
export class PutOff {
  readonly #since = new Map<string, number>();

  /** Takes account of those that are put off now; gives those that have been for too long. */
  look(chunks: readonly string[], nowMs = performance.now()): string[] {
    for (const chunk of this.#since.keys()) if (!chunks.includes(chunk)) this.#since.delete(chunk);
    for (const chunk of chunks) if (!this.#since.has(chunk)) this.#since.set(chunk, nowMs);
    const late = chunks.filter((chunk) => nowMs - this.#since.get(chunk)! > LONGEST_DELAY_MS);
    for (const chunk of late) this.#since.delete(chunk);
    return late;
  }
}

interface Places {
  chunks: FleetQueue;
  results: FleetQueue;
  outstanding: OutstandingRuns;
  putOff: PutOff;
  /** Whether results are being worked on right now. */
  isBusy(): boolean;
}

/**
 * Chunks of ours that the queue no longer has, though no result of theirs came: a server without persistence was
 * restarted, or workers set them aside. A worker sends results before it ends a chunk, so one that is gone while no
 * result waits is lost.
 */
export async function findLost({ chunks, results, outstanding, putOff, isBusy }: Places): Promise<Lost[]> {
  const suspects: Lost[] = [];
  const delayed: string[] = [];
  const old = outstanding.olderThan(YOUNG_MS);
  for (let i = 0; i < old.length; i += AT_A_TIME) {
    await Promise.all(
      old.slice(i, i + AT_A_TIME).map(async (chunk) => {
        const state = await chunks.getJobState(chunk);
        if (state === "unknown") suspects.push({ chunk, refusal: undefined });
        if (state === "delayed") delayed.push(chunk);
        if (state === "failed") {
          const job = await chunks.getJob(chunk);
          suspects.push({ chunk, refusal: job?.failedReason ?? "no reason" });
        }
      }),
    );
  }
  // Workers have it back at once; one that has begun meanwhile is none of these any more.
  for (const chunk of putOff.look(delayed))
    await chunks.getJob(chunk).then((job) => job?.promote().catch(() => {}));
  if (suspects.length === 0) return [];
  const { wait = 0, prioritized = 0 } = await results.getJobCounts("wait", "prioritized");
  if (wait + prioritized > 0 || isBusy()) return [];
  return suspects.filter(({ chunk }) => outstanding.runsOf(chunk).length > 0);
}
