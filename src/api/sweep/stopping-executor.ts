import { readSeries } from "../../archive/read-series.ts";
import { UserError } from "../../core/errors.ts";
import type { Attempt } from "../../core/run.ts";
import type { Search } from "../../core/space.ts";
import type { Ledger } from "../../engine/sweep/ledger.ts";
import type { PointBook } from "../../engine/sweep/point-book.ts";
import type { Executor, Job } from "../../executors/executor.ts";
import type { RunSeries, Verdict } from "../../stoppers/stopper.ts";

const LOOK_MS = 200;

export interface Track {
  studyDir: string;
  ledger: Ledger;
  book: PointBook;
  search: Search;
  judge(race: { run: RunSeries; others: RunSeries[]; goal: "minimize" | "maximize" }): Verdict;
}

/** Ends runs that will not be among the best: it reads their series while they run, and those of all others. */
export class StoppingExecutor implements Executor {
  readonly #inner: Executor;
  readonly #track: Track;
  readonly #metric: string;
  readonly #running = new Map<string, number>();
  readonly #stopped = new Map<string, string>();
  /** Series of runs that have ended: they don't change. */
  readonly #ended = new Map<string, RunSeries>();
  readonly #timer: NodeJS.Timeout;

  constructor(inner: Executor, track: Track) {
    const [objective] = track.search.objectives;
    if (!objective)
      throw new UserError("early stopping needs a metric", { remedy: "Name it: analysis: {metric}." });
    this.#inner = inner;
    this.#track = track;
    this.#metric = objective.metric;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  get name(): string {
    return this.#inner.name;
  }

  get capacity(): number {
    return this.#inner.capacity;
  }

  get lateCostUsd(): number {
    return this.#inner.lateCostUsd ?? 0;
  }

  async execute(job: Job, signal: AbortSignal): Promise<Attempt> {
    const { id } = job.run;
    this.#running.set(id, 0);
    const startedAtMs = Date.now();
    const start = performance.now();
    try {
      const attempt = await this.#inner.execute(job, signal);
      if (attempt.outcome.status !== "stopped") return attempt;
      const last = this.#seriesOf(id, "stopped").values.at(-1)!;
      const metrics = { ...attempt.metrics, [this.#metric]: Number.isFinite(last) ? last : null };
      return { ...attempt, metrics, startedAtMs, wallMs: performance.now() - start };
    } finally {
      this.#running.delete(id);
      this.#stopped.delete(id);
    }
  }

  cancel(...words: Parameters<NonNullable<Executor["cancel"]>>): void {
    this.#inner.cancel?.(...words);
  }

  listen(onNotice: (text: string) => void): void {
    if (this.name === "queue")
      onNotice(
        `${this.#track.search.earlyStop!.kind} ends no run early here: it goes by the steps of runs under way, which a queue brings back when they have ended`,
      );
    this.#inner.listen?.(onNotice);
  }

  drain(): void {
    this.#inner.drain();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#inner.close();
  }

  #look(): void {
    const goal = this.#track.search.objectives[0]!.goal;
    for (const [id, seen] of this.#running) {
      if (this.#stopped.has(id)) continue;
      const run = this.#seriesOf(id, "running");
      if (run.values.length <= seen) continue;
      this.#running.set(id, run.values.length);
      const { stop, why } = this.#track.judge({ run, others: this.#othersThan(id), goal });
      if (!stop) continue;
      this.#stopped.set(id, why);
      this.#inner.cancel?.(id, {
        status: "stopped",
        reason: `${this.#track.search.earlyStop!.kind}: ${why}`,
      });
    }
  }

  #othersThan(id: string): RunSeries[] {
    const { ledger, book } = this.#track;
    const others: RunSeries[] = [];
    for (const { run } of ledger.claims()) if (run.id !== id) others.push(this.#seriesOf(run.id, "running"));
    for (const { results } of book.points) {
      for (const { id: ended, outcome } of results.values()) {
        if (ended === id) continue;
        const state = outcome.status === "ok" || outcome.status === "stopped" ? outcome.status : "failed";
        let series = this.#ended.get(ended);
        if (!series) {
          series = this.#seriesOf(ended, state);
          this.#ended.set(ended, series);
        }
        others.push(series);
      }
    }
    return others;
  }

  #seriesOf(id: string, state: RunSeries["state"]): RunSeries {
    const path = `${this.#track.studyDir}/runs/${id}/series.jsonl`;
    const series = readSeries(path, this.#metric, { keepNaN: true });
    return { id, state, values: series?.values ?? [] };
  }
}
