import { statSync } from "node:fs";
import { JournalFollower, type JournalPlace } from "../archive/follow-journal.ts";
import { isCurrent, lateCostUsd, readStudyFileIfAny } from "../archive/read-records.ts";
import type { RunRecord } from "../core/run.ts";
import { STUDY_FILES, type StudyFile, shownName } from "../core/study-folder.ts";
import { type Runner, runnerOf } from "../read/runner-of.ts";
import type { StudyCard } from "../reporters/study-view.ts";
import { cardOf } from "./card-of.ts";
import { Tally } from "./tally.ts";

/** Rows are told ten times a second at most, so looking more often (or being woken) would gain nothing. */
const LOOK_MS = 100;
const ASK_RUNNER_MS = 500;
const CARD_MS = 250;
const STALE_MS = 1000;
/** Whoever has a table begins to listen within this time, or asks for the table again. */
const SNAPSHOT_MS = 30_000;

/** Where a table of runs ends that was made for somebody. */
interface Snapshot {
  place: JournalPlace;
  atMs: number;
}

/** Records that ended between two places of the journal. */
export interface Batch {
  from: number;
  to: number;
  records: RunRecord[];
}

export interface Listener {
  /** Called at every look, with what is new; mostly nothing. */
  look(batch: Batch): void;
  card(card: StudyCard): void;
  /** The findings have changed. */
  stale(): void;
  /** Somebody has written a note. */
  notes(): void;
  /** The journal is another one: what was told of runs is void. */
  reset(): void;
}

