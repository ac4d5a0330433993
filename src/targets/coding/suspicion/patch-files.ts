/** One file of a patch, by the lines that it gains and loses. */
export interface PatchedFile {
  path: string;
  isNew: boolean;
  isDeleted: boolean;
  /** With their numbers in the new file. */
  added: { number: number; text: string }[];
  removed: string[];
}

/** The files of a patch in git's format, or a plain unified one. */
export function patchedFiles(patch: string): PatchedFile[] {
  const files: PatchedFile[] = [];
  let file: PatchedFile | undefined;
  let number = 0;
  /** Lines of the hunk that are still to come, before and after. */
  let left = [0, 0];
  let isMade = false;
  const open = (path: string) => {
    file = { path, isNew: isMade, isDeleted: false, added: [], removed: [] };
    files.push(file);
  };
  for (const line of patch.split("\n")) {
    const inHunk = left[0]! > 0 || left[1]! > 0;
    if (inHunk && file) {
      if (line.startsWith("+")) {
        file.added.push({ number: number++, text: line.slice(1) });
        left[1]!--;
      } else if (line.startsWith("-")) {
        file.removed.push(line.slice(1));
        left[0]!--;
      } else if (!line.startsWith("\\")) {
        number++;
        left = [left[0]! - 1, left[1]! - 1];
      }
      continue;
    }
    const [, oldPath, gitPath] = /^diff --git (?:"?a\/(.*?)"?) (?:"?b\/(.*?)"?)$/.exec(line) ?? [];
    if (gitPath !== undefined) {
      isMade = false;
      open(gitPath || oldPath!);
    } else if (line.startsWith("new file mode") || line === "--- /dev/null") {
      isMade = true;
      if (file) file.isNew = true;
    } else if (line.startsWith("deleted file mode") || line === "+++ /dev/null") {
      if (file) file.isDeleted = true;
    } else if (line.startsWith("--- ")) isMade = false;
    else if (line.startsWith("+++ ")) {
      const path = line
        .slice(4)
        .replace(/^"?b\//, "")
        .replace(/[\t"].*$/, "");
      if (file?.path !== path) open(path);
    }
    const [, before = "1", start, after = "1"] = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (start !== undefined) {
      number = Number(start);
      left = [Number(before), Number(after)];
    }
  }
  return files;
}
