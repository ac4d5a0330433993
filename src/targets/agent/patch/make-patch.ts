import type { FileTree } from "../../../sandboxes/sandbox.ts";

/** Beyond this many pairs of lines the middle is replaced as a whole: right, though not the shortest. */
const MOST_PAIRS = 4_000_000;

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

/** One line of an edit script: kept, taken out, or put in. */
type Edit = { kind: " " | "-" | "+"; line: string };

/** How one list of lines becomes another, by a longest common subsequence of what differs between their ends. */
function diffLines(before: readonly string[], after: readonly string[]): Edit[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let endA = before.length;
  let endB = after.length;
  while (endA > start && endB > start && before[endA - 1] === after[endB - 1]) {
    endA--;
    endB--;
  }
  return [
    ...before.slice(0, start).map(kept),
    ...diffMiddle(before.slice(start, endA), after.slice(start, endB)),
    ...before.slice(endA).map(kept),
  ];
}

function diffMiddle(a: readonly string[], b: readonly string[]): Edit[] {
  const removed = (line: string): Edit => ({ kind: "-", line });
  const added = (line: string): Edit => ({ kind: "+", line });
  if (a.length * b.length > MOST_PAIRS) return [...a.map(removed), ...b.map(added)];
  // lengths[i * width + j]: the longest common subsequence of what follows line i of a and line j of b.
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const edits: Edit[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      edits.push(kept(a[i]!));
      i++;
      j++;
    } else if (
      i < a.length &&
      (j === b.length || lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)
    ) {
      edits.push(removed(a[i++]!));
    } else edits.push(added(b[j++]!));
  }
  return edits;
}

function kept(line: string): Edit {
  return { kind: " ", line };
}
