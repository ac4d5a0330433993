import { appendFileSync } from "node:fs";
import { expect, test } from "vitest";
import { appendNote, readNotes } from "../../src/archive/notes.ts";
import { TempFolder } from "../support/temp-folder.ts";

const at = "2026-01-01T00:00:00Z";

test("a note after a line that a full disk tore stands on a line of its own", () => {
  using folder = new TempFolder({});
  appendNote(folder.path, { at, by: "ada", verdict: "pass" });
  appendFileSync(`${folder.path}/notes.jsonl`, '{"at":"2026-');
  appendNote(folder.path, { at, by: "bo", note: "</script>\n\u001b[31m" });
  expect(readNotes(folder.path).map(({ by }) => by)).toEqual(["ada", "bo"]);
  expect(folder.read("notes.jsonl").split("\n").length).toBe(4);
});
