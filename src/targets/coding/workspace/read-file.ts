import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { TreeEntry } from "./scan-tree.ts";

const NO_TRICKS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

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
