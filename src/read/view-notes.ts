import { agreementOf } from "../analysis/labels/agreement.ts";
import { readNotes } from "../archive/notes.ts";
import { savedViews, standingNotes } from "../core/note.ts";
import type { NotesView } from "../reporters/study-view.ts";

/** What people say of a study, how far they agree, and which views of the page they gave a name. */
export function viewNotes(studyDir: string): NotesView {
  const lines = readNotes(studyDir);
  if (lines.length === 0) return { notes: [], views: [], agreement: null };
  const notes = standingNotes(lines);
  return { notes, views: savedViews(lines), agreement: agreementOf(notes) };
}
