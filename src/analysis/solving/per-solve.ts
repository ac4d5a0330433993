import { known, type Result, unknownBecause, type Value } from "../../stats/result.ts";
import type { RolloutRun } from "./rollout-run.ts";

/** What one solved task costs, or takes: what all judged tries took, over those that solved it. */
export function perSolve(
  runs: readonly RolloutRun[],
  of: (run: RolloutRun) => number | null,
  noun: string,
): Result<Value> {
  const judged = runs.filter(({ solved }) => solved !== null);
  const solves = judged.filter(({ solved }) => solved === 1).length;
  if (judged.length === 0) return unknownBecause("no rollout was judged");
  const silent = judged.filter((run) => of(run) === null).length;
  if (silent > 0)
    return unknownBecause(`${silent} of ${judged.length} rollouts did not report their ${noun}`);
  if (solves === 0) return unknownBecause("none was solved");
  return known({ value: judged.reduce((total, run) => total + of(run)!, 0) / solves });
}
