import { clusteredInterval } from "../../stats/intervals/clustered-interval.ts";
import { hierarchicalBootstrap } from "../../stats/intervals/hierarchical-bootstrap.ts";
import type { Interval } from "../../stats/intervals/interval.ts";
import { wilsonInterval } from "../../stats/intervals/wilson-interval.ts";
import { known, type Result, unknownBecause, type Value } from "../../stats/result.ts";
import { type Limits, missingLimits } from "./missing-limits.ts";
import { type PassPoint, passCurve } from "./pass-curve.ts";
import { perSolve } from "./per-solve.ts";
import type { RolloutRun } from "./rollout-run.ts";
import { type CellSummary, clipped, extremesOf, missingOf } from "./summarise-cell.ts";

/** All rollouts of one arm: a model, an agent, or what else was varied. */
export interface ArmSummary {
  arm: string;
  tasks: number;
  runs: number;
  missing: Record<string, number>;
  judged: number;
  solved: number;
  /** Over rollouts, with the tasks as what is counted. */
  solveRate: Result<Interval>;
  solveLimits: Limits | null;
  /** The mean over tasks of their mean scores. */
  score: Result<Value>;
  scoreInterval: Result<Interval>;
  scoreLimits: Limits | null;
  passes: PassPoint[];
  /** Tasks that no rollout, some and all rollouts solve. */
  split: { never: number; sometimes: number; always: number };
  flips: string[];
  costPerSolve: Result<Value>;
  secondsPerSolve: Result<Value>;
  best: RolloutRun | null;
  worst: RolloutRun | null;
}

/** Draws a bootstrap may take: ten thousand resamples of five hundred rollouts; of more, fewer, down to two thousand. */
const MOST_DRAWS = 5e6;
/** Fewer tasks than this can't be resampled: then the claim is about these very tasks. */
const FEWEST_TASKS = 3;

export function summariseArm(arm: string, cells: readonly CellSummary[]): ArmSummary {
  const runs = cells.flatMap((cell) => cell.runs);
  const judged = cells.filter((cell) => cell.judged > 0);
  const resamples = resamplesFor(runs.length);
  const flips = judged.filter(({ isFlip }) => isFlip).map(({ task }) => task);
  const never = judged.filter(({ solved }) => solved === 0).length;
  const scores = judged.map(({ runs: own }) => own.flatMap(({ score }) => (score === null ? [] : [score])));
  const solved = cells.reduce((sum, cell) => sum + cell.solved, 0);
  return {
    ...{ arm, tasks: cells.length, runs: runs.length, missing: missingOf(runs), solved },
    judged: cells.reduce((sum, cell) => sum + cell.judged, 0),
    solveRate: rateOf(judged),
    solveLimits: missingLimits(runs.map((run) => run.solved)),
    score: meanOf(scores),
    scoreInterval: clipped(
      hierarchicalBootstrap(scores, {
        resamples,
        ...(scores.length < FEWEST_TASKS && { resample: "rollouts" as const }),
      }),
    ),
    scoreLimits: taskLimits(cells),
    passes: passCurve(
      judged.map((cell) => ({ attempts: cell.judged, passed: cell.solved })),
      resamples,
    ),
    split: { never, sometimes: flips.length, always: judged.length - never - flips.length },
    flips,
    costPerSolve: perSolve(runs, ({ costUsd }) => costUsd, "cost"),
    secondsPerSolve: perSolve(runs, ({ seconds }) => seconds, "time"),
    ...extremesOf(runs),
  };
}

/**
 * Rollouts of one task are no independent tries at tasks of this kind, so tasks are the clusters. With one task the
 * claim is about that task; where every rollout ends alike, each task counts once.
 */
function rateOf(cells: readonly CellSummary[]): Result<Interval> {
  const values = cells.flatMap(({ runs }) => runs.flatMap(({ solved }) => (solved === null ? [] : [solved])));
  if (values.length === 0) return unknownBecause("no rollout was judged");
  if (cells.length === 1) return cells[0]!.solveRate;
  const tasks = cells.flatMap(({ runs, task }) =>
    runs.filter(({ solved }) => solved !== null).map(() => task),
  );
  const clustered = clusteredInterval(values, tasks);
  if (clustered.known) return clipped(clustered);
  const share = values.reduce((sum: number, value) => sum + value, 0) / values.length;
  const alike = wilsonInterval(Math.round(share * cells.length), cells.length);
  if (!alike.known) return alike;
  return { ...alike, estimate: share, low: Math.min(alike.low, share), high: Math.max(alike.high, share) };
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

function resamplesFor(values: number): number {
  return Math.max(2000, Math.min(10_000, Math.floor(MOST_DRAWS / Math.max(1, values))));
}
