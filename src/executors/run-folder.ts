import { mkdirSync, readdirSync, readlinkSync, renameSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import { causeText, errorCode, explainFileError } from "../core/errors.ts";
import type { Job, Setting } from "../core/executor.ts";
import type { Redactor } from "../core/redact.ts";
import { type Attempt, failed, type Outcome, RunFailure } from "../core/run.ts";
import { RUN_FILES, runDir, STUDY_FILES } from "../core/study-folder.ts";
import { removeTree, replaceFile } from "../host/files.ts";
import { Held, isWritable, kindAt, moveFolder, OddFile, unlockFolder } from "../host/held.ts";
import { findLost, inheritSeries, isUnfinished, type Lost, lastNumber, markLost } from "./read-lost.ts";
import { listFiles, type Results, readAgentResults } from "./read-results.ts";
import { resultFiles } from "./result/result-files.ts";
import { RunState } from "./run-state.ts";
import { isOfTheRun, sealFolder, tolerate } from "./seal.ts";

/**
 * The files of one run: `meta.json stdout.txt stderr.txt series.jsonl out/`. A run can do anything to its folder. What
 * it did is told by its own record: as a failure, or as a warning. Only what the machine refuses (no room) is thrown,
 * and a folder of all runs in which none can be made.
 */
export class RunFolder {
  readonly dir: string;
  readonly state: RunState;
  readonly #job: Job;
  readonly #setting: Setting;
  readonly #redactor: Redactor;
  readonly #warnings: string[] = [];
  /** Tries that were killed and that no record tells of yet. */
  #lost: Lost[] = [];

  constructor(job: Job, setting: Setting, redactor: Redactor) {
    this.#job = job;
    this.#setting = setting;
    this.#redactor = redactor;
    this.dir = runDir(setting.studyDir, job.run.id);
    this.state = new RunState(setting, job.run.id);
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
    return kindAt(this.dir) === "a folder" && isUnfinished(this.dir);
  }

  /** Where a folder stands while it changes places; after a crash it may still be there. */
  get #betweenPlaces(): string {
    return `${this.#setting.studyDir}/${STUDY_FILES.runs}/.${this.#job.run.id}.old`;
  }

  /** An empty folder. What an earlier attempt left moves to `earlier/<n>` in it. Throws a `RunFailure` where it can't. */
  open(): void {
    try {
      mkdirSync(this.dir);
    } catch (error) {
      if (errorCode(error) === "ENOENT") mkdirSync(this.dir, { recursive: true });
      else if (errorCode(error) !== "EEXIST") throw explainFileError(error);
      else this.#orFail(() => this.#setAside());
    }
    let isFirst = true;
    this.#orFail(() => {
      isFirst = kindAt(this.#betweenPlaces) === undefined;
      if (!isFirst) this.#keepEarlier();
      mkdirSync(this.outDir);
      const { item } = this.#job.run;
      if (item) this.#write(RUN_FILES.task, `${JSON.stringify(item)}\n`);
    });
    if (isFirst) return;
    const earlier = `${this.dir}/${RUN_FILES.earlier}`;
    this.#orFail(() => {
      const last = lastNumber(earlier);
      if (last > 0) inheritSeries(this.seriesPath, `${earlier}/${last}`, this.state.isKept);
    });
    const lost = findLost(earlier, this.#setting.lastSeenMs?.[this.#job.run.id]);
    for (const { dir } of lost.splice(0, this.#job.told)) tolerate(() => markLost(dir));
    this.#lost = lost;
  }

  /** Which try at the run this is, those that were killed included. */
  get attempt(): number {
    return this.#job.attempt + Math.max(this.#lost.length, this.#job.cut ?? 0);
  }

  #orFail(act: () => void): void {
    try {
      act();
    } catch (error) {
      // Where no run can have a folder, that is no fault of this one's.
      if (!isOfTheRun(error) || !isWritable(dirname(this.dir))) throw explainFileError(error);
      const what = `what an earlier attempt left is in the way (${causeText(error)})`;
      throw new RunFailure("infrastructure", `${what}: delete ${this.dir} and ${this.#betweenPlaces}`);
    }
  }

  /** As it was before `open`: the attempt that has just begun is gone, and what an earlier one left stands in its place. */
  restore(): void {
    // What can't be put back stays under `earlier/`.
    tolerate(() => {
      if (!this.isUnderWay) return;
      unlockFolder(this.dir);
      const earlier = `${this.dir}/${RUN_FILES.earlier}`;
      const last = lastNumber(earlier);
      if (last === 0) return removeTree(this.dir);
      const old = this.#betweenPlaces;
      removeTree(old);
      moveFolder(`${earlier}/${last}`, old);
      if (last > 1) renameSync(earlier, `${old}/${RUN_FILES.earlier}`);
      removeTree(this.dir);
      renameSync(old, this.dir);
    });
  }

  /** Says how the run was started, for people who look while it is under way or after a crash. */
  begin(command: string[], cwd: string, startedAtMs: number): void {
    const meta = this.#meta({ cmd: command, cwd, start_time_unix_s: startedAtMs / 1000, status: "running" });
    // The end says what has become of the folder.
    tolerate(() => this.#write(RUN_FILES.meta, meta));
  }

  /** What the run left in its out folder. */
  results(): Results {
    const warnings = this.#unlock();
    const isFolder = kindAt(this.outDir) === "a folder";
    const results = isFolder
      ? readAgentResults(this.outDir)
      : { metrics: {}, labels: {}, warnings: [], files: [] };
    return { ...results, warnings: [...warnings, ...results.warnings] };
  }

  /** Says which files a module's run left. */
  listFiles(attempt: Attempt): void {
    const warnings = [...(attempt.warnings ?? []), ...this.#unlock()];
    attempt.files = kindAt(this.outDir) === "a folder" ? listFiles(this.outDir, warnings) : [];
    if (warnings.length > 0) attempt.warnings = warnings;
  }

  /** Before another program of the run appends to what was captured: a pipe there would block, a link lead elsewhere. */
  checkCaptured(): void {
    for (const path of [this.stdout, this.stderr])
      if (!["a file", undefined].includes(kindAt(path)))
        throw new OddFile(`${basename(path)} became ${kindAt(path)}`);
  }

  /** The owner's permissions are back, and a link in place of the out folder is gone. Gives what is to be told. */
  #unlock(): string[] {
    const warnings: string[] = [];
    tolerate(() => {
      if (kindAt(this.dir) !== "a folder") return;
      unlockFolder(this.dir);
      const kind = kindAt(this.outDir);
      if (kind === "a folder") return unlockFolder(this.outDir);
      const target = kind === "a link" ? ` to ${readlinkSync(this.outDir)}` : "";
      if (kind === "a link") rmSync(this.outDir);
      const what = kind === undefined ? "deleted" : `replaced by ${kind}${target}`;
      warnings.push(`${RUN_FILES.out}/ was ${what} while it ran: nothing in it was read`);
    });
    return warnings;
  }

  /**
   * Seals the captured output and says how the run ended; drops the folder where the study keeps none. What was
   * cancelled leaves an earlier result as it was.
   */
  end(attempt: Attempt, command: string[], cwd: string): void {
    if (this.#lost.length > 0) attempt.lost = this.#lost.map((lost) => lost.attempt);
    const warn = (text: string) => {
      attempt.warnings = [...(attempt.warnings ?? []), text];
    };
    this.#warnings.splice(0).forEach(warn);
    tolerate(
      () => this.state.end(attempt.outcome),
      (why) => warn(`its state could not be deleted (${why})`),
    );
    if (this.#job.hasResult && attempt.outcome.status === "cancelled") {
      this.restore();
      return;
    }
    const kind = kindAt(this.dir);
    if (kind !== "a folder") {
      const what = kind === undefined ? "deleted" : `replaced by ${kind}`;
      // Nobody can say what it gave.
      if (!isEnded(attempt.outcome))
        attempt.outcome = failed("infrastructure", `its folder was ${what} while it ran`);
      delete attempt.files;
      tolerate(() => rmSync(this.dir, { force: true }));
      return;
    }
    const { outcome, metrics, startedAtMs, wallMs } = attempt;
    const keep =
      this.#setting.artifacts === "all" || (this.#setting.artifacts === "failed" && outcome.status !== "ok");
    if (!keep) {
      tolerate(
        () => removeTree(this.dir),
        (why) => warn(`its folder could not be deleted (${why})`),
      );
      delete attempt.files;
      return;
    }
    for (const { dir } of this.#lost) tolerate(() => markLost(dir));
    this.#seal(this.dir, warn);
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
      attempt: this.attempt,
      metrics,
      ...(attempt.labels && { labels: attempt.labels }),
      ...(attempt.warnings && attempt.warnings.length > 0 && { warnings: attempt.warnings }),
    });
    const results = resultFiles(this.#job.run, attempt, { setting: this.#setting, redactor: this.#redactor });
    for (const [name, text] of [...results, [RUN_FILES.meta, meta] as const])
      tolerate(
        () => this.#write(name, text),
        (why) => warn(`${name} could not be written (${why})`),
      );
  }

  #write(name: string, text: string): void {
    using folder = new Held(this.dir);
    if (!folder.stats.isDirectory()) throw new OddFile("its folder is gone");
    replaceFile(`${folder.path}/${name}`, text, { isDurable: false });
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
    if (kindAt(this.dir) === "a folder") {
      unlockFolder(this.dir);
      // A crash left one there: it is older than what stands in its place now.
      if (kindAt(this.#betweenPlaces) !== undefined) this.#keepEarlier();
      renameSync(this.dir, this.#betweenPlaces);
    } else rmSync(this.dir);
    mkdirSync(this.dir);
  }

  /** To `earlier/<n>`, sealed where a crash has kept it from being so. */
  #keepEarlier(): void {
    const old = this.#betweenPlaces;
    if (kindAt(old) !== "a folder") {
      rmSync(old);
      return;
    }
    unlockFolder(old);
    const earlier = `${this.dir}/${RUN_FILES.earlier}`;
    const before = `${old}/${RUN_FILES.earlier}`;
    if (kindAt(before) === "a folder" && kindAt(earlier) === undefined) moveFolder(before, earlier);
    if (readdirSync(old).length === 0) {
      rmSync(old, { recursive: true });
      return;
    }
    if (isUnfinished(old)) this.#seal(old, (text) => this.#warnings.push(`of an earlier attempt: ${text}`));
    mkdirSync(earlier, { recursive: true });
    moveFolder(old, `${earlier}/${lastNumber(earlier) + 1}`);
  }

  #seal(dir: string, warn: (text: string) => void): void {
    sealFolder(dir, { capBytes: this.#setting.limits.stdoutBytes, redactor: this.#redactor, warn });
  }
}

/** By somebody, or by its own failure: that stands, whatever became of its folder. */
function isEnded({ status }: Outcome): boolean {
  return status !== "ok" && status !== "failed";
}
