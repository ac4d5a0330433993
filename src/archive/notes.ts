import { userInfo } from "node:os";
import { errorCode } from "../core/errors.ts";
import { checkNote, type NoteLine, parseNotes } from "../core/note.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import { appendText, readText } from "../host/files.ts";

/** Everything that people wrote about a study, line by line; [] where nobody did. */
export function readNotes(studyDir: string): NoteLine[] {
  const text = notesText(studyDir);
  return text === "" ? [] : parseNotes(text);
}

/**
 * Adds a line, in one write at the file's end: several who write at once come one after the other. A line that was torn
 * by a full disk ends first.
 */
export function appendNote(studyDir: string, line: NoteLine): void {
  const text = JSON.stringify(checkNote(line));
  const isCut = /[^\n]$/.test(notesText(studyDir));
  appendText(`${studyDir}/${STUDY_FILES.notes}`, `${isCut ? "\n" : ""}${text}\n`);
}

/** Who writes, where nobody says otherwise: ASSAY_USER, or the user of this machine. */
export function writerName(): string {
  const { ASSAY_USER, USER } = process.env;
  if (ASSAY_USER) return ASSAY_USER;
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that has no name.
    return USER || "somebody";
  }
}

function notesText(studyDir: string): string {
  try {
    return readText(`${studyDir}/${STUDY_FILES.notes}`);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "";
    throw error;
  }
}
