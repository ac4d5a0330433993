import type { Interval } from "../../stats/intervals/interval.ts";
import { wilsonInterval } from "../../stats/intervals/proportion-intervals.ts";
import { tInterval } from "../../stats/intervals/t-intervals.ts";
import { known, type Result, unknownBecause, type Value } from "../../stats/result.ts";
import { type Limits, missingLimits } from "./missing-limits.ts";
import type { RolloutRun } from "./rollout-run.ts";
import { clipped } from "./share-interval.ts";
import { type RunsTally, tallyRuns } from "./tally-runs.ts";

/** The rollouts of one arm on one task. */
export interface CellSummary extends RunsTally {
  task: string;
  arm: string;
  runs: RolloutRun[];
  /** Rollouts of one task are independent tries at it. */
  solveRate: Result<Interval>;
  score: Result<Value>;
  /** Of the mean score over further rollouts on this task. */
  scoreInterval: Result<Interval>;
  scoreLimits: Limits | null;
  /** Some rollouts solve the task and some don't. */
  isFlip: boolean;
}

export function summariseCell(runs: RolloutRun[]): CellSummary {
  const tally = tallyRuns(runs);
  const { judged, solved } = tally;
  const scores = runs.flatMap(({ score }) => (score === null ? [] : [score]));
  const nothing = unknownBecause(`none of ${runs.length} rollouts was judged`);
  const mean = scores.reduce((sum, score) => sum + score, 0) / judged;
  return {
    ...{ task: runs[0]!.task, arm: runs[0]!.arm, runs, ...tally },
    solveRate: judged === 0 ? nothing : wilsonInterval(solved, judged),
    score: judged === 0 ? nothing : known({ value: mean }),
    scoreInterval: clipped(tInterval(scores)),
    scoreLimits: missingLimits(runs.map((run) => run.score)),
    isFlip: solved > 0 && solved < judged,
  };
}
