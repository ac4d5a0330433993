import type { FileTree } from "../../../sandboxes/sandbox.ts";
import { splitLines } from "./make-patch.ts";

/** A repository with a unified diff applied, exactly where the diff says; an Error where it does not fit. */
export function applyPatch(files: FileTree, patch: string): FileTree {
  const result = new Map(files);
  const lines = splitLines(patch);
  let at = 0;
  while (at < lines.length) {
    if (!lines[at]!.startsWith("--- ")) {
      at++;
      continue;
    }
    const oldPath = pathIn(lines[at]!.slice(4));
    const newPath = pathIn((lines[at + 1] ?? "").slice(4));
    let end = at + 2;
    const hunks: Hunk[] = [];
    while (end < lines.length && lines[end]!.startsWith("@@ ")) {
      const hunk = readHunk(lines, end);
      hunks.push(hunk);
      end = hunk.end;
    }
    const before = oldPath === undefined ? "" : result.get(oldPath);
    if (before === undefined) throw new Error(`the patch changes ${oldPath}, which is not there`);
    if (oldPath !== undefined) result.delete(oldPath);
    if (newPath !== undefined) result.set(newPath, applyHunks(before, hunks, newPath));
    at = end;
  }
  return result;
}

interface Hunk {
  /** Lines of the old file before it. */
  start: number;
  before: string[];
  after: string[];
  end: number;
}

function readHunk(lines: readonly string[], at: number): Hunk {
  const head = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(lines[at]!);
  if (!head) throw new Error(`the patch has a hunk that can't be read: ${lines[at]}`);
  const oldCount = Number(head[2] ?? 1);
  const newCount = Number(head[3] ?? 1);
  const before: string[] = [];
  const after: string[] = [];
  let end = at + 1;
  while (before.length < oldCount || after.length < newCount) {
    const line = lines[end++];
    if (line === undefined) throw new Error("the patch ends within a hunk");
    const isLast = lines[end]?.startsWith("\\") === true;
    const text = isLast ? line.slice(1).replace(/\n$/, "") : line.slice(1);
    if (line[0] !== "+") before.push(text);
    if (line[0] !== "-") after.push(text);
    if (isLast) end++;
  }
  return { start: oldCount === 0 ? Number(head[1]) : Number(head[1]) - 1, before, after, end };
}

function applyHunks(text: string, hunks: readonly Hunk[], path: string): string {
  const old = splitLines(text);
  const result: string[] = [];
  let done = 0;
  for (const { start, before, after } of hunks) {
    if (start < done || before.some((line, i) => old[start + i] !== line))
      throw new Error(`the patch does not fit ${path} at line ${start + 1}`);
    result.push(...old.slice(done, start), ...after);
    done = start + before.length;
  }
  return [...result, ...old.slice(done)].join("");
}

/** The path behind `a/` or `b/`; undefined for a file that is not there. */
function pathIn(line: string): string | undefined {
  const text = line.replace(/\n$/, "").replace(/\t.*$/, "");
  const name = text.startsWith('"') ? (JSON.parse(text) as string) : text;
  return name === "/dev/null" ? undefined : name.replace(/^[ab]\//, "");
}
