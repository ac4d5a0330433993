import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../core/errors.ts";

/** Folders that tools fill with what is no result. */
const PASSED_OVER = new Set([".git", "node_modules", "__pycache__"]);

/** A file itself, or all files of a folder in the order of their names; links are not followed. */
export function* walkFiles(path: string, noun: string): Generator<string> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats)
    throw new UserError(`${path}: there is no such file or folder`, {
      remedy: `Give a ${noun}, or a folder with some.`,
    });
  if (stats.isDirectory()) yield* walk(path);
  else yield path;
}

function* walk(folder: string): Generator<string> {
  const entries = readdirSync(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.isFile()) yield join(folder, entry.name);
    else if (entry.isDirectory() && !PASSED_OVER.has(entry.name)) yield* walk(join(folder, entry.name));
  }
}
