/** A line of a patch, and what it is. */
export interface DiffLine {
  kind: "added" | "removed" | "place" | "about" | "same";
  text: string;
  /** Its number before and after; null where it has none. */
  from: number | null;
  to: number | null;
}

export interface DiffFile {
  name: string;
  added: number;
  removed: number;
  lines: DiffLine[];
}

/** A unified diff by file. What is no diff is one file without a name. */
export function parseDiff(text: string): DiffFile[] {
  const files: DiffFile[] = [];
  const begin = (name: string): DiffFile => {
    const file: DiffFile = { name, added: 0, removed: 0, lines: [] };
    files.push(file);
    return file;
  };
  let file: DiffFile | undefined;
  let [from, to, isInside] = [0, 0, false];
  for (const line of text.replace(/\n$/, "").split("\n")) {
    const [, git] = /^diff --git a\/(?:.*) b\/(.*)$/.exec(line) ?? [];
    const [, place] = /^@@ -(\d+)/.exec(line) ?? [];
    if (git !== undefined || (!isInside && !file && line.startsWith("--- "))) {
      file = begin(git ?? "");
      isInside = false;
    }
    file ??= begin("");
    if (place !== undefined) {
      isInside = true;
      [from, to] = [Number(place), Number(/\+(\d+)/.exec(line)?.[1] ?? place)];
      file.lines.push({ kind: "place", text: line, from: null, to: null });
    } else if (!isInside) {
      const [, after] = /^\+\+\+ (?:b\/)?(.*)$/.exec(line) ?? [];
      if (after !== undefined && file.name === "") file.name = after;
      file.lines.push({ kind: "about", text: line, from: null, to: null });
    } else if (line.startsWith("+")) {
      file.added++;
      file.lines.push({ kind: "added", text: line, from: null, to: to++ });
    } else if (line.startsWith("-")) {
      file.removed++;
      file.lines.push({ kind: "removed", text: line, from: from++, to: null });
    } else if (line.startsWith("\\")) file.lines.push({ kind: "about", text: line, from: null, to: null });
    else file.lines.push({ kind: "same", text: line, from: from++, to: to++ });
  }
  return files;
}
