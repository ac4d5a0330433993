import type { Overrides } from "../launch/load-study.ts";
import { type LockResult, lockPlan } from "../launch/lock-plan.ts";
import { prepareFile } from "../launch/prepare-study.ts";

export interface LockOptions extends Overrides {
  /** false writes no tag into the git repository around the study file. */
  git?: boolean;
}

/** Locks the plan of a study before its first run: what it asks, of which runs, and when it stops. */
export async function lockStudy(path: string, options: LockOptions = {}): Promise<LockResult> {
  return lockPlan(await prepareFile(path, options), { withGit: options.git ?? true });
}
