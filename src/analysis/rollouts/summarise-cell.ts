import type { Interval } from "../../stats/intervals/interval.ts";
import { tInterval } from "../../stats/intervals/t-interval.ts";
import { wilsonInterval } from "../../stats/intervals/wilson-interval.ts";
import { known, type Result, unknownBecause, type Value } from "../../stats/result.ts";
import { type Limits, missingLimits } from "./missing-limits.ts";
import { perSolve } from "./per-solve.ts";
import type { RolloutRun } from "./rollout-run.ts";

/** The rollouts of one arm on one task. */
export interface CellSummary {
  task: string;
  arm: string;
  runs: RolloutRun[];
  /** Rollouts without a score, by whose fault it is. */
  missing: Record<string, number>;
  /** Rollouts with a score, and those of them that solved the task. */
  judged: number;
  solved: number;
  /** Rollouts of one task are independent tries at it. */
  solveRate: Result<Interval>;
  solveLimits: Limits | null;
  score: Result<Value>;
  /** Of the mean score over further rollouts on this task. */
  scoreInterval: Result<Interval>;
  scoreLimits: Limits | null;
  costPerSolve: Result<Value>;
  secondsPerSolve: Result<Value>;
  /** Some rollouts solve the task and some don't. */
  isFlip: boolean;
  best: RolloutRun | null;
  worst: RolloutRun | null;
}

export function summariseCell(runs: RolloutRun[]): CellSummary {
  const scored = runs.filter(({ score }) => score !== null);
  const scores = scored.map(({ score }) => score!);
  const solved = runs.filter((run) => run.solved === 1).length;
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return {
    ...{ task: runs[0]!.task, arm: runs[0]!.arm, runs, missing: missingOf(runs) },
    ...{ judged: scored.length, solved },
    solveRate: scored.length === 0 ? nothingJudged(runs) : wilsonInterval(solved, scored.length),
    solveLimits: missingLimits(runs.map((run) => run.solved)),
    score: scored.length === 0 ? nothingJudged(runs) : known({ value: mean }),
    scoreInterval: clipped(tInterval(scores)),
    scoreLimits: missingLimits(runs.map((run) => run.score)),
    costPerSolve: perSolve(runs, ({ costUsd }) => costUsd, "cost"),
    secondsPerSolve: perSolve(runs, ({ seconds }) => seconds, "time"),
    isFlip: solved > 0 && solved < scored.length,
    ...extremesOf(scored),
  };
}

export function missingOf(runs: readonly RolloutRun[]): Record<string, number> {
  const missing: Record<string, number> = {};
  for (const run of runs) if (run.missing !== null) missing[run.missing] = (missing[run.missing] ?? 0) + 1;
  return missing;
}

/** Scores are shares: an interval that leaves 0 to 1 says nothing beyond. */
export function clipped(interval: Result<Interval>): Result<Interval> {
  if (!interval.known) return interval;
  return { ...interval, low: Math.max(0, interval.low), high: Math.min(1, interval.high) };
}

/** Of equal scores the cheaper is the better one, then the quicker. */
export function extremesOf(runs: readonly RolloutRun[]): Pick<CellSummary, "best" | "worst"> {
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

function nothingJudged(runs: readonly RolloutRun[]) {
  return unknownBecause(`none of ${runs.length} rollouts was judged`);
}
