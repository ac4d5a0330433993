/** A chunk should keep a worker busy for about this long: many times what the queue takes, yet soon done. */
const WANTED_MS = 60;
const MOST_RUNS = 512;
/** What a run with a folder costs beside its own time. */
const FOLDER_MS = 4;

/** How many runs travel together: one while they are long; more, and ever more, while they are short. */
export class ChunkSize {
  readonly #extraMs: number;
  readonly #most: number;
  #size = 1;

  constructor({ hasFolders, isLimited = false }: { hasFolders: boolean; isLimited?: boolean }) {
    // Each run of a limited study needs a place of its own.
    this.#most = isLimited ? 1 : MOST_RUNS;
    this.#extraMs = hasFolders ? FOLDER_MS : 0;
  }

  get now(): number {
    return this.#size;
  }

  /** Takes account of runs that have ended. */
  learn(wallMs: readonly number[]): void {
    if (wallMs.length === 0) return;
    const mean = wallMs.reduce((a, b) => a + b, 0) / wallMs.length + this.#extraMs;
    const fitting = Math.floor(WANTED_MS / Math.max(mean, 1e-6));
    this.#size = Math.max(1, Math.min(fitting, this.#size * 2, this.#most));
  }
}