/** Follows one study through its folder alone, once for everybody who is looking at it. */
export class StudyFollower {
  readonly dir: string;
  readonly #id: string;
  readonly #mayControl: boolean;
  readonly #listeners = new Set<Listener>();
  #journal: JournalFollower;
  #tally = new Tally();
  #study: StudyFile | undefined;
  #studyStamp = "";
  #notesStamp: string | undefined;
  #isOfNow: (record: RunRecord) => boolean = () => true;
  /** Where tables end that were made lately, the oldest first. */
  #snapshots: Snapshot[] = [];
  /** A table that was asked for before the journal has been read, and how long that was then. */
  #early: (Snapshot & { bytes: number }) | undefined;
  #runner: Runner | undefined;
  #runnerAtMs = Number.NEGATIVE_INFINITY;
  #cardText = "";
  #cardAtMs = Number.NEGATIVE_INFINITY;
  #isStale = false;
  #staleAtMs = Number.NEGATIVE_INFINITY;
  #update: Promise<StudyCard> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(id: string, dir: string, { mayControl }: { mayControl: boolean }) {
    this.#id = id;
    this.dir = dir;
    this.#mayControl = mayControl;
    this.#journal = new JournalFollower(dir);
  }

  /** A table of runs is about to be made for somebody, who may begin to listen only after that. */
  noteSnapshot(): void {
    const { place } = this;
    const atMs = performance.now();
    if (!this.#update && place.identity !== "") this.#keepSnapshot({ place, atMs });
    else if (!this.#early || atMs - this.#early.atMs > SNAPSHOT_MS)
      this.#early = { place, atMs, bytes: sizeOf(`${this.dir}/${STUDY_FILES.journal}`) };
  }

  #keepSnapshot(snapshot: Snapshot): void {
    this.#snapshots.push(snapshot);
    this.#forgetSnapshots();
  }

  /** The journal has been read on: whoever asked for a table before needs no more than what lay behind its end then. */
  #moveEarly(): void {
    const { place } = this;
    if (this.#early && place.offset <= this.#early.bytes) this.#early.place = place;
  }

  #settleEarly(): void {
    const { identity } = this.#journal;
    if (this.#early && identity !== "") {
      const { place, atMs } = this.#early;
      this.#keepSnapshot({ place: { ...place, identity: place.identity || identity }, atMs });
      this.#early = undefined;
    }
  }

  /**
   * Where somebody begins who has heard nothing yet: where the oldest of the latest tables ends, for nobody knows which
   * of them is this reader's. So no run falls between; one that is told twice is the same row.
   */
  get start(): JournalPlace {
    this.#forgetSnapshots();
    const usable = this.#snapshots.find(({ place }) => place.identity === this.#journal.identity);
    return usable?.place ?? this.place;
  }

  #forgetSnapshots(): void {
    const sinceMs = performance.now() - SNAPSHOT_MS;
    this.#snapshots = this.#snapshots.filter(({ atMs }) => atMs >= sinceMs);
  }

  /** How far the journal has been read. */
  get place(): JournalPlace {
    const { identity, offset } = this.#journal;
    return { identity, offset };
  }

  get hasReaders(): boolean {
    return this.#listeners.size > 0;
  }

  isShown(record: RunRecord): boolean {
    return this.#isOfNow(record);
  }

  /** Looks now; the card as it is after that. */
  refresh(): Promise<StudyCard> {
    this.#update ??= this.#look().finally(() => {
      this.#update = undefined;
    });
    return this.#update;
  }

  /** Looks once more and tells how things are, however little time has passed since the last word. */
  async settle(): Promise<void> {
    await this.#update?.catch(() => {});
    this.#runnerAtMs = Number.NEGATIVE_INFINITY;
    this.#cardAtMs = Number.NEGATIVE_INFINITY;
    await this.refresh();
  }

  /** Tells what happens from now on, until the returned function is called. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    this.#schedule();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.close();
    };
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(): void {
    if (this.#timer || this.#listeners.size === 0) return;
    this.#timer = setTimeout(async () => {
      await this.refresh().catch(() => {});
      this.#timer = undefined;
      this.#schedule();
    }, LOOK_MS);
  }

  async #look(): Promise<StudyCard> {
    this.#readStudy();
    let hasMore = true;
    while (hasMore) {
      const growth = this.#journal.read();
      if (growth.isReset) this.#restart();
      this.#take(growth.records);
      hasMore = growth.hasMore;
      const to = this.#journal.offset;
      this.#moveEarly();
      this.#tell((listener) => listener.look({ from: growth.from, to, records: growth.records }));
      // Others get their turn while a long journal is read for the first time.
      if (hasMore) await new Promise((resolve) => setImmediate(resolve));
    }
    this.#settleEarly();
    this.#lookAtNotes();
    await this.#askRunner();
    return this.#tellNews();
  }

  #take(records: readonly RunRecord[]): void {
    const nowMs = Date.now();
    for (const record of records) this.#tally.add(record, { isCurrent: this.#isOfNow(record), nowMs });
    if (records.length > 0) this.#isStale = true;
  }

  #restart(): void {
    this.#tally = new Tally();
    this.#isStale = true;
    this.#tell((listener) => listener.reset());
  }

  #lookAtNotes(): void {
    const stamp = stampOf(`${this.dir}/${STUDY_FILES.notes}`);
    const before = this.#notesStamp;
    this.#notesStamp = stamp;
    if (before !== undefined && before !== stamp) this.#tell((listener) => listener.notes());
  }

  /** study.json says which runs count. When that changes, the journal is counted anew. */
  #readStudy(): void {
    const stamp = stampOf(`${this.dir}/${STUDY_FILES.study}`);
    if (stamp === this.#studyStamp) return;
    const before = this.#study?.launches.at(-1)?.plan;
    this.#studyStamp = stamp;
    this.#study = readStudyFileIfAny(this.dir);
    this.#isStale = true;
    if (this.#study?.launches.at(-1)?.plan === before && before !== undefined) return;
    this.#isOfNow = this.#study ? isCurrent(this.#study) : () => true;
    const { offset } = this.#journal;
    if (offset > 0) this.#restart();
    this.#journal = new JournalFollower(this.dir);
  }

  async #askRunner(): Promise<void> {
    if (performance.now() - this.#runnerAtMs < ASK_RUNNER_MS) return;
    const wasRunning = this.#runner !== undefined;
    this.#runner = await runnerOf(this.dir).catch(() => undefined);
    this.#runnerAtMs = performance.now();
    if (wasRunning !== (this.#runner !== undefined)) this.#isStale = true;
  }

  #tellNews(): StudyCard {
    const card = cardOf(this.#tally, {
      id: this.#id,
      name: shownName(this.dir, this.#study?.name),
      study: this.#study,
      runner: this.#runner,
      mayControl: this.#mayControl,
      lateCostUsd: lateCostUsd(this.dir),
      nowMs: Date.now(),
    });
    const text = JSON.stringify(card);
    const now = performance.now();
    if (text !== this.#cardText && now - this.#cardAtMs >= CARD_MS) {
      this.#cardText = text;
      this.#cardAtMs = now;
      this.#tell((listener) => listener.card(card));
    }
    if (this.#isStale && now - this.#staleAtMs >= STALE_MS) {
      this.#isStale = false;
      this.#staleAtMs = now;
      this.#tell((listener) => listener.stale());
    }
    return card;
  }

  #tell(what: (listener: Listener) => void): void {
    for (const listener of this.#listeners) what(listener);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.ino}:${stats.size}:${stats.mtimeMs}` : "";
}
