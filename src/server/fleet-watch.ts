import { Fleet } from "../api/fleet.ts";
import { errorText, UserError } from "../core/errors.ts";
import type { FleetView } from "../core/fleet-view.ts";

/** However many pages look, the queue is asked no more often than this. */
const FRESH_MS = 1000;
const PATIENCE_MS = 5000;

/** What the page shows of a fleet. The queue is connected to when somebody looks: a page need not have one to start. */
export class FleetWatch {
  #opening: Promise<Fleet> | undefined;
  #asked: { view: Promise<FleetView>; atMs: number } | undefined;

  view(): Promise<FleetView> {
    if (this.#asked && performance.now() - this.#asked.atMs < FRESH_MS) return this.#asked.view;
    const view = inTime(this.#read());
    this.#asked = { view, atMs: performance.now() };
    return view;
  }

  async close(): Promise<void> {
    const fleet = await this.#opening?.catch(() => undefined);
    await fleet?.[Symbol.asyncDispose]();
  }

  async #read(): Promise<FleetView> {
    this.#opening ??= Fleet.open();
    try {
      return await (await this.#opening).view();
    } catch (error) {
      const failed = this.#opening;
      failed?.catch(() => {
        if (this.#opening === failed) this.#opening = undefined;
      });
      throw error instanceof UserError
        ? error
        : new UserError(`the queue does not answer (${errorText(error)})`);
    }
  }
}

/** A server that is away is waited for below; the page is told meanwhile. */
function inTime(view: Promise<FleetView>): Promise<FleetView> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new UserError("the queue does not answer")), PATIENCE_MS);
  });
  return Promise.race([view, late]).finally(() => clearTimeout(timer));
}
