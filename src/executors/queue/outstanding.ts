import type { Job } from "../../core/executor.ts";
import type { Attempt } from "../../core/run.ts";
import type { FleetQueue } from "../../fleet/broker/broker.ts";

/** A run that is somewhere between here and a worker. */
export interface Outstanding {
  job: Job;
  /** Undefined until it is queued. */
  chunk: string | undefined;
  /** How often a chunk with it was set aside by workers. */
  refusals: number;
  resolve(attempt: Attempt): void;
  reject(error: unknown): void;
}

/** All runs that are under way, and in which chunks. */
export class OutstandingRuns {
  readonly #runs = new Map<string, Outstanding>();
  /** `sinceMs` is when the queue had it; undefined while it is on its way there. */
  readonly #chunks = new Map<string, { runs: Set<string>; sinceMs: number | undefined }>();

  get size(): number {
    return this.#runs.size;
  }

  get(runId: string): Outstanding | undefined {
    return this.#runs.get(runId);
  }

  add(one: Outstanding): void {
    this.#runs.set(one.job.run.id, one);
    if (one.chunk === undefined) return;
    this.assign(one.chunk, [one]);
    this.noteQueued([one.chunk]);
  }

  assign(chunk: string, runs: readonly Outstanding[]): void {
    const known = this.#chunks.get(chunk) ?? { runs: new Set<string>(), sinceMs: undefined };
    for (const one of runs) {
      one.chunk = chunk;
      known.runs.add(one.job.run.id);
    }
    this.#chunks.set(chunk, known);
  }

  /** The queue has these chunks now: only from here on can they be missed there. */
  noteQueued(chunks: readonly string[]): void {
    for (const id of chunks) {
      const chunk = this.#chunks.get(id);
      if (chunk) chunk.sinceMs = performance.now();
    }
  }

  /** Takes a run out; says which chunk has nothing outstanding any more. */
  remove(runId: string): { emptied?: string } {
    const one = this.#runs.get(runId);
    this.#runs.delete(runId);
    if (one?.chunk === undefined) return {};
    const chunk = this.#chunks.get(one.chunk);
    chunk?.runs.delete(runId);
    if (!chunk || chunk.runs.size > 0) return {};
    this.#chunks.delete(one.chunk);
    return { emptied: one.chunk };
  }

  runsOf(chunk: string): Outstanding[] {
    return [...(this.#chunks.get(chunk)?.runs ?? [])].flatMap((id) => this.#runs.get(id) ?? []);
  }

  /** Frees the runs of a chunk to be queued again. */
  dissolve(chunk: string): Outstanding[] {
    const runs = this.runsOf(chunk);
    this.#chunks.delete(chunk);
    for (const one of runs) one.chunk = undefined;
    return runs;
  }

  /** Chunks that the queue has had for at least so long, oldest first. */
  olderThan(ageMs: number): string[] {
    const latestMs = performance.now() - ageMs;
    return [...this.#chunks]
      .filter(([, { sinceMs }]) => sinceMs !== undefined && sinceMs <= latestMs)
      .map(([id]) => id);
  }

  get chunks(): string[] {
    return [...this.#chunks.keys()];
  }

  all(): Outstanding[] {
    return [...this.#runs.values()];
  }
}

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
