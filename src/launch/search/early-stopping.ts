import { readSeries } from "../../archive/read-series.ts";
import { UserError } from "../../core/errors.ts";
import type { Executor, Job } from "../../core/executor.ts";
import { type Attempt, isFailure } from "../../core/run.ts";
import type { Search } from "../../core/space.ts";
import { RUN_FILES, runDir } from "../../core/study-folder.ts";
import type { Ledger } from "../../search/shared/ledger.ts";
import type { PointBook, PointState } from "../../search/shared/point-book.ts";
import { makeJudge, stoppers } from "../../search/stoppers/index.ts";
import type { Race, RunSeries, Verdict } from "../../search/stoppers/stopper.ts";
import type { PreparedStudy } from "../prepare-study.ts";

/** How a search ends early what will not be among the best: single runs by their series, or points by their runs. */
interface EarlyStopping {
  judge?(race: Race): Verdict;
  isLost?(point: PointState, book: PointBook): string | undefined;
}

/** A rule that compares piece by piece takes the runs of a point as the pieces, where a point has several. */
export function earlyStopping({ study, plan }: PreparedStudy): EarlyStopping | undefined {
  const { search, artifacts } = study;
  if (!search?.earlyStop) return undefined;
  const judge = makeJudge(search.earlyStop, search.points);
  const [objective] = search.objectives;
  if (!objective)
    throw new UserError("early stopping needs a metric", { remedy: "Name it: analysis: {metric, goal}." });
  const { kind } = search.earlyStop;
  if (stoppers[kind]?.isByPiece && plan.count() > 1) {
    const { metric, goal } = objective;
    const pieces = { metric, axisNames: plan.axisNames };
    const isLost = (point: PointState, { points }: PointBook) => {
      const others = points.filter((other) => other !== point).map((other) => piecesOf(other, pieces));
      const { stop, why } = judge({ run: piecesOf(point, pieces), others, goal });
      return stop ? `${kind}: ${why}` : undefined;
    };
    return { isLost };
  }
  if (artifacts !== "all") {
    throw new UserError("early stopping reads the series of the runs, which this study does not keep", {
      expected: "artifacts: all",
      got: `artifacts: ${artifacts}`,
    });
  }
  return { judge };
}

/** One piece a good run of the point, named by all but the point itself: cell, seed, task and repeat. */
function piecesOf(
  { number, expected, results, cut }: PointState,
  { metric, axisNames }: { metric: string; axisNames: readonly string[] },
): RunSeries {
  const pieces = [...results.values()].flatMap(
    ({ params, variant, seed, task, repeat, metrics, outcome }) => {
      const value = metrics[metric];
      if (isFailure(outcome) || value === undefined) return [];
      const cell = axisNames.map((name) => params[name] ?? null);
      return [{ label: JSON.stringify([variant, seed, task, repeat, ...cell]), value: value ?? Number.NaN }];
    },
  );
  const isOver = results.size === expected;
  return {
    id: `point ${number}`,
    values: pieces.map(({ value }) => value),
    labels: pieces.map(({ label }) => label),
    state: cut !== undefined ? "stopped" : isOver ? "ok" : "running",
  };
}

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
  /** Series of attempts that have ended: they don't change. */
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
    // A run that is done again has a result, too, and equal points share their runs.
    const seen = new Set([id]);
    for (const { run } of ledger.claims()) {
      if (!seen.has(run.id)) others.push(this.#seriesOf(run.id, "running"));
      seen.add(run.id);
    }
    for (const { results } of book.points) {
      for (const { id: ended, outcome, attempt } of results.values()) {
        if (seen.has(ended)) continue;
        seen.add(ended);
        const state = outcome.status === "ok" || outcome.status === "stopped" ? outcome.status : "failed";
        const key = `${ended} ${attempt}`;
        let series = this.#ended.get(key);
        if (!series) {
          series = this.#seriesOf(ended, state);
          this.#ended.set(key, series);
        }
        others.push(series);
      }
    }
    return others;
  }

  #seriesOf(id: string, state: RunSeries["state"]): RunSeries {
    const path = `${runDir(this.#track.studyDir, id)}/${RUN_FILES.series}`;
    const series = readSeries(path, this.#metric, { isEveryValue: true });
    const run: RunSeries = { id, state, values: series?.values ?? [] };
    return series && !this.#track.search.earlyStop!.countsValues ? { ...run, steps: series.steps } : run;
  }
}
