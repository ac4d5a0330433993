import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { canonicalJson, shortHash } from "../../../core/hash.ts";
import type { TreeRest } from "../../../sandboxes/sandbox.ts";
import type { AgentTask } from "./task.ts";

/** Stands for all of a task that can make a difference to a run; which subset it is in can't. */
export function contentHash(task: AgentTask): string {
  const { instruction, test, check, passes, files, checkFiles, rest, checkRest } = task;
  const trees = [files, checkFiles].map((tree) => Object.fromEntries(tree));
  const rests = rest || checkRest ? [restHash(rest), restHash(checkRest)] : [];
  return shortHash(canonicalJson([instruction, test, check, passes ?? null, ...trees, ...rests]));
}

function restHash(rest: TreeRest | undefined): unknown {
  if (!rest) return null;
  const sums = [...rest.copies].map(([path, from]) => [
    path,
    createHash("sha256").update(readFileSync(from)).digest("hex"),
  ]);
  return [sums, [...rest.links], [...rest.executables]];
}
