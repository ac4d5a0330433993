import type { NotesView, RunRow, StudyCard, StudyView } from "../../src/reporters/study-view.ts";
import type { Source } from "../source/source.ts";
import { putLabels } from "../table/label-columns.ts";
import { RunStore } from "../table/run-store.ts";

/** The findings are asked for again at most this often, and the table is shown anew at most this often. */
const REFETCH_MS = 2000;
const SHOW_MS = 250;

/** What is known of one study, kept up to date while it is looked at. Many rows a second join without a redraw each. */
export class StudyFeed {
  readonly id: string;
  view: StudyView | null = null;
  /** The view is the one that was shown last, perhaps of fewer runs. */
  isBefore = false;
  question: string | null = null;
  /** Lines of its journal, before they are read. */
  records: number | null = null;
  store: RunStore | null = null;
  card: StudyCard | null = null;
  notes: NotesView = { notes: [], views: [], agreement: null };
  error: string | null = null;
  isConnected = true;
  /** Counts what was told, so that views know when to compute anew. */
  version = 0;
  rowsVersion = 0;
  readonly #source: Source;
  readonly #listeners = new Set<() => void>();
  #waiting: RunRow[] = [];
  #end: (() => void) | undefined;
  #timers = new Map<string, ReturnType<typeof setTimeout>>();
  #runs: Promise<void> | undefined;
  #asked = 0;
  #isLoading = false;
  /** A view has asked for the table once: where it could not be had, it is asked for again. */
  #wantsRuns = false;
  #isStarted = false;
  #isStopped = false;

  constructor(source: Source, id: string) {
    this.#source = source;
    this.id = id;
  }

  /** To begin twice is to begin once. */
  start({ withRuns = false } = {}): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#glance();
    // The server answers one question after the other: what the reader came for is asked first.
    if (withRuns) this.loadRuns();
    this.#refetch();
    this.#askNotes();
    this.#end = this.#source.live?.follow(this.id, {
      card: (card) => {
        const isFirst = this.card === null;
        this.card = card;
        if (isFirst) this.#tell();
        else this.#soon("show", SHOW_MS, () => this.#tell());
      },
      rows: (rows) => {
        // Nobody asked for the table yet: it will hold these when it comes.
        if (this.#runs === undefined) return;
        for (const row of rows) this.#waiting.push(row);
        this.#soon("rows", SHOW_MS, () => this.#takeRows());
      },
      stale: () => this.#soon("stale", REFETCH_MS, () => this.#refetch()),
      notes: () => this.#askNotes(),
      reset: () => {
        this.#waiting = [];
        this.store = null;
        this.#catchUp();
      },
      connection: (isUp) => {
        if (isUp === this.isConnected) return;
        this.isConnected = isUp;
        this.#tell();
        if (isUp) this.#catchUp();
      },
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#end?.();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The table of runs is large: it is fetched when a view first needs it. */
  loadRuns(): Promise<void> {
    this.#wantsRuns = true;
    this.#runs ??= this.#askRuns(++this.#asked);
    return this.#runs;
  }

  /** What people say now; rows that have labels are shown anew. */
  takeNotes(notes: NotesView): void {
    this.notes = notes;
    if (this.store) putLabels(this.store, notes.notes);
    this.rowsVersion++;
    this.#tell();
  }

  /** A study without its notes is still worth showing. */
  #askNotes(): void {
    this.#source.notes(this.id).then(
      (notes) => this.takeNotes(notes),
      () => {},
    );
  }

  #askRuns(number: number): Promise<void> {
    this.#isLoading = true;
    return this.#source.runs(this.id).then(
      (table) => {
        // A table that was asked for before everything changed says nothing.
        if (number !== this.#asked) return;
        this.#isLoading = false;
        this.store = new RunStore(table);
        this.#takeRows();
      },
      (problem: Error) => {
        if (number !== this.#asked) return;
        this.#isLoading = false;
        this.#runs = undefined;
        this.#fail(problem);
      },
    );
  }

  /** What was told while nobody could hear it is not told again. */
  #catchUp(): void {
    this.#refetch();
    this.#askNotes();
    if (this.#runs === undefined) return;
    this.#runs = undefined;
    this.loadRuns();
  }

  /** What can be had at once; the answer itself says what went wrong, where something does. */
  #glance(): void {
    this.#source.live?.glance(this.id).then(
      ({ question, records, before }) => {
        if (this.view) return;
        this.question = question;
        this.records = records;
        this.view = before;
        this.isBefore = before !== null;
        this.#tell();
      },
      () => {},
    );
  }

  #refetch(): void {
    this.#source.study(this.id).then(
      (view) => {
        this.view = view;
        this.isBefore = false;
        this.error = null;
        if (this.#wantsRuns && this.#runs === undefined) this.loadRuns();
        this.#tell();
      },
      (problem: Error) => this.#fail(problem),
    );
  }

  /** Nothing may ever change in a study that could not be had, so no event would lead to it: it is asked for again. */
  #fail(problem: Error): void {
    this.error = problem.message;
    this.#tell();
    if (this.#source.live) this.#soon("stale", REFETCH_MS, () => this.#refetch());
  }

  /** Rows that come before the table are kept until it is there; those it already holds take their own place. */
  #takeRows(): void {
    if (!this.store || this.#isLoading) return;
    this.store.put(this.#waiting);
    this.#waiting = [];
    if (this.notes.notes.length > 0) putLabels(this.store, this.notes.notes);
    this.rowsVersion++;
    this.#tell();
  }

  #soon(what: string, afterMs: number, act: () => void): void {
    if (this.#isStopped || this.#timers.has(what)) return;
    const later = () => {
      this.#timers.delete(what);
      act();
    };
    this.#timers.set(what, setTimeout(later, afterMs));
  }

  #tell(): void {
    this.version++;
    for (const listener of this.#listeners) listener();
  }
}
