import { type Capabilities, lackOf, type Needs } from "../../fleet/needs.ts";
import type { Registry } from "../../fleet/registry.ts";

interface WatchOptions {
  registry: Registry;
  study: string;
  needs: Needs;
  say(text: string): void;
  label: string;
}

/** So many looks in a row find nobody before it is said: a machine that stood still hears its workers late. */
const PATIENCE = 4;

/** Knows how many runs the fleet can do at once, and says when it can do none. */
export class FleetWatch {
  readonly #options: WatchOptions;
  #inVain = 0;
  #said = "";
  #looking: Promise<void> | undefined;
  slots = 0;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** One look at a time: among very many workers it takes longer than until the next one is due. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { registry, study, needs } = this.#options;
    const alive = (await registry.list()).filter(({ isAlive, state }) => isAlive && state !== "refused");
    const fitting = alive.filter((worker) => lackOf(needs, worker satisfies Capabilities) === undefined);
    const able = fitting.filter(({ lacks }) => lacks[study] === undefined);
    this.slots = able.filter(({ state }) => state === "running").reduce((sum, { jobs }) => sum + jobs, 0);
    if (able.length > 0) {
      this.#inVain = 0;
      this.#said = "";
    } else if (++this.#inVain >= PATIENCE) this.#explain(alive, fitting);
  }

  /** Once for each state of things. */
  #explain(
    alive: ({ id: string } & Capabilities)[],
    fitting: { id: string; lacks: Record<string, string> }[],
  ): void {
    const { study, needs, label, say } = this.#options;
    const text =
      alive.length === 0
        ? `no worker is there: start some with \`assay worker --queue ${label}\``
        : fitting.length === 0
          ? `no worker can run this study: ${alive.map((worker) => `${worker.id} lacks ${lackOf(needs, worker)}`).join("; ")}`
          : `no worker can run this study: ${fitting.map(({ id, lacks }) => `${id}: ${lacks[study]}`).join("; ")}`;
    if (text === this.#said) return;
    this.#said = text;
    say(text);
  }
}

/** What the user should know, kept until somebody listens. */
export class Notices {
  #early: string[] = [];
  #listener: ((text: string) => void) | undefined;

  readonly say = (text: string): void => {
    if (this.#listener) this.#listener(text);
    else this.#early.push(text);
  };

  listen(listener: (text: string) => void): void {
    this.#listener = listener;
    for (const text of this.#early.splice(0)) listener(text);
  }
}
