import { lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isBelow } from "./inside-path.ts";
import type { FileTree } from "./sandbox.ts";

const MOST_FILES = 20_000;
const MOST_FILE_BYTES = 4 << 20;
/** What tools leave behind and no patch should hold. */
const SKIPPED = new Set([".git", "node_modules"]);

/** All text files below a folder. Links are not followed, and what is no text or far too large is left out. */
export function readTree(root: string): FileTree {
  const files = new Map<string, string>();
  const visit = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (files.size >= MOST_FILES) return;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) visit(path);
        continue;
      }
      const text = entry.isFile() ? textOf(join(root, path)) : undefined;
      if (text !== undefined) files.set(path, text);
    }
  };
  visit("");
  return files;
}

/** A file's text, if it lies below the root whatever links there are. */
export function readInside(root: string, path: string): string | undefined {
  try {
    return inside(root, path) ? textOf(realpathSync(join(root, path))) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a path stays below the root, also through links; the file itself need not be there yet. */
export function inside(root: string, path: string): boolean {
  const full = resolve(root, path);
  if (!isBelow(full, root) || full === root || !isBelow(realpathSync(dirname(full)), root)) return false;
  return !lstatSync(full, { throwIfNoEntry: false })?.isSymbolicLink() || isBelow(realpathSync(full), root);
}

function textOf(path: string): string | undefined {
  const stats = lstatSync(path);
  if (!stats.isFile() || stats.size > MOST_FILE_BYTES) return undefined;
  const bytes = readFileSync(path);
  return bytes.includes(0) ? undefined : bytes.toString("utf8");
}
