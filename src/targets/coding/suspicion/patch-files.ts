/** One file of a patch, by the lines that it gains and loses. */
export interface PatchedFile {
  path: string;
  isNew: boolean;
  isDeleted: boolean;
  /** With their numbers in the new file. */
  added: { number: number; text: string }[];
  removed: string[];
}

const GIT = /^diff --git "?a\/.*?"? "?b\/(.*?)"?$/;
const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const NOTHING = "/dev/null";

/** The files of a patch in git's format, or a plain unified one. */
export function patchedFiles(patch: string): PatchedFile[] {
  const files: PatchedFile[] = [];
  const open = (path: string): PatchedFile => {
    const file = { path, isNew: false, isDeleted: false, added: [], removed: [] };
    files.push(file);
    return file;
  };
  let file: PatchedFile | undefined;
  /** Whether the file's name is known, and nothing else of it. */
  let isFresh = false;
  let before = "";
  let number = 0;
  /** Lines of the hunk that are still to come: of the old file, of the new one. */
  let [olds, news] = [0, 0];
  for (const line of patch.split("\n")) {
    if (file && (olds > 0 || news > 0)) {
      if (line.startsWith("+")) {
        file.added.push({ number: number++, text: line.slice(1) });
        news--;
      } else if (line.startsWith("-")) {
        file.removed.push(line.slice(1));
        olds--;
      } else if (!line.startsWith("\\")) {
        number++;
        olds--;
        news--;
      }
      continue;
    }
    const path = GIT.exec(line)?.[1];
    if (path !== undefined) {
      file = open(path);
      isFresh = true;
    } else if (file && line.startsWith("new file mode")) file.isNew = true;
    else if (file && line.startsWith("deleted file mode")) file.isDeleted = true;
    else if (line.startsWith("--- ")) before = nameIn(line);
    else if (line.startsWith("+++ ")) {
      const after = nameIn(line);
      if (!file || !isFresh) file = open(after === NOTHING ? before : after);
      if (before === NOTHING) file.isNew = true;
      if (after === NOTHING) file.isDeleted = true;
      isFresh = false;
    }
    const [, oldLines = "1", start, newLines = "1"] = HUNK.exec(line) ?? [];
    if (start !== undefined) [number, olds, news] = [Number(start), Number(oldLines), Number(newLines)];
  }
  return files;
}

function nameIn(line: string): string {
  const name = line
    .slice(4)
    .replace(/\t.*$/, "")
    .replace(/^"(.*)"$/, "$1");
  return name === NOTHING ? name : name.replace(/^[ab]\//, "");
}
