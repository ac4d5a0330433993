import type { Interval } from "../../stats/intervals/interval.ts";
import { known, type Result, unknownBecause, type Value } from "../../stats/result.ts";
import type { Limits } from "./missing-limits.ts";
import { type PassPoint, passCurve } from "./pass-curve.ts";
import { shareInterval } from "./share-interval.ts";
import type { CellSummary } from "./summarise-cell.ts";
import { type RunsTally, tallyRuns } from "./tally-runs.ts";

/** All rollouts of one arm: a model, an agent, or what else was varied. */
export interface ArmSummary extends RunsTally {
  arm: string;
  tasks: number;
  runs: number;
  /** The mean over tasks of the share of their rollouts that solve them. */
  solveRate: Result<Interval>;
  /** The mean over tasks of their mean scores. */
  score: Result<Value>;
  scoreInterval: Result<Interval>;
  scoreLimits: Limits | null;
  passes: PassPoint[];
  /** Tasks that no rollout, some and all rollouts solve. */
  split: { never: number; sometimes: number; always: number };
  flips: string[];
}

export function summariseArm(arm: string, cells: readonly CellSummary[]): ArmSummary {
  const runs = cells.flatMap((cell) => cell.runs);
  const judged = cells.filter((cell) => cell.judged > 0);
  const flips = judged.filter(({ isFlip }) => isFlip).map(({ task }) => task);
  const never = judged.filter(({ solved }) => solved === 0).length;
  const scores = judged.map(({ runs: own }) => own.flatMap(({ score }) => (score === null ? [] : [score])));
  return {
    ...{ arm, tasks: cells.length, runs: runs.length, ...tallyRuns(runs) },
    solveRate: shareInterval(
      judged.map((cell) => cell.runs.flatMap((run) => (run.solved === null ? [] : [run.solved]))),
    ),
    score: meanOf(scores),
    scoreInterval: shareInterval(scores),
    scoreLimits: taskLimits(cells),
    passes: passCurve(judged.map((cell) => ({ attempts: cell.judged, passed: cell.solved }))),
    split: { never, sometimes: flips.length, always: judged.length - never - flips.length },
    flips,
  };
}

function meanOf(tasks: readonly number[][]): Result<Value> {
  if (tasks.length === 0) return unknownBecause("no rollout was judged");
  const means = tasks.map((scores) => scores.reduce((sum, score) => sum + score, 0) / scores.length);
  return known({ value: means.reduce((sum, mean) => sum + mean, 0) / means.length });
}

/** Every task weighs the same, also one that has lost all of its rollouts. */
function taskLimits(cells: readonly CellSummary[]): Limits | null {
  if (cells.every(({ scoreLimits }) => scoreLimits === null)) return null;
  const ends = cells.map(({ scoreLimits, score }) => {
    const value = score.known ? score.value : 0;
    return scoreLimits ?? { low: value, high: value };
  });
  return {
    low: ends.reduce((sum, { low }) => sum + low, 0) / ends.length,
    high: ends.reduce((sum, { high }) => sum + high, 0) / ends.length,
  };
}
