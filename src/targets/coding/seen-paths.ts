import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Mount, ProgramSandbox } from "../../sandboxes/sandbox.ts";

const MOST_BYTES = 1 << 20;

/** Folders of the machine that a sandbox shows, under the paths that a task's texts know. */
export interface SeenPaths {
  mounts: Mount[];
  /** The path under which a program sees each folder. */
  inside(path: string): string;
  /** A text of the task's, with the paths that can't be shown replaced by real ones. */
  rename(text: string): string;
}

/** Nothing can be put there where the sandbox shows the machine's own. */
const SYSTEM = /^\/(usr|bin|sbin|lib\w*|etc|opt|nix|proc|dev|sys)?(\/|$)/;

/** `wanted`: by folder, the path that the task knows it under; null where any will do. */
export function seenPaths(wanted: ReadonlyMap<string, string | null>, sandbox: ProgramSandbox): SeenPaths {
  const canMount = sandbox.isolates.includes("files");
  const seen = new Map<string, string>();
  const renamed: [string, string][] = [];
  for (const [path, as] of wanted) {
    if (as === null || as === path) continue;
    if (canMount && as.startsWith("/") && !SYSTEM.test(as)) seen.set(path, as);
    else renamed.push([as, path]);
  }
  return {
    mounts: [...wanted.keys()].map((path) => ({ path, ...(seen.has(path) && { as: seen.get(path)! }) })),
    inside: (path) => seen.get(path) ?? path,
    rename: (text) => renamed.reduce(renamePath, text),
  };
}

/** Only a whole path is replaced: /tests and /tests/x, not /my/tests or /tests2. */
function renamePath(text: string, [as, path]: [string, string]): string {
  const exact = as.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return text.replaceAll(new RegExp(`(?<![\\w./~}-])${exact}(?![\\w-]|\\.\\w)`, "g"), () => path);
}

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
