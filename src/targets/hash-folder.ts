import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What tools leave behind and no task is made of. */
const SKIPPED = new Set([".git", "node_modules"]);

/** Stands for the names and the content of all files below a folder, wherever the folder is. Links are not followed. */
export function hashFolder(root: string): string {
  const hash = createHash("sha256");
  const visit = (folder: string): void => {
    const entries = readdirSync(join(root, folder), { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) visit(path);
      if (!entry.isFile()) continue;
      const bytes = readFileSync(join(root, path));
      // The length keeps one file's content from being taken for the next one's name.
      hash.update(`${path}\0${bytes.length}\0`).update(bytes);
    }
  };
  visit("");
  return hash.digest("hex").slice(0, 16);
}
