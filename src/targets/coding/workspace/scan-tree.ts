import {
  chmodSync,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
} from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../../core/errors.ts";

const NO_TRICKS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A file or a link as it lies there. */
export interface TreeEntry {
  path: string;
  kind: "file" | "link";
  isExecutable: boolean;
  bytes: number;
  mtimeMs: number;
}

export interface Tree {
  entries: TreeEntry[];
  /** Every folder, parents first. */
  folders: string[];
  /** What is neither file, link nor folder, such as a socket. */
  others: string[];
  /** Folders that could not be read, and why. */
  unreadable: { path: string; reason: string }[];
  /** There was more, which was not looked at. */
  isCut: boolean;
}

const MOST_ENTRIES = 500_000;

/** All that lies below a folder, `.git` apart. No link is followed, the folder itself included. */
export function scanTree(root: string): Tree {
  const tree: Tree = { entries: [], folders: [], others: [], unreadable: [], isCut: false };
  if (lstatSync(root, { throwIfNoEntry: false })?.isDirectory()) visit(root, "", tree);
  return tree;
}

function visit(root: string, folder: string, tree: Tree): void {
  for (const entry of entriesOf(root, folder, tree)) {
    // As git has it: whatever is called so is no part of a repository's content.
    if (entry.name.toLowerCase() === ".git") continue;
    if (tree.entries.length >= MOST_ENTRIES) {
      tree.isCut = true;
      return;
    }
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      tree.folders.push(path);
      visit(root, path, tree);
    } else if (entry.isFile() || entry.isSymbolicLink()) {
      const stats = lstatSync(join(root, path), { throwIfNoEntry: false });
      // A name that is no UTF-8 can't be found again.
      if (!stats) tree.others.push(path);
      else
        tree.entries.push({
          path,
          kind: entry.isFile() ? "file" : "link",
          isExecutable: entry.isFile() && (stats.mode & 0o100) !== 0,
          bytes: stats.size,
          mtimeMs: stats.mtimeMs,
        });
    } else tree.others.push(path);
  }
}

function entriesOf(root: string, folder: string, tree: Tree): Dirent[] {
  const full = join(root, folder);
  try {
    return readdirSync(full, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === "EACCES" && isOpened(full)) return entriesOf(root, folder, tree);
    tree.unreadable.push({ path: folder, reason: errorCode(error) ?? "" });
    return [];
  }
}

/** Whoever locked a folder in a copy may not hide what is in it. */
function isOpened(path: string): boolean {
  try {
    if ((lstatSync(path).mode & 0o500) === 0o500) return false;
    chmodSync(path, 0o700);
    return true;
  } catch {
    return false;
  }
}

/** A file's bytes, or where a link leads to. A link that took a file's place meanwhile is not followed. */
export function readEntry(root: string, { path, kind }: Pick<TreeEntry, "path" | "kind">): Buffer {
  const full = join(root, path);
  if (kind === "link") return readlinkSync(full, { encoding: "buffer" });
  const file = openSync(full, NO_TRICKS);
  try {
    if (!fstatSync(file).isFile()) throw new Error(`${path} is no longer a file`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
