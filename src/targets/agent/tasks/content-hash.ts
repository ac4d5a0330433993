import { canonicalJson, shortHash } from "../../../core/hash.ts";
import type { AgentTask } from "./task.ts";

/** Stands for all of a task that can make a difference to a run; which subset it is in can't. */
export function contentHash({ instruction, test, check, passes, files, checkFiles }: AgentTask): string {
  const trees = [files, checkFiles].map((tree) => Object.fromEntries(tree));
  return shortHash(canonicalJson([instruction, test, check, passes ?? null, ...trees]));
}
