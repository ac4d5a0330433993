const MOST_REFUSALS = 20;
const SHORT_MS = 250;

export interface WorkerEvents {
  say(text: string): void;
  onProblem(problem: string): void;
  onRun(): void;
}

/** What a worker did, does and could not do: what its record in the registry says. */
export class WorkerLog {
  readonly #events: WorkerEvents;
  readonly #doing = new Map<number, { study: string; name: string; run: string; sinceMs: number }>();
  /** Said once each, however many runs it is true of. */
  readonly #said = new Set<string>();
  #next = 0;
  done = 0;
  failed = 0;
  lackOf: Record<string, string> = {};
  refusals: string[] = [];
  problem: string | undefined;
  /** Whether chunks take so little time that the next should be here before one is done. */
  isShort = false;

  constructor(events: WorkerEvents) {
    this.#events = events;
  }

  get doing(): { study: string; name: string; run: string; sinceMs: number }[] {
    return [...this.#doing.values()];
  }

  /** Returns what to call when it has ended, and whether it failed; a second call is nothing. */
  begins(study: string, name: string, run: string): (hasFailed?: boolean) => void {
    const id = this.#next++;
    this.#doing.set(id, { study, name, run, sinceMs: Date.now() });
    return (hasFailed) => {
      if (!this.#doing.delete(id) || hasFailed === undefined) return;
      this.done++;
      if (hasFailed) this.failed++;
      this.#events.onRun();
    };
  }

  chunkTook(ms: number): void {
    this.isShort = ms < SHORT_MS;
  }

  refused(what: string, why: string): void {
    const text = `refused ${what}: ${why}`;
    this.refusals = [...this.refusals, text].slice(-MOST_REFUSALS);
    this.#events.say(text);
  }

  /** The worker can't go on. */
  fails(problem: string): void {
    if (this.problem !== undefined) return;
    this.problem = problem;
    this.#events.onProblem(problem);
  }

  lacks(study: string, why: string, isLack: boolean): void {
    if (this.lackOf[study] === why) return;
    this.lackOf = { ...this.lackOf, [study]: why };
    const text = `can't run the study ${study}: ${why}`;
    if (!isLack) this.fails(why);
    else if (!this.#said.has(text)) this.#events.say(text);
    this.#said.add(text);
  }

  isAble(study: string): void {
    if (!(study in this.lackOf)) return;
    const { [study]: _, ...others } = this.lackOf;
    this.lackOf = others;
  }
}
