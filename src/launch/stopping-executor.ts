import { readSeries } from "../archive/read-series.ts";
import type { Executor, Job } from "../core/executor.ts";
import type { Attempt, Owner } from "../core/run.ts";
import { RUN_FILES, runDir } from "../core/study-folder.ts";
import { WrappedExecutor } from "../executors/wrapped-executor.ts";

const LOOK_MS = 200;

/** What a run has reported so far. */
export interface Reported {
  id: string;
  values: number[];
  steps?: number[];
}

/** A rule that ends runs by what they report while they run. */
export interface EndingRule {
  /** What it is called in a run's record. */
  kind: string;
  studyDir: string;
  metric: string;
  /** Whose fault it is where that is a failure; a search's points are ended without one. */
  owner?: Owner;
  /** The last value that was reported stands for the run. */
  keepsLast?: boolean;
  judge(run: Reported): { stop: boolean; why: string };
}

/** What a run has reported of a metric; nothing where it has no series. */
export function reportedBy(
  id: string,
  { studyDir, metric }: Pick<EndingRule, "studyDir" | "metric">,
): Reported {
  const series = readSeries(`${runDir(studyDir, id)}/${RUN_FILES.series}`, metric, { isEveryValue: true });
  return { id, values: series?.values ?? [], ...(series && { steps: series.steps }) };
}

/** Ends runs by a rule: it reads their series while they run. */
export class StoppingExecutor extends WrappedExecutor {
  readonly #rule: EndingRule;
  readonly #running = new Map<string, number>();
  readonly #stopped = new Set<string>();
  readonly #timer: NodeJS.Timeout;

  constructor(inner: Executor, rule: EndingRule) {
    super(inner);
    this.#rule = rule;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  async execute(job: Job, signal: AbortSignal): Promise<Attempt> {
    const { id } = job.run;
    this.#running.set(id, 0);
    const startedAtMs = Date.now();
    const start = performance.now();
    try {
      const attempt = await this.inner.execute(job, signal);
      if (attempt.outcome.status !== "stopped") return attempt;
      const { metric, keepsLast } = this.#rule;
      const last = keepsLast ? reportedBy(id, this.#rule).values.at(-1)! : undefined;
      const metrics =
        last === undefined
          ? attempt.metrics
          : { ...attempt.metrics, [metric]: Number.isFinite(last) ? last : null };
      return { ...attempt, metrics, startedAtMs, wallMs: performance.now() - start };
    } finally {
      this.#running.delete(id);
      this.#stopped.delete(id);
    }
  }

  override listen(onNotice: (text: string) => void): void {
    if (this.name === "queue")
      onNotice(
        `${this.#rule.kind} ends no run early here: it goes by the steps of runs under way, which a queue brings back when they have ended`,
      );
    super.listen(onNotice);
  }

  override async close(): Promise<void> {
    clearInterval(this.#timer);
    await super.close();
  }

  #look(): void {
    const { kind, owner } = this.#rule;
    for (const [id, seen] of this.#running) {
      if (this.#stopped.has(id)) continue;
      const run = reportedBy(id, this.#rule);
      if (run.values.length <= seen) continue;
      this.#running.set(id, run.values.length);
      const { stop, why } = this.#rule.judge(run);
      if (!stop) continue;
      this.#stopped.add(id);
      this.inner.cancel?.(id, { status: "stopped", reason: `${kind}: ${why}`, ...(owner && { owner }) });
    }
  }
}
