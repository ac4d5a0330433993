import type { FileTree } from "../../../sandboxes/sandbox.ts";
import { diffLines, type Edit } from "./diff-lines.ts";

const CONTEXT = 3;
const NO_NEWLINE = "\\ No newline at end of file";

/** What changed between two states of a repository, as a unified diff; "" where nothing did. */
export function makePatch(before: FileTree, after: FileTree): string {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.map((path) => filePatch(path, before.get(path), after.get(path))).join("");
}

function filePatch(path: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return "";
  const oldName = before === undefined ? "/dev/null" : fileName(`a/${path}`);
  const newName = after === undefined ? "/dev/null" : fileName(`b/${path}`);
  const edits = diffLines(splitLines(before ?? ""), splitLines(after ?? ""));
  const hunks = findHunks(edits).map(([from, to]) => hunkText(edits, from, to));
  return `--- ${oldName}\n+++ ${newName}\n${hunks.join("")}`;
}

/** Lines with their newlines, so that one that is missing at the end makes a difference. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** A name that could be taken for something else is quoted. */
function fileName(name: string): string {
  return /[\x00-\x1f"\\]/.test(name) ? JSON.stringify(name) : name;
}

/** Changes with their context; those whose contexts touch are one hunk. */
function findHunks(edits: readonly Edit[]): [number, number][] {
  const hunks: [number, number][] = [];
  for (const [i, { kind }] of edits.entries()) {
    if (kind === " ") continue;
    const from = Math.max(0, i - CONTEXT);
    const to = Math.min(edits.length, i + CONTEXT + 1);
    const last = hunks.at(-1);
    if (last && from <= last[1]) last[1] = to;
    else hunks.push([from, to]);
  }
  return hunks;
}

function hunkText(edits: readonly Edit[], from: number, to: number): string {
  const count = (list: readonly Edit[], not: string) => list.filter(({ kind }) => kind !== not).length;
  const [oldBefore, newBefore] = [count(edits.slice(0, from), "+"), count(edits.slice(0, from), "-")];
  const part = edits.slice(from, to);
  const range = (start: number, length: number) => `${length === 0 ? start : start + 1},${length}`;
  const head = `@@ -${range(oldBefore, count(part, "+"))} +${range(newBefore, count(part, "-"))} @@\n`;
  const body = part.map(({ kind, line }) =>
    line.endsWith("\n") ? `${kind}${line}` : `${kind}${line}\n${NO_NEWLINE}\n`,
  );
  return head + body.join("");
}
