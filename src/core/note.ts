import { UserError } from "./errors.ts";
import { fitting, listOf, number, objectWith, optional, orNull, text } from "./shape.ts";

/** What a note is about: a run, one of its turns, a task, or with no key the study. */
export interface Subject {
  run?: string;
  /** Of a turn in a run with several transcripts: the file that it is from. */
  file?: string;
  turn?: number;
  task?: string;
}

/**
 * A line of notes.jsonl: what somebody changed about what they say of something. Only the keys that it has count, so
 * two who write at once, or one person on two pages, take nothing from each other.
 */
export interface NoteLine extends Subject {
  at: string;
  by: string;
  /** Null takes it back. */
  verdict?: string | null;
  note?: string | null;
  tags?: string[];
  /** Tags that are taken back. */
  untags?: string[];
  /** The name of a view of the page, kept under this name; a null address takes it back. */
  view?: string;
  address?: string | null;
}

/** What one person says of one thing, after all of their lines. */
export interface Note extends Subject {
  at: string;
  by: string;
  verdict: string | null;
  tags: string[];
  note: string | null;
}

/** A view of the page that somebody gave a name: what stands behind # of its address. */
export interface SavedView {
  name: string;
  address: string;
  by: string;
  at: string;
}

const LINE = objectWith({
  ...{ at: text, by: text },
  ...{ run: optional(text), file: optional(text), turn: optional(number), task: optional(text) },
  ...{ verdict: optional(orNull(text)), note: optional(orNull(text)) },
  ...{ tags: optional(listOf(text)), untags: optional(listOf(text)) },
  ...{ view: optional(text), address: optional(orNull(text)) },
});

/** The lines of the file; what is no line of ours, or was torn, is passed over. */
export function parseNotes(content: string): NoteLine[] {
  return content.split("\n").flatMap((line) => {
    if (line === "") return [];
    try {
      const read = fitting<NoteLine>(JSON.parse(line), LINE);
      return read ? [read] : [];
    } catch {
      return [];
    }
  });
}

/** Tells two things that people speak of apart. */
export function subjectKey({ run, file, turn, task }: Subject): string {
  return JSON.stringify([run ?? null, file ?? null, turn ?? null, task ?? null]);
}

/** What everybody says now, in the order in which they first spoke of each thing. */
export function standingNotes(lines: readonly NoteLine[]): Note[] {
  const notes = new Map<string, Note>();
  for (const line of lines) {
    if (line.view !== undefined) continue;
    const { run, file, turn, task, by, at } = line;
    const key = `${subjectKey(line)} ${by}`;
    const before = notes.get(key);
    const removed = new Set(line.untags ?? []);
    const tags = [...new Set([...(before?.tags ?? []), ...(line.tags ?? [])])];
    notes.set(key, {
      ...(run !== undefined && { run }),
      ...(file !== undefined && { file }),
      ...(turn !== undefined && { turn }),
      ...(task !== undefined && { task }),
      ...{ at, by },
      verdict: line.verdict !== undefined ? line.verdict : (before?.verdict ?? null),
      tags: tags.filter((tag) => !removed.has(tag)),
      note: line.note !== undefined ? line.note : (before?.note ?? null),
    });
  }
  return [...notes.values()].filter(({ verdict, tags, note }) => verdict ?? note ?? tags[0]);
}

/** The views that have a name now; a name that is given again stands for the new one. */
export function savedViews(lines: readonly NoteLine[]): SavedView[] {
  const views = new Map<string, SavedView>();
  for (const { view, address, by, at } of lines) {
    if (view === undefined) continue;
    if (address === null || address === undefined) views.delete(view);
    else views.set(view, { name: view, address, by, at });
  }
  return [...views.values()];
}

/** What a person may write at most: notes are read by people. */
const MOST_NOTE_CHARS = 20_000;
const MOST_WORD_CHARS = 200;
const MOST_NAME_CHARS = 2000;
const MOST_TAGS = 50;

/** A line as it is written, checked: one that came from a page or a command line may hold anything. */
export function checkNote(line: NoteLine): NoteLine {
  const problem = LINE(line);
  if (problem !== undefined) throw new UserError("this is not a note", { got: problem });
  const words = { by: line.by, verdict: line.verdict, view: line.view };
  for (const [name, word] of Object.entries(words))
    if (typeof word === "string") checkText(name, word, MOST_WORD_CHARS);
  for (const tag of [...(line.tags ?? []), ...(line.untags ?? [])]) checkText("tags", tag, MOST_WORD_CHARS);
  const names = { run: line.run, task: line.task, file: line.file, address: line.address };
  for (const [name, word] of Object.entries(names))
    if (typeof word === "string") checkText(name, word, MOST_NAME_CHARS);
  if (typeof line.note === "string") checkText("note", line.note, MOST_NOTE_CHARS);
  if ((line.tags?.length ?? 0) + (line.untags?.length ?? 0) > MOST_TAGS)
    throw new UserError("too many tags", { expected: `at most ${MOST_TAGS} at once` });
  if (line.turn !== undefined && (line.run === undefined || !Number.isInteger(line.turn)))
    throw new UserError("a turn belongs to a run", { expected: "a run, and the turn's number" });
  if (Object.keys(line).every((key) => SUBJECT_KEYS.has(key)))
    throw new UserError("this note says nothing", { expected: "a verdict, a tag or a text" });
  return line;
}

const SUBJECT_KEYS = new Set(["at", "by", "run", "file", "turn", "task"]);

function checkText(name: string, word: string, most: number): void {
  if (word.trim() === "") throw new UserError(`${name} of a note is empty`, { expected: "some text" });
  if (word.length > most)
    throw new UserError(`${name} of a note is too long`, {
      expected: `at most ${most} characters`,
      got: String(word.length),
    });
}
