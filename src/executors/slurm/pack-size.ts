/** A task should last about this long, so that starting it (a second or two) costs little. */
const GOOD_TASK_MS = 60_000;
/** Even where runs could spread over more tasks, none is shorter than this. */
const SHORTEST_TASK_MS = 5000;
const MOST_IN_A_PACK = 500;
/** Without a limit on concurrent tasks, so many are made before packs grow. */
const USUAL_WIDTH = 64;
/** So many runs go alone first, to learn how long they take. */
const PROBES = 16;
/** Probes that are still under way after this show that runs are long. */
const LONG_RUN_MS = 60_000;

interface PackOptions {
  pack?: number;
  concurrent?: number;
}

/** Decides how many runs one array task does: as the study says, or so many that a task lasts about a minute. */
export class PackSize {
  readonly #given: number | undefined;
  readonly #width: number;
  #meanMs: number | undefined;
  #probedSinceMs: number | undefined;

  constructor({ pack, concurrent }: PackOptions) {
    this.#given = pack;
    this.#width = concurrent ?? USUAL_WIDTH;
  }

  /** A run took so long; the newest weigh most. */
  learn(wallMs: number): void {
    this.#meanMs = this.#meanMs === undefined ? wallMs : 0.9 * this.#meanMs + 0.1 * wallMs;
  }

  /** The first task has started. */
  begin(nowMs: number): void {
    this.#probedSinceMs ??= nowMs;
  }

  /** How many of the waiting runs may be submitted now, in packs of which size. */
  next(waiting: number, { nowMs, out }: { nowMs: number; out: number }): { runs: number; pack: number } {
    if (this.#given !== undefined) return { runs: waiting, pack: this.#given };
    if (this.#meanMs === undefined) {
      const isLong = this.#probedSinceMs !== undefined && nowMs - this.#probedSinceMs > LONG_RUN_MS;
      return { runs: isLong ? waiting : Math.min(waiting, Math.max(0, PROBES - out)), pack: 1 };
    }
    const meanMs = Math.max(this.#meanMs, 1);
    const fair = Math.ceil(waiting / this.#width);
    const pack = Math.max(Math.min(GOOD_TASK_MS / meanMs, fair), SHORTEST_TASK_MS / meanMs);
    return { runs: waiting, pack: Math.max(1, Math.min(Math.floor(pack), MOST_IN_A_PACK)) };
  }
}
