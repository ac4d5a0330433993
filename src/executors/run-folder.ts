import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { errorCode } from "../core/errors.ts";
import type { Job, Setting } from "../core/executor.ts";
import type { Redactor } from "../core/redact.ts";
import { type Attempt, type EarlierAttempt, failed, type Outcome } from "../core/run.ts";
import { RUN_FILES, runDir, STUDY_FILES } from "../core/study-folder.ts";
import { readJsonIfAny, replaceFile } from "../host/files.ts";
import { readLost } from "./read-lost.ts";
import { redactFile, redactFolder } from "./redact-file.ts";
import { describeResult } from "./result/describe-result.ts";
import { resultMarkdown } from "./result/result-markdown.ts";
import { resultText } from "./result/result-text.ts";
import { sealOutput } from "./seal-output.ts";

/** How a run ends whose folder somebody deleted: nobody can say what it gave. */
const FOLDER_GONE = failed("infrastructure", "its folder was deleted while it ran");

/** The files of one run: `meta.json stdout.txt stderr.txt series.jsonl out/`. */
export class RunFolder {
  readonly dir: string;
  readonly #job: Job;
  readonly #setting: Setting;
  readonly #redactor: Redactor;
  #lost: EarlierAttempt | undefined;

  constructor(job: Job, setting: Setting, redactor: Redactor) {
    this.#job = job;
    this.#setting = setting;
    this.#redactor = redactor;
    this.dir = runDir(setting.studyDir, job.run.id);
  }

  get outDir(): string {
    return `${this.dir}/${RUN_FILES.out}`;
  }

  /** Where a run appends its steps, one JSON object a line. */
  get seriesPath(): string {
    return `${this.dir}/${RUN_FILES.series}`;
  }

  get stdout(): string {
    return `${this.dir}/${RUN_FILES.stdout}`;
  }

  get stderr(): string {
    return `${this.dir}/${RUN_FILES.stderr}`;
  }

  /** Whether it is there, and is about an attempt that has not said how it ended: not about an earlier one. */
  get isUnderWay(): boolean {
    return existsSync(this.dir) && isUnfinished(this.dir);
  }

