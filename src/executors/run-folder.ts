import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { errorCode } from "../core/errors.ts";
import type { Redactor } from "../core/redact.ts";
import type { Attempt, EarlierAttempt } from "../core/run.ts";
import type { Job, Setting } from "./executor.ts";
import { readLost } from "./read-lost.ts";
import { redactFile, redactFolder } from "./redact-file.ts";
import { describeResult } from "./result/describe-result.ts";
import { resultMarkdown } from "./result/result-markdown.ts";
import { resultText } from "./result/result-text.ts";
import { sealOutput } from "./seal-output.ts";

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
    this.dir = `${setting.studyDir}/runs/${job.run.id}`;
  }

  get outDir(): string {
    return `${this.dir}/out`;
  }

  /** Where a run appends its steps, one JSON object a line. */
  get seriesPath(): string {
    return `${this.dir}/series.jsonl`;
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
    mkdirSync(this.outDir);
  }

  /** Says how the run was started, for people who look while it is under way or after a crash. */
  begin(command: string[], cwd: string, startedAtMs: number): void {
    const meta = this.#meta({ cmd: command, cwd, start_time_unix_s: startedAtMs / 1000, status: "running" });
    writeFileSync(`${this.dir}/meta.json`, meta);
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }

  /** Seals the captured output and says how the run ended; drops the folder where the study keeps none. */
  end(attempt: Attempt, command: string[], cwd: string): void {
    const { outcome, metrics, startedAtMs, wallMs } = attempt;
    if (this.#lost) attempt.lost = this.#lost;
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
    const path = `${this.dir}/meta.json`;
    this.#writeResult(attempt);
    writeFileSync(`${path}.tmp`, meta);
    renameSync(`${path}.tmp`, path);
  }

  /** result.json and result.md, where the study asks for them. */
  #writeResult(attempt: Attempt): void {
    const { result: facts, iterations } = this.#setting;
    if (!facts) return;
    const result = describeResult({ run: this.#job.run, attempt, facts, iterations });
    writeFileSync(`${this.dir}/result.json`, resultText(this.#redactor.value(result)));
    writeFileSync(`${this.dir}/result.md`, this.#redactor.text(resultMarkdown(result)));
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

  /** Moves what an earlier attempt left to `earlier/<n>`, sealed: a crash may have kept it from being so. */
  #setAside(): void {
    const old = `${this.#setting.studyDir}/runs/.${this.#job.run.id}.old`;
    rmSync(old, { recursive: true, force: true });
    renameSync(this.dir, old);
    mkdirSync(this.dir);
    const nested = `${old}/earlier`;
    if (existsSync(nested)) renameSync(nested, `${this.dir}/earlier`);
    if (readdirSync(old).length === 0) {
      rmSync(old, { recursive: true });
      return;
    }
    this.#lost = readLost(old);
    this.#seal(old);
    mkdirSync(`${this.dir}/earlier`, { recursive: true });
    renameSync(old, `${this.dir}/earlier/${readdirSync(`${this.dir}/earlier`).length + 1}`);
  }

  #seal(dir: string): void {
    for (const name of ["stdout.txt", "stderr.txt"]) {
      sealOutput(`${dir}/${name}`, this.#setting.limits.stdoutBytes, this.#redactor);
    }
    for (const name of ["series.jsonl", "job.json"]) redactFile(`${dir}/${name}`, this.#redactor);
    if (existsSync(`${dir}/out`)) redactFolder(`${dir}/out`, this.#redactor);
  }
}
