import type { StudyCard } from "../reporters/study-view.ts";
import { StudyFollower } from "./study-follower.ts";
import type { StudyShelf } from "./study-shelf.ts";

/** Cards that are asked for within this time of each other are made once. */
const FRESH_MS = 200;

/** One follower a study, for everybody who is looking. */
export class Followers {
  readonly #shelf: StudyShelf;
  readonly #options: { mayControl: boolean };
  readonly #byId = new Map<string, StudyFollower>();
  #cards: { atMs: number; cards: Promise<StudyCard[]> } | undefined;

  constructor(shelf: StudyShelf, options: { mayControl: boolean }) {
    this.#shelf = shelf;
    this.#options = options;
  }

  /** The follower of a study, or undefined where there is no study of that id. */
  find(id: string): StudyFollower | undefined {
    const dir = this.#shelf.find(id);
    if (dir === undefined) {
      this.#byId.delete(id);
      return undefined;
    }
    const follower = this.#byId.get(id) ?? new StudyFollower(id, dir, this.#options);
    this.#byId.set(id, follower);
    return follower;
  }

  cards(): Promise<StudyCard[]> {
    const now = performance.now();
    if (!this.#cards || now - this.#cards.atMs > FRESH_MS) this.#cards = { atMs: now, cards: this.#read() };
    return this.#cards.cards;
  }

  get hasReaders(): boolean {
    return [...this.#byId.values()].some((follower) => follower.hasReaders);
  }

  /** Tells whoever listens how things are now. */
  async settle(): Promise<void> {
    const heard = [...this.#byId.values()].filter((follower) => follower.hasReaders);
    await Promise.all(heard.map((follower) => follower.settle().catch(() => {})));
  }

  close(): void {
    for (const follower of this.#byId.values()) follower.close();
    this.#byId.clear();
  }

  async #read(): Promise<StudyCard[]> {
    const cards: StudyCard[] = [];
    for (const id of this.#shelf.all().keys()) {
      const card = await this.find(id)
        ?.refresh()
        .catch(() => undefined);
      if (card) cards.push(card);
    }
    return cards;
  }
}
