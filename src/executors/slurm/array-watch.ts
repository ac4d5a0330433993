import { MachineError, UserError } from "../../core/errors.ts";
import { type EarlierAttempt, failed, type Outcome } from "../../core/run.ts";
import { runDir } from "../../core/study-folder.ts";
import { readLost } from "../read-lost.ts";
import type { ArrayTask, Batch } from "./batch.ts";
import { appendLine, type ResultLine } from "./batch-files.ts";
import { isEnded, judgeEnd } from "./judge-end.ts";
import type { Entry, RunBook } from "./run-book.ts";
import { askStates, describeTask, type TaskStatus } from "./slurm-commands.ts";
import { explainStart } from "./task-script.ts";

/** Results written before a task ended may be seen a moment after Slurm tells of the end. */
const LAG_MS = 1000;
/** A task that Slurm calls completed did say goodbye: a network file system may keep that back for long. */
const COMPLETED_LAG_MS = 30_000;
/** Reasons to wait that every queue has. */
const USUAL = new Set([
  "None",
  "Priority",
  "Resources",
  "JobArrayTaskLimit",
  "BeginTime",
  "Prolog",
  "Cleaning",
]);

interface Listeners {
  /** A run took so long. */
  onRun(wallMs: number): void;
  onUp(): void;
  onNotice(text: string): void;
  /** What stops the whole study. */
  onBroken(error: Error): void;
}

/** Follows the tasks of all batches: by what they write, and by what Slurm says of those that write nothing. */
export class ArrayWatch {
  readonly #book: RunBook;
  readonly #studyDir: string;
  readonly #listeners: Listeners;
  readonly #batches: Batch[] = [];
  readonly #told = new Set<string>();
  /** The study is to end: runs that a task leaves come back with this outcome. */
  ending: Outcome | undefined;
  #wasUp = false;

  constructor(book: RunBook, studyDir: string, listeners: Listeners) {
    this.#book = book;
    this.#studyDir = studyDir;
    this.#listeners = listeners;
  }

  add(batch: Batch): void {
    this.#batches.push(batch);
  }

  /** Those with tasks that may still do something. */
  get live(): Batch[] {
    return this.#batches.filter((batch) => !batch.isOver);
  }

  get all(): readonly Batch[] {
    return this.#batches;
  }

  /** Whether Slurm has tasks that it has not started yet. */
  get hasUnstarted(): boolean {
    return this.live.some(({ tasks }) => tasks.some((task) => !task.isOver && !task.isUp));
  }

  /** Takes what tasks have written since; tells whether there was anything. */
  read(): boolean {
    let isNew = false;
    for (const batch of this.live) {
      const restarts = batch.restarts();
      for (const task of batch.tasks) {
        const last = restarts.get(task.index);
        if (!task.isOver && last !== undefined) isNew = this.#take(task, last) || isNew;
      }
    }
    return isNew;
  }

  /** Asks Slurm, in one call for all jobs, and concludes the tasks that have ended; tells whether any changed. */
  async ask(): Promise<boolean> {
    const batches = this.live;
    if (batches.length === 0) return false;
    const statuses = await askStates(batches.map(({ jobId }) => jobId));
    if (!statuses) {
      this.#tell("Slurm does not answer (squeue); asking on. Runs in progress continue.");
      return false;
    }
    const known = new Map(statuses.map((status) => [`${status.jobId}_${status.index}`, status]));
    this.#tellReasons(statuses);
    let isChanged = false;
    for (const batch of batches) {
      for (const task of batch.tasks) {
        if (task.isOver) continue;
        const { state, node } = known.get(task.name) ?? { state: "GONE", node: task.node };
        isChanged ||= state !== task.state;
        task.state = state;
        if (node !== "") task.node = node;
        if (isEnded(state)) await this.#conclude(task);
        else task.endedAtMs = undefined;
      }
    }
    return isChanged;
  }

