import type { Store } from "./broker/store.ts";
import type { Limit } from "./limits/limit.ts";
import { KEYS } from "./protocol.ts";

/** What a coordinator says of its study, again every second: for people to look at, it decides nothing. */
export interface StudyNote {
  id: string;
  name: string;
  host: string;
  pid: number;
  state: "running" | "paused" | "stopping";
  /** Null until the study has planned its runs. */
  total: number | null;
  ended: number;
  failed: number;
  limits: Limit[];
  /** Runs that killed too many workers, the newest last. */
  parked: { run: string; reason: string }[];
  /** By the clock of the queue's server. */
  startedAtMs: number;
  seenAtMs: number;
}

const FORGET_MS = 24 * 3600 * 1000;

/** The studies that are under way. One whose coordinator died stays for a day: it may come back. */
export class StudyNotes {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async write(note: StudyNote): Promise<void> {
    await this.#store.setFields(KEYS.studies, { [note.id]: JSON.stringify(note) });
  }

  async remove(id: string): Promise<void> {
    await this.#store.deleteFields(KEYS.studies, [id]);
  }

  async list(): Promise<StudyNote[]> {
    const [fields, now] = await Promise.all([this.#store.fields(KEYS.studies), this.#store.nowMs()]);
    const notes = Object.values(fields).flatMap((text) => parse(text) ?? []);
    const old = notes.filter(({ seenAtMs }) => now - seenAtMs > FORGET_MS).map(({ id }) => id);
    await this.#store.deleteFields(KEYS.studies, old);
    return notes.filter(({ id }) => !old.includes(id)).sort((a, b) => a.startedAtMs - b.startedAtMs);
  }
}

function parse(text: string): StudyNote | undefined {
  try {
    return JSON.parse(text) as StudyNote;
  } catch {
    return undefined;
  }
}
