import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { shortHash } from "../../core/hash.ts";
import { isMemoryDisk, roomBytes } from "../../sandboxes/memory-room.ts";
import { isAbandoned, ownerTag } from "../../sandboxes/owner-tag.ts";
import { removeFolder } from "../../sandboxes/private-folder.ts";
import type { ProgramSandbox } from "../../sandboxes/sandbox.ts";

const IN_MEMORY = "/dev/shm";
/** Copies are in memory only where this many would fit, and some more for what programs write into them. */
const COPIES_THAT_FIT = 16;
const SPARE_BYTES = 1 << 30;

/**
 * Where copies of repositories are: among temporary files, so that no tool that looks for its settings further up finds
 * those of the user's own project, and nobody else can look in.
 */
export function workRoot(parent = tmpdir()): string {
  const path = join(realpathSync(parent), `assay-rollouts-${userInfo().uid}`);
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o700);
  return path;
}

export interface WorkFolder {
  path: string;
  remove(): Promise<void>;
}

interface Wanted {
  /** The run's own folder, by which a later attempt finds what an earlier one left; null where there is none. */
  runDir: string | null;
  /** Of one copy of the repository. */
  copyBytes: number;
  sandbox: Pick<ProgramSandbox, "images">;
}

/** An empty folder for one run. What was left by an attempt that was killed, or by a dead process, goes first. */
export async function openWorkFolder({ runDir, copyBytes, sandbox }: Wanted): Promise<WorkFolder> {
  const roots = [tmpdir(), ...(isMemoryDisk(IN_MEMORY) ? [IN_MEMORY] : [])];
  const run = runDir === null ? randomBytes(6).toString("hex") : shortHash(realpathSync(runDir));
  for (const parent of roots) await removeLeft(workRoot(parent), run);
  const path = join(workRoot(isEngines(sandbox) ? tmpdir() : fastest(copyBytes)), `run-${run}.${ownerTag()}`);
  mkdirSync(path);
  return { path, remove: () => removeFolder(path) };
}

/** Memory, where a disk takes a millisecond a file and more; whoever sets TMPDIR has chosen. */
function fastest(copyBytes: number): string {
  const isChosen = process.env.TMPDIR !== undefined || !isMemoryDisk(IN_MEMORY);
  const needed = COPIES_THAT_FIT * copyBytes + SPARE_BYTES;
  return !isChosen && roomBytes(IN_MEMORY) > needed ? IN_MEMORY : tmpdir();
}

/** A container engine may be on another machine, with which only some folders are shared. */
function isEngines({ images }: Pick<ProgramSandbox, "images">): boolean {
  return images !== undefined;
}

/** Roots in which the dead have been looked for by this thread. */
const swept = new Set<string>();

async function removeLeft(root: string, run: string): Promise<void> {
  const isSwept = swept.has(root);
  swept.add(root);
  const names = readdirSync(root).filter((name) => name.startsWith("run-"));
  const left = names.filter(
    (name) => name.startsWith(`run-${run}.`) || (!isSwept && isAbandoned(name.replace(/^run-\w+\./, ""))),
  );
  await Promise.all(left.map((name) => removeFolder(join(root, name))));
}
