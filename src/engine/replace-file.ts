import { closeSync, fsyncSync, openSync, renameSync, writeSync } from "node:fs";

/** Replaces a file whole: readers see the old one or the new one, also after a crash. */
export function replaceFile(path: string, text: string): void {
  const temporary = `${path}.tmp`;
  const file = openSync(temporary, "w");
  try {
    const bytes = Buffer.from(text);
    let at = 0;
    while (at < bytes.length) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}
