import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { MachineError, UserError } from "../core/errors.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import type { ViewRequest } from "./compute-view.ts";
import type { ViewAnswer, ViewOrder } from "./view-worker.ts";

const MOST_KEPT = 32;
const MOST_KEPT_BYTES = 128 * 1024 * 1024;
const WATCHED = [STUDY_FILES.journal, STUDY_FILES.study];
/** What people say changes this one, too. */
const WITH_NOTES = [...WATCHED, STUDY_FILES.notes];

interface Kept {
  /** What the study's files were. */
  stamp: string;
  json: Promise<string>;
  /** 0 until it is there. */
  bytes: number;
}

type Compute = (request: ViewRequest) => Promise<string>;

/** Views as JSON text, computed again only when a study's files have changed; what is outdated is not kept. */
export class Views {
  readonly #threads = { study: new ViewThread(), run: new ViewThread() };
  readonly #compute: Compute;
  /** Least recently used first. */
  readonly #kept = new Map<string, Kept>();

  constructor(compute?: Compute) {
    this.#compute = compute ?? ((request) => this.#threads.study.compute(request));
  }

  /** Makes ready for the first request. */
  warmUp(): void {
    this.#threads.study.warmUp();
  }

  get keptBytes(): number {
    return [...this.#kept.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get(request: ViewRequest): Promise<string> {
    // A run's output grows while it runs, and one is quick; it also must not wait behind a study's statistics.
    if (request.kind === "run" || request.kind === "search") return this.#threads.run.compute(request);
    const dirs = request.kind === "compare" ? [request.a.dir, request.b.dir] : [request.dir];
    const stamp = dirs.map((dir) => stampOf(dir, request.kind === "judge" ? WITH_NOTES : WATCHED)).join(" ");
    const key = JSON.stringify(request);
    const known = this.#kept.get(key);
    const kept = known?.stamp === stamp ? known : this.#start(key, stamp, request);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    this.#evict();
    return kept.json;
  }

  #start(key: string, stamp: string, request: ViewRequest): Kept {
    const kept: Kept = { stamp, json: this.#compute(request), bytes: 0 };
    kept.json.then(
      (json) => {
        kept.bytes = 2 * json.length;
        this.#evict();
      },
      () => {
        if (this.#kept.get(key) === kept) this.#kept.delete(key);
      },
    );
    return kept;
  }

  /** The newest stays, however large it is. */
  #evict(): void {
    for (const key of this.#kept.keys()) {
      const isRoomy = this.#kept.size <= MOST_KEPT && this.keptBytes <= MOST_KEPT_BYTES;
      if (isRoomy || this.#kept.size === 1) return;
      this.#kept.delete(key);
    }
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#threads).map((thread) => thread.close()));
  }
}

/** What the files of a study are now, as far as their sizes and times tell. */
function stampOf(dir: string, names: readonly string[]): string {
  return names
    .map((name) => {
      const stats = statSync(`${dir}/${name}`, { throwIfNoEntry: false });
      return stats ? `${stats.ino}:${stats.size}:${stats.mtimeMs}` : "";
    })
    .join(" ");
}

interface Waiting {
  resolve(json: string): void;
  reject(error: Error): void;
}

/** The thread that computes views; started with the first one, and anew when it broke. */
class ViewThread {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #number = 0;
  #isClosed = false;

  /** Starts the thread before anybody asks: loading what it needs takes as long as a small view. */
  warmUp(): void {
    if (!this.#worker) this.#start();
  }

  compute(request: ViewRequest): Promise<string> {
    if (this.#isClosed) return Promise.reject(ended());
    const worker = this.#worker ?? this.#start();
    const number = this.#number++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      worker.postMessage({ number, request } satisfies ViewOrder);
    });
  }

  /** Whoever still waits for a view is told why there is none. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const isSource = import.meta.url.endsWith(".ts");
    const entry = new URL(isSource ? "../../dist/view-worker.js" : "./view-worker.js", import.meta.url);
    const worker = new Worker(fileURLToPath(entry));
    this.#worker = worker;
    worker.on("message", (answer: ViewAnswer) => {
      const waiting = this.#waiting.get(answer.number);
      this.#waiting.delete(answer.number);
      if ("json" in answer) waiting?.resolve(answer.json);
      else waiting?.reject(answer.isUsers ? new UserError(answer.message) : new Error(answer.message));
    });
    let problem = new Error("the thread that computes views ended");
    worker.on("error", (error) => {
      problem = error instanceof Error ? error : new Error(String(error));
    });
    worker.on("exit", () => {
      this.#worker = undefined;
      for (const { reject } of this.#waiting.values()) reject(this.#isClosed ? ended() : problem);
      this.#waiting.clear();
    });
    // After the listeners: each of them would hold the process again.
    worker.unref();
    return worker;
  }
}

function ended(): MachineError {
  return new MachineError("The page has been ended.");
}
