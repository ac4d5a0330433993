import type { Broker, FleetQueue } from "../broker/broker.ts";
import { persist } from "../broker/persist.ts";
import { seal } from "../envelope.ts";
import { type ResultsMessage, type RunResult, resultsQueue } from "../protocol.ts";

/** Results wait no longer than this for company. */
const FLUSH_MS = 4;
const MOST_IN_A_MESSAGE = 1000;

type Item = { result: RunResult } | { returned: ResultsMessage["returned"][number] };
interface Waiting {
  item: Item;
  resolve(): void;
  reject(error: unknown): void;
}

/** Sends what the runs of one study gave, in batches; a result counts as sent when the queue has it. */
export class ResultSender {
  readonly #queue: FleetQueue;
  readonly #options: { study: string; worker: string; key: string };
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(broker: Broker, options: { study: string; worker: string; key: string }) {
    this.#queue = broker.queue(resultsQueue(options.study));
    this.#options = options;
  }

  send(item: Item): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#waiting.length >= MOST_IN_A_MESSAGE) this.#flush();
      else this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS);
    });
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#waiting;
    this.#waiting = [];
    const { study, worker, key } = this.#options;
    const message: ResultsMessage = {
      worker,
      results: batch.flatMap(({ item }) => ("result" in item ? [item.result] : [])),
      returned: batch.flatMap(({ item }) => ("returned" in item ? [item.returned] : [])),
    };
    const envelope = seal("results", message, { key, study });
    // The signature names the message, so that sending it again after a cut makes no second one.
    const jobId = `r${envelope.signature.slice(0, 32)}`;
    persist(() => this.#queue.add("results", envelope, { jobId, removeOnComplete: true })).then(
      () => {
        for (const { resolve } of batch) resolve();
      },
      (error) => {
        for (const { reject } of batch) reject(error);
      },
    );
  }
}
