import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  rmSync,
  unlinkSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isAbandoned, ownerTag } from "./owner-tag.ts";

const TURN_MS = 20;

let own: string | undefined;

/** A folder of this process's own for temporary files. Those of processes that were killed go with the first look. */
export function ownTempFolder(): string {
  if (own !== undefined && existsSync(own)) return own;
  const root = join(realpathSync(tmpdir()), `assay-tmp-${userInfo().uid}`);
  mkdirSync(root, { recursive: true });
  chmodSync(root, 0o700);
  for (const tag of readdirSync(root).filter(isAbandoned)) removeLeft(join(root, tag));
  const path = join(root, ownerTag());
  mkdirSync(path, { recursive: true });
  if (own === undefined) process.once("exit", () => removeEmpty(path));
  own = path;
  return path;
}

function removeLeft(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Another process is at it, or it is not ours to remove.
  }
}

/** What is still in use by other threads stays. */
function removeEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // The next process finds it abandoned.
  }
}

/** An empty folder for a program's temporary files, counted against its disk and gone with it. */
export function makePrivateFolder(parent = ownTempFolder()): string {
  const path = realpathSync(mkdtempSync(join(parent, "assay-tmp-")));
  chmodSync(path, 0o1777);
  return path;
}

/** Removes a folder whatever a program made of it: no permissions, thousands of levels. */
export async function removeFolder(path: string): Promise<void> {
  try {
    await removeTree(path);
  } catch {
    await run("chmod", ["-R", "u+rwx", "--", path]);
    await run("rm", ["-rf", "--", path]);
  }
}

/** Three times as fast as Node's own, which asks about each file first. Others have their turn meanwhile. */
async function removeTree(root: string): Promise<void> {
  if (lstatSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  const folders = [root];
  let turnMs = performance.now();
  // The list grows while it is gone through, parents first.
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(path);
      else unlinkSync(path);
      if (performance.now() - turnMs < TURN_MS) continue;
      await setImmediate();
      turnMs = performance.now();
    }
  }
  for (const folder of folders.reverse()) rmdirSync(folder);
}

function run(program: string, words: string[]): Promise<void> {
  return new Promise((resolve) => {
    execFile(program, words, () => resolve());
  });
}