  #take(task: ArrayTask, restarts: number): boolean {
    let isNew = false;
    for (const line of task.read(restarts)) {
      isNew = true;
      this.#apply(task, line);
    }
    return isNew;
  }

  #apply(task: ArrayTask, line: ResultLine): void {
    if (line.kind === "up") {
      this.#wasUp = true;
      task.isUp = true;
      task.node = line.node;
      task.begun = 0;
      for (const entry of task.entries) if (entry.isBegun) startAgain(entry);
      this.#listeners.onUp();
    } else if (line.kind === "done") this.#endTask(task, (entry) => this.#leave(entry));
    else if (line.kind === "broken") {
      const message = `${line.message} (on node ${task.node}, Slurm task ${task.name})`;
      const Kind = line.isUsers ? UserError : line.isMachines ? MachineError : Error;
      this.#listeners.onBroken(new Kind(message));
    } else {
      const entry = [...task.entries].find(({ job }) => job.run.id === line.run);
      if (!entry) return;
      if (line.kind === "begun") {
        entry.isBegun = true;
        task.begun++;
      } else if (line.kind === "cut") entry.cut = line;
      else {
        task.entries.delete(entry);
        this.#listeners.onRun(line.result.wallMs);
        this.#book.finish(entry, line.result);
      }
    }
  }

  /** Its task ended in order without having begun it: it was told to stop. */
  #leave(entry: Entry): void {
    if (this.ending) this.#book.release([entry], this.ending);
    else this.#book.again(entry, "its task was told to stop");
  }

  async #conclude(task: ArrayTask): Promise<void> {
    const nowMs = Date.now();
    task.endedAtMs ??= nowMs;
    const lagMs = task.state === "COMPLETED" ? COMPLETED_LAG_MS : task.isUp ? LAG_MS : 0;
    if (nowMs - task.endedAtMs < lagMs) return;
    // Asked for by name: a listing of the folder may be old.
    this.#take(task, (task.batch.restarts().get(task.index) ?? 0) + 1);
    if (task.isOver) return;
    if (this.ending?.status === "cancelled") {
      const { ending } = this;
      this.#endTask(task, (entry) => this.#book.release([entry], ending));
      return;
    }
    const isOwnDoing = task.state === "CANCELLED" && task.batch.isStopped && !task.isUp;
    if (isOwnDoing) {
      this.#endTask(task, (entry) => this.#leave(entry));
      return;
    }
    task.batch.isTroubled = true;
    const facts: Record<string, string> =
      task.state === "GONE" ? {} : await describeTask(task.batch.jobId, task.index);
    // What it wrote may have been read meanwhile.
    if (task.isOver) return;
    const { name, state, node } = task;
    if (!task.isUp && (state === "FAILED" || state === "COMPLETED")) {
      const why = explainStart({ exitCode: facts.ExitCode ?? "?", node, dir: task.batch.dir });
      if (!this.#wasUp) return this.#listeners.onBroken(cantStart(task, why));
      this.#tell(`Slurm task ${name} could not start: ${why}`);
    }
    const judgement = judgeEnd({ name, state, node, facts, hadAllTime: task.begun <= 1 });
    this.#endTask(task, (entry) => {
      const fate = entry.isBegun ? judgement.underWay : judgement.notBegun;
      const result =
        fate === "again"
          ? this.#book.again(entry, judgement.reason)
          : this.#book.fail(entry, failed("infrastructure", judgement.reason), this.#lastTry(entry));
      if (!result) {
        if (this.ending) this.#book.release([entry], this.ending);
        return;
      }
      const { run, attempt } = entry.job;
      appendLine(`${task.batch.dir}/verdicts.jsonl`, { run: run.id, attempt, result });
      this.#book.finish(entry, result);
    });
  }

  /** What its folder says of a try that was killed without a word. */
  #lastTry({ isBegun, job }: Entry): EarlierAttempt | undefined {
    return isBegun ? readLost(runDir(this.#studyDir, job.run.id)) : undefined;
  }

  #endTask(task: ArrayTask, decide: (entry: Entry) => void): void {
    task.isOver = true;
    for (const entry of task.entries) if (this.#book.isCurrent(entry) && !entry.result) decide(entry);
    task.entries.clear();
  }

  /** Why tasks wait, where that is unusual, each reason once. */
  #tellReasons(statuses: TaskStatus[]): void {
    for (const { state, reason, jobId, index } of statuses) {
      if (state !== "PENDING" || USUAL.has(reason)) continue;
      this.#tell(
        `Slurm holds tasks back: ${reason} (first seen of ${jobId}_${index}; squeue tells more)`,
        reason,
      );
    }
  }

  #tell(text: string, key = text): void {
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.#listeners.onNotice(text);
  }
}

/** Slurm has started its task again: what was under way is no more. */
function startAgain(entry: Entry): void {
  entry.isBegun = false;
  if (!entry.cut?.isPreempted) entry.kills++;
  const reason = "Slurm started its task again";
  entry.lost = [...(entry.lost ?? []), { reason, wallMs: entry.cut?.wallMs ?? 0 }];
  delete entry.cut;
}

function cantStart(task: ArrayTask, why: string): UserError {
  const tail = task.logTail();
  return new UserError(`no Slurm task could start: ${why}${tail === "" ? "" : `\n${tail}\n`}`, {
    remedy:
      "The study's folder (--out-root), Node and Assay must be on a file system that all nodes of the partition see.",
  });
}