  /** Where a folder stands while it changes places; after a crash it may still be there. */
  get #betweenPlaces(): string {
    return `${this.#setting.studyDir}/${STUDY_FILES.runs}/.${this.#job.run.id}.old`;
  }

  /** An empty folder. What an earlier attempt left moves to `earlier/<n>` in it. */
  open(): void {
    try {
      mkdirSync(this.dir);
    } catch (error) {
      if (errorCode(error) === "ENOENT") mkdirSync(this.dir, { recursive: true });
      else if (errorCode(error) === "EEXIST") this.#setAside();
      else throw error;
    }
    if (existsSync(this.#betweenPlaces)) this.#keepEarlier();
    mkdirSync(this.outDir);
  }

  /** As it was before `open`: the attempt that has just begun is gone, and what an earlier one left stands in its place. */
  restore(): void {
    if (!this.isUnderWay) return;
    const earlier = `${this.dir}/${RUN_FILES.earlier}`;
    const last = existsSync(earlier) ? readdirSync(earlier).length : 0;
    if (last === 0) {
      this.remove();
      return;
    }
    const old = this.#betweenPlaces;
    rmSync(old, { recursive: true, force: true });
    renameSync(`${earlier}/${last}`, old);
    if (last > 1) renameSync(earlier, `${old}/${RUN_FILES.earlier}`);
    this.remove();
    renameSync(old, this.dir);
  }

  /** Says how the run was started, for people who look while it is under way or after a crash. */
  begin(command: string[], cwd: string, startedAtMs: number): void {
    const meta = this.#meta({ cmd: command, cwd, start_time_unix_s: startedAtMs / 1000, status: "running" });
    writeFileSync(`${this.dir}/${RUN_FILES.meta}`, meta);
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }

  /**
   * Seals the captured output and says how the run ended; drops the folder where the study keeps none. What was
   * cancelled leaves an earlier result as it was.
   */
  end(attempt: Attempt, command: string[], cwd: string): void {
    if (this.#lost) attempt.lost = this.#lost;
    if (this.#job.hasResult && attempt.outcome.status === "cancelled") {
      this.restore();
      return;
    }
    if (!existsSync(this.dir)) {
      if (!isEnded(attempt.outcome)) attempt.outcome = FOLDER_GONE;
      delete attempt.files;
      return;
    }
    const { outcome, metrics, startedAtMs, wallMs } = attempt;
    const keep =
      this.#setting.artifacts === "all" || (this.#setting.artifacts === "failed" && outcome.status !== "ok");
    if (!keep) {
      this.remove();
      delete attempt.files;
      return;
    }
    this.#seal(this.dir);
    const meta = this.#meta({
      cmd: command,
      cwd,
      start_time_unix_s: startedAtMs / 1000,
      end_time_unix_s: (startedAtMs + wallMs) / 1000,
      wall_time_s: wallMs / 1000,
      exit_code: outcome.exitCode ?? (outcome.status === "ok" ? 0 : null),
      status: outcome.status,
      ...(outcome.owner && { owner: outcome.owner }),
      ...(outcome.reason && { reason: outcome.reason }),
      attempt: this.#job.attempt,
      metrics,
    });
    const path = `${this.dir}/${RUN_FILES.meta}`;
    this.#writeResult(attempt);
    replaceFile(path, meta, { isDurable: false });
  }

  /** result.json and result.md, where the study asks for them. */
  #writeResult(attempt: Attempt): void {
    const { result: facts, iterations } = this.#setting;
    if (!facts) return;
    const result = this.#redactor.value(describeResult({ run: this.#job.run, attempt, facts, iterations }));
    writeFileSync(`${this.dir}/${RUN_FILES.result}`, resultText(result));
    writeFileSync(`${this.dir}/${RUN_FILES.resultPage}`, this.#redactor.text(resultMarkdown(result)));
  }

  #meta(facts: Record<string, unknown>): string {
    const { run } = this.#job;
    const meta = {
      run_id: run.id,
      params: { ...run.params, seed: run.seed },
      ablation_name: run.variant,
      ablation_flags: run.flags,
      ...(run.task !== null && { task: run.task }),
      repeat: run.repeat,
      ...facts,
    };
    return `${this.#redactor.toJson(meta, 2)}\n`;
  }

  /** Moves what an earlier attempt left out of the way; `#keepEarlier` puts it into the new folder. */
  #setAside(): void {
    // A crash left one there: it is older than what stands in its place now.
    if (existsSync(this.#betweenPlaces)) this.#keepEarlier();
    renameSync(this.dir, this.#betweenPlaces);
    mkdirSync(this.dir);
  }

  /** To `earlier/<n>`, sealed where a crash has kept it from being so. */
  #keepEarlier(): void {
    const old = this.#betweenPlaces;
    const earlier = `${this.dir}/${RUN_FILES.earlier}`;
    if (existsSync(`${old}/${RUN_FILES.earlier}`) && !existsSync(earlier))
      renameSync(`${old}/${RUN_FILES.earlier}`, earlier);
    if (readdirSync(old).length === 0) {
      rmSync(old, { recursive: true });
      return;
    }
    this.#lost ??= readLost(old);
    if (isUnfinished(old)) this.#seal(old);
    mkdirSync(earlier, { recursive: true });
    renameSync(old, `${earlier}/${readdirSync(earlier).length + 1}`);
  }

  #seal(dir: string): void {
    for (const name of [RUN_FILES.stdout, RUN_FILES.stderr]) {
      sealOutput(`${dir}/${name}`, this.#setting.limits.stdoutBytes, this.#redactor);
    }
    for (const name of [RUN_FILES.series, RUN_FILES.job]) redactFile(`${dir}/${name}`, this.#redactor);
    if (existsSync(`${dir}/${RUN_FILES.out}`)) redactFolder(`${dir}/${RUN_FILES.out}`, this.#redactor);
  }
}

/** By somebody, or by its own failure: that stands, whatever became of its folder. */
function isEnded({ status }: Outcome): boolean {
  return status !== "ok" && status !== "failed";
}

/** Whether the attempt that a folder is about has not said how it ended. */
function isUnfinished(dir: string): boolean {
  const meta = readJsonIfAny<{ status: string }>(`${dir}/${RUN_FILES.meta}`);
  return meta === undefined || meta.status === "running";
}
