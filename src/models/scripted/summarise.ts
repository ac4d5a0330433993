import type { Message } from "../../core/message.ts";
import { type Note, noteText, readNotes } from "./notes.ts";
import type { Slips } from "./slips.ts";

/** Which part of a summary a note belongs to. */
const SECTION: Record<Note["kind"], string> = {
  checked: "Completed",
  again: "Completed",
  defined: "Code state",
  told: "Dependencies",
  rule: "Code state",
  edited: "Changes",
  failing: "Tests",
  passing: "Tests",
};
const SECTIONS = ["Completed", "Tests", "Code state", "Dependencies", "Changes", "Current state"];

/**
 * Answers a request for a summary: the notes in the turns, by sections, some of them forgotten. Tests that ran after the
 * last change are the current state; earlier ones are told before it.
 */
export function summarise(messages: readonly Message[], slips: Slips): string {
  const told = messages
    .filter(({ role }) => role !== "tool" && role !== "system")
    .map(({ text }) => withoutOutput(text));
  const notes = lastOfEach(told.flatMap(readNotes)).filter(
    (note) => !slips.happens("forget", noteText(note)),
  );
  const lastEdit = notes.findLastIndex(({ kind }) => kind === "edited");
  const sections = new Map<string, string[]>(SECTIONS.map((title) => [title, []]));
  for (const [i, note] of notes.entries()) {
    const isCurrent = SECTION[note.kind] === "Tests" && lastEdit >= 0 && i > lastEdit;
    sections.get(isCurrent ? "Current state" : SECTION[note.kind])!.push(`- ${noteText(note)}`);
  }
  const isDone = notes.some(({ kind }) => kind === "passing");
  const parts = SECTIONS.map((title) => part(title, sections.get(title)!));
  return [
    part("User context", ["- Make the failing tests pass, as the task says."]),
    ...parts,
    part("Pending", [isDone ? "- Submit." : "- Find code that is not what its page says, and change it."]),
    part("Version control", ["- Nothing was committed."]),
  ].join("\n");
}

function part(title: string, lines: readonly string[]): string {
  return [`${title}:`, ...(lines.length > 0 ? lines : ["- nothing"])].join("\n");
}

/** Of notes that say the same or replace each other, the last. */
function lastOfEach(notes: readonly Note[]): Note[] {
  const isTests = ({ kind }: Note) => kind === "failing" || kind === "passing";
  const lastTests = notes.findLastIndex(isTests);
  const lastAgain = notes.findLastIndex(({ kind }) => kind === "again");
  const byText = new Map<string, Note>();
  for (const [i, note] of notes.entries()) {
    if (isTests(note) && i !== lastTests) continue;
    // A second look makes nothing of what the first found right.
    if (i < lastAgain && (note.kind === "checked" || note.kind === "again")) continue;
    const text = noteText(note);
    byText.delete(text);
    byText.set(text, note);
  }
  return [...byText.values()];
}

/** What tools printed is no note, whatever it looks like: from each `Observation:` to the next turn. */
function withoutOutput(text: string): string {
  return text.replaceAll(/^Observation:[\s\S]*?(?=^Turn \d+\n|(?![\s\S]))/gm, "");
}
