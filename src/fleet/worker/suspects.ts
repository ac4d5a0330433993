import type { Store } from "../broker/store.ts";
import { KEYS } from "../protocol.ts";

/**
 * Counts how many workers a run took with it. A worker that dies loses all that it had fetched, also what it had not
 * begun; so a run that was lost once is marked while it really runs, and what is still marked later has killed.
 */
export class Suspects {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Deaths so far: the one that made it a suspect, which may be none of its own, and those while it was marked. */
  async deathsOf(study: string, runId: string): Promise<number> {
    const marks = (await this.#store.fields(KEYS.suspects(study)))[runId];
    return 1 + Number(marks ?? 0);
  }

  async mark(study: string, runId: string, deaths: number): Promise<void> {
    await this.#store.setFields(KEYS.suspects(study), { [runId]: String(deaths) });
  }

  async clear(study: string, runId: string): Promise<void> {
    await this.#store.deleteFields(KEYS.suspects(study), [runId]);
  }
}
