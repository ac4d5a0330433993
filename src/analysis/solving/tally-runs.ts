import { known, type Result, unknownBecause, type Value } from "../../stats/result.ts";
import { type Limits, missingLimits } from "./missing-limits.ts";
import type { RolloutRun } from "./rollout-run.ts";

/** What rollouts come to, whether of one task or of many. */
export interface RunsTally {
  /** Rollouts without a score, by whose fault it is. */
  missing: Record<string, number>;
  /** Rollouts with a score, and those of them that solved the task. */
  judged: number;
  solved: number;
  solveLimits: Limits | null;
  costPerSolve: Result<Value>;
  secondsPerSolve: Result<Value>;
  best: RolloutRun | null;
  worst: RolloutRun | null;
}

export function tallyRuns(runs: readonly RolloutRun[]): RunsTally {
  const missing: Record<string, number> = {};
  for (const run of runs) if (run.missing !== null) missing[run.missing] = (missing[run.missing] ?? 0) + 1;
  return {
    missing,
    judged: runs.filter(({ score }) => score !== null).length,
    solved: runs.filter(({ solved }) => solved === 1).length,
    solveLimits: missingLimits(runs.map(({ solved }) => solved)),
    costPerSolve: perSolve(runs, ({ costUsd }) => costUsd, "cost"),
    secondsPerSolve: perSolve(runs, ({ seconds }) => seconds, "time"),
    ...extremesOf(runs),
  };
}

/** Of equal scores the cheaper is the better one, then the quicker. */
function extremesOf(runs: readonly RolloutRun[]): Pick<RunsTally, "best" | "worst"> {
  const [first, ...rest] = runs.filter(({ score }) => score !== null);
  if (!first) return { best: null, worst: null };
  let [best, worst] = [first, first];
  for (const run of rest) {
    if (rank(run, best) < 0) best = run;
    if (rank(run, worst) > 0) worst = run;
  }
  return { best, worst };
}

function rank(a: RolloutRun, b: RolloutRun): number {
  return b.score! - a.score! || (a.costUsd ?? 0) - (b.costUsd ?? 0) || (a.seconds ?? 0) - (b.seconds ?? 0);
}

/** What one solved task costs, or takes: what all judged tries took, over those that solved it. */
function perSolve(
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
