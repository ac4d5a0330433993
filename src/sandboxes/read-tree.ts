import { isUtf8 } from "node:buffer";
import { type Dirent, lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isBelow } from "./inside-path.ts";
import type { FileTree, SnapshotOptions, TreeRest } from "./sandbox.ts";

/** Beside those that were there before. */
const MOST_FILES = 20_000;
const MOST_FILE_BYTES = 4 << 20;
/** A text that grew is still a text. */
const MOST_KNOWN_BYTES = 64 << 20;
/** What tools leave behind and no patch should hold. */
const SKIPPED = new Set([".git", "node_modules"]);

/**
 * All text files below a folder. Links are not followed; what is no text, far too large or too much is left out. A file
 * that was there before is never left out: where its text can't be taken in, it counts as unchanged.
 */
export function readTree(
  root: string,
  { known = new Map(), warn = () => {}, mostNew = MOST_FILES }: SnapshotOptions = {},
): FileTree {
  const files = new Map<string, string>();
  let more = 0;
  let omitted = 0;
  visit(root, (path, entry) => {
    if (!entry.isFile()) return;
    const before = known.get(path);
    if (before !== undefined) {
      const text = textOf(join(root, path), MOST_KNOWN_BYTES);
      if (text === undefined) warn(`${path} is no longer text, or far too large: treated as unchanged`);
      files.set(path, text ?? before);
    } else if (more >= mostNew) omitted++;
    else {
      const text = textOf(join(root, path));
      if (text === undefined) return;
      more++;
      files.set(path, text);
    }
  });
  if (omitted > 0) warn(`${omitted} of ${more + omitted} new files are left out: they are too many`);
  return files;
}

/** A folder as it is: its texts, and what is beside them. */
export function readWholeTree(root: string): { files: FileTree; rest: TreeRest } {
  const files = new Map<string, string>();
  const copies = new Map<string, string>();
  const links = new Map<string, string>();
  const executables = new Set<string>();
  visit(root, (path, entry) => {
    const full = join(root, path);
    if (entry.isSymbolicLink()) links.set(path, readlinkSync(full));
    if (!entry.isFile()) return;
    const text = files.size < MOST_FILES ? textOf(full) : undefined;
    if (text === undefined) copies.set(path, full);
    else {
      files.set(path, text);
      if (lstatSync(full).mode & 0o100) executables.add(path);
    }
  });
  return { files, rest: { copies, links, executables } };
}

function visit(root: string, take: (path: string, entry: Dirent) => void): void {
  const open = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (!entry.isDirectory()) take(path, entry);
      else if (!SKIPPED.has(entry.name)) open(path);
    }
  };
  open("");
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

function textOf(path: string, mostBytes = MOST_FILE_BYTES): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > mostBytes) return undefined;
  const bytes = readFileSync(path);
  return bytes.includes(0) || !isUtf8(bytes) ? undefined : bytes.toString("utf8");
}
