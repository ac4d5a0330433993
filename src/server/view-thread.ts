import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { UserError } from "../core/errors.ts";
import type { ViewRequest } from "./compute-view.ts";
import type { ViewAnswer, ViewOrder } from "./view-worker.ts";

interface Waiting {
  resolve(json: string): void;
  reject(error: Error): void;
}

/** The thread that computes views; started with the first one, and anew when it broke. */
export class ViewThread {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #number = 0;

  /** Starts the thread before anybody asks: loading what it needs takes as long as a small view. */
  warmUp(): void {
    if (!this.#worker) this.#start();
  }

  compute(request: ViewRequest): Promise<string> {
    const worker = this.#worker ?? this.#start();
    const number = this.#number++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      worker.postMessage({ number, request } satisfies ViewOrder);
    });
  }

  async close(): Promise<void> {
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
      for (const { reject } of this.#waiting.values()) reject(problem);
      this.#waiting.clear();
    });
    // After the listeners: each of them would hold the process again.
    worker.unref();
    return worker;
  }
}
