import { mkdirSync, readdirSync, rmdirSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../core/errors.ts";
import type { Setting } from "../core/executor.ts";
import type { Outcome } from "../core/run.ts";
import { runStateDir } from "../core/study-folder.ts";
import { removeTree } from "../host/files.ts";
import { kindAt } from "../host/held.ts";

/** How many runs of this process have a folder in it now. */
const inUse = new Map<string, number>();

/** What a run keeps from one try to the next, such as its checkpoints: a folder of its own, until it has a result. */
export class RunState {
  readonly dir: string;
  #isOpen = false;

  constructor({ studyDir, stateRoot }: Pick<Setting, "studyDir" | "stateRoot">, runId: string) {
    this.dir = stateRoot === undefined ? runStateDir(studyDir, runId) : `${stateRoot}/${runId}`;
  }

  /** Whether an earlier try has left something to resume from. */
  get isKept(): boolean {
    return kindAt(this.dir) === "a folder" && readdirSync(this.dir).length > 0;
  }

  /** The folder, made where there is none yet. */
  open(): string {
    if (!this.#isOpen) count(this.dir, 1);
    this.#isOpen = true;
    try {
      mkdirSync(this.dir);
    } catch (error) {
      if (errorCode(error) === "ENOENT") mkdirSync(this.dir, { recursive: true });
      else if (kindAt(this.dir) !== "a folder") throw error;
    }
    return this.dir;
  }

  /** A run with a result needs no state: whoever measures it again begins anew. */
  end({ status }: Outcome): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      rmdirSync(this.dir);
    } catch {
      // Not empty: the next try goes on from it, unless there need not be one.
      if (status === "ok" || status === "stopped") removeTree(this.dir);
    }
    if (count(this.dir, -1) > 0) return;
    try {
      rmdirSync(dirname(this.dir));
    } catch {
      // Other runs have theirs in it.
    }
  }
}

function count(dir: string, by: 1 | -1): number {
  const root = dirname(dir);
  const left = (inUse.get(root) ?? 0) + by;
  if (left > 0) inUse.set(root, left);
  else inUse.delete(root);
  return left;
}
