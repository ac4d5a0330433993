import { chmodSync, mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { shortHash } from "../../core/hash.ts";
import { removeFolder } from "../../sandboxes/private-folder.ts";

/**
 * Where copies of repositories are: among temporary files, so that no tool that looks for its settings further up finds
 * those of the user's own project, and nobody else can look in.
 */
export function workRoot(): string {
  const path = join(realpathSync(tmpdir()), `assay-rollouts-${userInfo().uid}`);
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o700);
  return path;
}

export interface WorkFolder {
  path: string;
  remove(): Promise<void>;
}

/** An empty folder for one run. What an attempt left that was killed goes first: it is known by the run's own folder. */
export async function openWorkFolder(runDir: string | null): Promise<WorkFolder> {
  const root = workRoot();
  if (runDir === null) {
    const path = mkdtempSync(join(root, "run-"));
    return { path, remove: () => removeFolder(path) };
  }
  const path = join(root, `run-${shortHash(realpathSync(runDir))}`);
  await removeFolder(path);
  mkdirSync(path);
  return { path, remove: () => removeFolder(path) };
}
