import type { Executor, Setting } from "../core/executor.ts";
import type { Attempt, Outcome, Run } from "../core/run.ts";
import type { CommandRef, FileRef, ScorerRef } from "../core/study.ts";
import { runDir, scorerDir } from "../core/study-folder.ts";
import { createExecutor } from "../executors/index.ts";
import { entryPath } from "../host/environment.ts";
import { removeTree } from "../host/files.ts";
import { reapMarked } from "../host/processes.ts";
import type { Scorer } from "./scorer.ts";

/**
 * A program, or a module in a process of its own, that scores one output at a time: run as the runs themselves are, in a
 * folder of its own, so that it can crash, hang or print what it likes.
 */
export class ProgramScorer implements Scorer {
  readonly name: string;
  readonly prefix: string;
  readonly version: string;
  readonly #executor: Executor;
  readonly #studyDir: string;
  readonly #retries: number;

  private constructor(
    ref: ScorerRef,
    version: string,
    { executor, setting }: { executor: Executor; setting: Setting },
  ) {
    this.name = ref.name;
    this.prefix = ref.isNamed ? `${ref.name}/` : "";
    this.version = version;
    this.#executor = executor;
    this.#studyDir = setting.studyDir;
    this.#retries = setting.limits.retries;
  }

  static async create(
    ref: ScorerRef & { by: CommandRef | FileRef },
    version: string,
    shared: Setting,
  ): Promise<ProgramScorer> {
    const studyDir = scorerDir(shared.studyDir, ref.name);
    const {
      target: _,
      result: __,
      queue: ___,
      slurm: ____,
      stateRoot: _____,
      services: ______,
      ...rest
    } = shared;
    const setting: Setting = {
      ...rest,
      target: ref.by.kind === "file" ? moduleScorer(ref.by, shared) : ref.by,
      studyDir,
      scoredDir: shared.studyDir,
      artifacts: "all",
      limits: { ...shared.limits, ...(ref.timeoutMs !== undefined && { timeoutMs: ref.timeoutMs }) },
      iterations: { warmup: 0, measured: 1 },
      instruments: [],
      plugins: [],
    };
    // What a killed launch left.
    await reapMarked({ studyDir }, () => false);
    return new ProgramScorer(ref, version, { executor: await createExecutor("process", setting), setting });
  }

  async score(run: Run, signal: AbortSignal): Promise<Attempt> {
    for (let attempt = 1; ; attempt++) {
      removeTree(runDir(this.#studyDir, run.id));
      const result = await this.#executor.execute({ run, attempt }, signal);
      const isAgain = result.outcome.owner === "infrastructure" && attempt <= this.#retries;
      if (!isAgain || signal.aborted) return result;
    }
  }

  cancel(runId: string, outcome: Outcome): void {
    this.#executor.cancel?.(runId, outcome);
  }

  close(): Promise<void> {
    return this.#executor.close();
  }
}

function moduleScorer({ path }: FileRef, { baseDir }: Setting): CommandRef {
  const argv = [process.execPath, entryPath("score-child"), path];
  return { kind: "command", argv, cwd: baseDir, watch: [], isWorker: true };
}
