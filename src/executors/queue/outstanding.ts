import type { Job } from "../../core/executor.ts";
import type { Attempt } from "../../core/run.ts";

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
