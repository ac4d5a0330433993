import type { Design } from "../../design/design.ts";
import type { MetricFacts } from "../../design/metric.ts";
import { type MetricReader, observe } from "../../design/observe.ts";
import type { UnitKind } from "../../design/unit.ts";
import {
  type Interval,
  known,
  type Result,
  tInterval,
  unknownBecause,
  type Value,
  wilsonInterval,
} from "../../stats/index.ts";
import { settleFailures } from "../compare/settle-failures.ts";
import { type ArmEstimate, estimateArm } from "../estimate-arm.ts";
import { clipped, type PassPoint, passCurve } from "./pass-curve.ts";
import type { RolloutRun } from "./rollout-run.ts";

/** What the rollouts of a launch come to. */
export interface RolloutsSummary {
  /** What is counted: tasks, or rollouts where there are more of them than tasks. */
  unit: UnitKind;
  tasks: string[];
  arms: ArmSummary[];
  /** By task, then by arm. */
  cells: CellSummary[];
}

/** How rollouts are judged: the design that every comparison of them has, and what is known of their score. */
export interface RolloutsQuestion {
  design: Design;
  score: MetricFacts;
}

/** Sums up rollouts, by task and arm and by arm; an arm's numbers are those that it has in a comparison. */
export function summariseRollouts(
  runs: readonly RolloutRun[],
  { design, score }: RolloutsQuestion,
): RolloutsSummary {
  const arms = design.arms.map(({ name }) => name);
  const grouped = new Map<string, Map<string, RolloutRun[]>>();
  for (const run of runs) {
    const ofTask = grouped.get(run.task) ?? new Map<string, RolloutRun[]>();
    grouped.set(run.task, ofTask);
    const list = ofTask.get(run.arm);
    if (list) list.push(run);
    else ofTask.set(run.arm, [run]);
  }
  const cells = [...grouped.values()].flatMap((ofTask) =>
    arms.flatMap((arm) => {
      const list = ofTask.get(arm);
      return list ? [summariseCell(list)] : [];
    }),
  );
  const byArm = new Map(arms.map((arm) => [arm, [] as CellSummary[]]));
  for (const cell of cells) byArm.get(cell.arm)?.push(cell);
  const ofRun = new Map(runs.map((run) => [run.id, run]));
  const [scores, solves] = observe(design, [
    { ...score, read: ({ id }) => ofRun.get(id)?.score ?? null },
    { ...score, name: "solved", read: ({ id }) => ofRun.get(id)?.solved ?? null },
  ] satisfies MetricReader[]).map((set) => {
    const settled = settleFailures(set);
    return settled.arms.map((arm) => estimateArm(arm, settled));
  });
  return {
    unit: design.unit,
    tasks: [...grouped.keys()],
    arms: arms.map((arm, i) => summariseArm(byArm.get(arm)!, { score: scores![i]!, solved: solves![i]! })),
    cells,
  };
}

/** All rollouts of one arm: a model, an agent, or what else was varied. */
export interface ArmSummary extends RunsTally {
  arm: string;
  tasks: number;
  runs: number;
  /** The mean share of rollouts that solve their task, each task weighing the same. */
  solveRate: Result<Interval>;
  /** The mean score, each task weighing the same. */
  score: Result<Value>;
  scoreInterval: Result<Interval>;
  scoreLimits: Limits | null;
  passes: PassPoint[];
  /** Tasks that no rollout, some and all rollouts solve. */
  split: { never: number; sometimes: number; always: number };
  flips: string[];
}

function summariseArm(
  cells: readonly CellSummary[],
  { score, solved }: { score: ArmEstimate; solved: ArmEstimate },
): ArmSummary {
  const runs = cells.flatMap((cell) => cell.runs);
  const judged = cells.filter((cell) => cell.judged > 0);
  const flips = judged.filter(({ isFlip }) => isFlip).map(({ task }) => task);
  const never = judged.filter(({ solved: count }) => count === 0).length;
  return {
    ...{ arm: score.name, tasks: cells.length, runs: runs.length, ...tallyRuns(runs) },
    solveRate: solved.interval,
    score: score.mean === null ? unknownBecause("no rollout was judged") : known({ value: score.mean }),
    scoreInterval: score.interval,
    scoreLimits: taskLimits(cells),
    passes: passCurve(
      judged.map((cell) => ({ attempts: cell.judged, passed: cell.solved })),
      solved.interval,
    ),
    split: { never, sometimes: flips.length, always: judged.length - never - flips.length },
    flips,
  };
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

function summariseCell(runs: RolloutRun[]): CellSummary {
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

function tallyRuns(runs: readonly RolloutRun[]): RunsTally {
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

/** Between what a mean lies, whatever the missing values would have been. */
export interface Limits {
  low: number;
  high: number;
}

/**
 * The mean of shares if all missing ones were 0, and if all were 1; null where none is missing.
 * Source: C. F. Manski, Am. Econ. Rev. 80 (1990), 319-323.
 */
function missingLimits(values: readonly (number | null)[]): Limits | null {
  const there = values.filter((value) => value !== null);
  const missing = values.length - there.length;
  if (missing === 0) return null;
  const total = there.reduce((sum, value) => sum + value, 0);
  return { low: total / values.length, high: (total + missing) / values.length };
}
