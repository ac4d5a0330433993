import type { Judgement } from "../../src/analysis/labels/judge.ts";
import type { FleetView } from "../../src/core/fleet-view.ts";
import type { NoteLine } from "../../src/core/note.ts";
import type {
  FoundTurns,
  Glance,
  NotesView,
  RunRow,
  RunTable,
  RunView,
  StudiesView,
  StudyCard,
  StudyView,
} from "../../src/reporters/study-view.ts";

/** Where the page's data come from: the file itself, or the server that sent the page. */
export interface Source {
  study(id: string): Promise<StudyView>;
  runs(study: string): Promise<RunTable>;
  /** Null where the source does not hold this run's details. */
  run(study: string, run: string): Promise<RunView | null>;
  notes(study: string): Promise<NotesView>;
  /** Null where the study has no judge, or nobody has labelled a run. */
  judgement(study: string): Promise<Judgement | null>;
  /** How many runs a file has as rows only, for want of room. */
  left(): number;
  /** What only a served page can do; null in a file. */
  live: LiveSource | null;
  /** Set where the file compares two studies instead of showing one. */
  comparison: StudiesView | null;
}

export interface LiveSource {
  session(): Promise<Session>;
  studies(): Promise<StudyCard[]>;
  /** What is known at once, while the answer is worked out. */
  glance(study: string): Promise<Glance>;
  /** What a study asks and says, without the rest of it. */
  answer(study: string): Promise<Pick<StudyView, "question" | "answer" | "counts">>;
  /** Somebody has seen the answer that so many runs give. */
  look(study: string, runs: number): Promise<void>;
  compare(a: string, b: string): Promise<StudiesView>;
  control(order: Order): Promise<void>;
  /** Adds to what people say; gives all of it. */
  addNote(said: Omit<NoteLine, "at"> & { study: string }): Promise<NotesView>;
  fleet(): Promise<FleetView>;
  search(study: string, text: string): Promise<FoundTurns>;
  fileText(file: { study: string; run: string; path: string }): Promise<string>;
  fileHref(file: { study: string; run: string; path: string }): string;
  /** Follows one study, or with null all cards; returns what ends it. */
  follow(study: string | null, hears: Hears): () => void;
}

export interface Session {
  canControl: boolean;
  mayNote: boolean;
  /** Who writes notes, where the reader gives no other name. */
  writer: string;
  root: string;
  version: string;
  /** Whether the server knows a queue. */
  hasFleet: boolean;
}

export interface Order {
  study: string;
  action: "pause" | "resume" | "cancel" | "adjust" | "rerun";
  run?: string;
  jobs?: number;
  costUsd?: number;
}

export interface Hears {
  card?: (card: StudyCard) => void;
  cards?: (cards: StudyCard[]) => void;
  rows?: (rows: RunRow[]) => void;
  /** The findings changed: ask for the study again. */
  stale?: () => void;
  /** Somebody has written a note: ask for them again. */
  notes?: () => void;
  /** The runs are others than those told before: ask for everything again. */
  reset?: () => void;
  /** Whether the server can be heard. */
  connection?: (isUp: boolean) => void;
}
