import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SeenPaths } from "./seen-paths.ts";

const MOST_BYTES = 1 << 20;

/** Texts of a folder of ours get the paths that they can use; what is no text or far too large stays as it is. */
export function renameInFolder(folder: string, seen: SeenPaths): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    if (bytes.length > MOST_BYTES || bytes.includes(0)) continue;
    const text = bytes.toString("utf8");
    const renamed = seen.rename(text);
    if (renamed !== text) writeFileSync(path, renamed);
  }
}
