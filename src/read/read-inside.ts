import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { runDir, STUDY_FILES } from "../core/study-folder.ts";

/**
 * The beginning or the end of a run's own text file. A folder may come from elsewhere: links are not followed, so
 * that no report shows a file that is not the run's.
 */
export function readInside(
  dir: string,
  name: string,
  part: { first: number } | { last: number },
): { text: string; bytes: number; isCut: boolean } | undefined {
  let file: number;
  try {
    file = openSync(`${dir}/${name}`, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return undefined;
    const most = "first" in part ? part.first : part.last;
    const length = Math.min(stat.size, most);
    const buffer = Buffer.alloc(length);
    const read = readSync(file, buffer, 0, length, "first" in part ? 0 : stat.size - length);
    let start = 0;
    // A cut in the middle of a character: its other bytes say nothing.
    if ("last" in part && stat.size > length) while (start < 4 && (buffer[start]! & 0xc0) === 0x80) start++;
    return { text: buffer.toString("utf8", start, read), bytes: stat.size, isCut: stat.size > length };
  } finally {
    closeSync(file);
  }
}

/** A run's folder; undefined where there is none, or where the id leads elsewhere. */
export function runFolder(studyDir: string, id: string): string | undefined {
  if (id.includes("/") || id.includes("\\") || id.startsWith(".") || id.includes("\0")) return undefined;
  try {
    const real = realpathSync(runDir(studyDir, id));
    return dirname(real) === realpathSync(`${studyDir}/${STUDY_FILES.runs}`) ? real : undefined;
  } catch {
    return undefined;
  }
}
