import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { appendLine, type ResultLine, resultsPath } from "./batch-files.ts";
import { LineFollower } from "./line-follower.ts";
import type { Entry } from "./run-book.ts";

/** One task of a job array: the runs that it does one after the other. */
export class ArrayTask {
  readonly batch: Batch;
  readonly index: number;
  /** Those without a result, in order. */
  readonly entries: Set<Entry>;
  isUp = false;
  isOver = false;
  /** Runs begun since the task started, or started again. */
  begun = 0;
  node = "";
  state = "PENDING";
  /** When Slurm first said that it had ended. */
  endedAtMs: number | undefined;
  readonly #followers: LineFollower<ResultLine>[] = [];

  constructor(batch: Batch, index: number, entries: Entry[]) {
    this.batch = batch;
    this.index = index;
    this.entries = new Set(entries);
  }

  get name(): string {
    return `${this.batch.jobId}_${this.index}`;
  }

  /** What it has written since, over all of its starts. */
  *read(restarts: number): Generator<ResultLine> {
    while (this.#followers.length <= restarts)
      this.#followers.push(new LineFollower(resultsPath(this.batch.dir, this.index, this.#followers.length)));
    for (const follower of this.#followers) yield* follower.next();
  }

  /** The last lines that it printed: why it crashed, if it did. */
  logTail(): string {
    try {
      const lines = readFileSync(`${this.batch.dir}/log/${this.index}.txt`, "utf8").trim().split("\n");
      return lines.slice(-5).join("\n").slice(-1000);
    } catch {
      return "";
    }
  }
}

/** One job array and its folder. */
export class Batch {
  readonly dir: string;
  jobId: string;
  tasks: ArrayTask[] = [];
  /** Its tasks have been told to begin no further run. */
  isStopped = false;
  /** Some task ended badly: its log is kept. */
  isTroubled = false;

  constructor(dir: string, jobId: string) {
    this.dir = dir;
    this.jobId = jobId;
  }

  get isOver(): boolean {
    return this.unfinished === 0;
  }

  get unfinished(): number {
    return this.tasks.filter((task) => !task.isOver).length;
  }

  /** Tells tasks to begin no further run. */
  stop(): void {
    if (this.isStopped) return;
    this.isStopped = true;
    appendLine(`${this.dir}/orders.jsonl`, { kind: "stop" });
  }

  /** How often each task has started again, by the files that are there. */
  restarts(): Map<number, number> {
    const found = new Map<number, number>();
    for (const name of readdirSync(`${this.dir}/results`)) {
      const [index, restart] = name.split(".").map(Number) as [number, number];
      found.set(index, Math.max(found.get(index) ?? 0, restart));
    }
    return found;
  }

  /** All that it had is recorded elsewhere: the folder goes, but for logs of what went wrong. */
  close(): void {
    if (!this.isTroubled) {
      rmSync(this.dir, { recursive: true, force: true });
      return;
    }
    writeFileSync(`${this.dir}/closed`, "");
    for (const name of ["chunks", "results"]) rmSync(`${this.dir}/${name}`, { recursive: true, force: true });
  }
}
