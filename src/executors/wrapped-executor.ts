import type { Executor, Job } from "../core/executor.ts";
import type { Attempt, Outcome } from "../core/run.ts";
import { RUN_FILES, runDir } from "../core/study-folder.ts";
import { readJsonIfAny, replaceFile } from "../host/files.ts";

/** Does something around an executor's runs; what a subclass says nothing of, the executor inside does. */
export abstract class WrappedExecutor implements Executor {
  protected readonly inner: Executor;

  constructor(inner: Executor) {
    this.inner = inner;
  }

  abstract execute(job: Job, signal: AbortSignal): Promise<Attempt>;

  get name(): string {
    return this.inner.name;
  }

  get capacity(): number {
    return this.inner.capacity;
  }

  get lateCostUsd(): number {
    return this.inner.lateCostUsd ?? 0;
  }

  /** Absent where the executor inside has none. */
  get resize(): Executor["resize"] {
    const { inner } = this;
    if (!inner.resize) return undefined;
    return (jobs) => {
      inner.resize!(jobs);
      this.resized(jobs);
    };
  }

  /** So many jobs may be under way from now on. */
  protected resized(_jobs: number): void {}

  cancel(runId: string, outcome: Outcome): void {
    this.inner.cancel?.(runId, outcome);
  }

  listen(onNotice: (text: string) => void): void {
    this.inner.listen?.(onNotice);
  }

  drain(): void {
    this.inner.drain();
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}

/** Whoever looks at the folder of a run finds what was learnt of it after it had ended, too. */
export function noteAttempt(
  studyDir: string,
  runId: string,
  { metrics, labels, scored, outcome, warnings }: Attempt,
): void {
  const path = `${runDir(studyDir, runId)}/${RUN_FILES.meta}`;
  const meta = readJsonIfAny<Record<string, unknown> | null>(path, { isForeign: true });
  if (!meta) return;
  const { owner, reason, ...rest } = meta;
  const { status, exitCode: _, ...why } = outcome;
  const now = {
    ...rest,
    status,
    ...(status === "ok" ? {} : why),
    metrics,
    ...(labels && { labels }),
    ...(warnings && { warnings }),
    ...(scored && { scored }),
  };
  replaceFile(path, `${JSON.stringify(now, null, 2)}\n`, { isDurable: false });
}
