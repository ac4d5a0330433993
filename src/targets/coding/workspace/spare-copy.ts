import { renameSync } from "node:fs";
import { join } from "node:path";
import type { Base } from "./base.ts";

/**
 * The copy that will be graded, made while the agent works. It lies beside the agent's: a sandbox that isolates files
 * does not show it.
 */
export class SpareCopy {
  readonly #base: Base;
  readonly #dir: string;
  #made: Promise<void> | undefined;

  readonly #isNeeded: boolean;

  constructor(base: Base, workDir: string, { isNeeded = true } = {}) {
    this.#isNeeded = isNeeded;
    this.#base = base;
    this.#dir = join(workDir, "spare");
  }

  make(): void {
    if (!this.#isNeeded) return;
    this.#made ??= this.#base.copyTo(this.#dir, { withGit: true });
    // Whoever takes it is told.
    this.#made.catch(() => {});
  }

  /** Nothing more is written afterwards. */
  async settled(): Promise<void> {
    await this.#made?.catch(() => {});
  }

  /** Moves it to its place, which must not exist yet. Later ones are made afresh. */
  async moveTo(dir: string): Promise<void> {
    const made = this.#made;
    this.#made = undefined;
    if (!made) return this.#base.copyTo(dir, { withGit: true });
    await made;
    renameSync(this.#dir, dir);
  }
}
