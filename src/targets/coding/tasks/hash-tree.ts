import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from "node:fs";
import { join } from "node:path";

/** Of files that have been read: a file with the same number, size and times has the same content. */
const known = new Map<string, { mark: string; hash: string }>();
const MOST_KNOWN = 50_000;

/**
 * Stands for all that lies below a folder, or for one file: names, contents, links, and which files are executable. It
 * depends on nothing else, such as where the folder is. No link is followed.
 */
export function hashTree(root: string, isLeftOut: (path: string) => boolean = () => false): string {
  const hash = createHash("sha256");
  const visit = (path: string): void => {
    const full = join(root, path);
    const stats = lstatSync(full);
    if (stats.isDirectory()) {
      for (const name of readdirSync(full).sort()) {
        const below = path === "" ? name : `${path}/${name}`;
        if (name !== ".git" && !isLeftOut(below)) visit(below);
      }
    } else if (stats.isFile()) {
      hash.update(`${path}\0${stats.mode & 0o100 ? "x" : "f"}\0${hashFile(full, stats)}\0`);
    } else if (stats.isSymbolicLink()) {
      hash
        .update(`${path}\0l\0`)
        .update(readlinkSync(full, { encoding: "buffer" }))
        .update("\0");
    }
  };
  visit("");
  return hash.digest("hex").slice(0, 16);
}

function hashFile(path: string, { ino, size, mtimeMs, ctimeMs }: Stats): string {
  const mark = `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
  const before = known.get(path);
  if (before?.mark === mark) return before.hash;
  const hash = createHash("sha256").update(readFileSync(path)).digest("hex");
  if (known.size >= MOST_KNOWN) known.clear();
  // What changed in the very last moment may change once more without its times telling.
  if (Date.now() - ctimeMs > 2000) known.set(path, { mark, hash });
  return hash;
}
