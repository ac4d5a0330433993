import { UserError } from "../../core/errors.ts";
import { type Design, designOf, type PlacedRun } from "../../design/design.ts";
import { factorsOf, type Shape } from "../../design/factors.ts";
import type { MetricFacts } from "../../design/metric.ts";
import { observe, scalarReader } from "../../design/observe.ts";
import { tLimits } from "../../stats/intervals/t-intervals.ts";
import { settleFailures } from "../compare/settle-failures.ts";
import { type ArmEstimate, estimateArm } from "../estimate-arm.ts";
import { groupBy } from "../measurements.ts";
import { detectSteps, MOST_POINTS, type Step, type StepOptions, type Steps } from "./detect-steps.ts";
import type { CellHistory, HistoryPoint, PastRun } from "./history.ts";

export interface HistoryQuestion extends StepOptions {
  metric: MetricFacts;
  /** What the newest study of these runs says of them. */
  shape?: Shape | undefined;
  /** Only the runs for which this expression holds. */
  where?: string | undefined;
  /** Whether a point belongs to the part of the history that is looked at. */
  isWanted?(point: HistoryPoint): boolean;
}

export interface GroupedPoints {
  cells: CellHistory[];
  /** Runs without a value. */
  left: number;
}

/** Runs as histories: a cell for each target with its parameters, in each a point for each state. */
export function groupPoints(runs: readonly PastRun[], question: HistoryQuestion): GroupedPoints {
  const targets = [...groupBy(runs, ({ target }) => target).values()].map((own) =>
    targetPoints(own, question),
  );
  const [cells, left] = [targets.flatMap((one) => one.cells), targets.map((one) => one.left)];
  if (question.where !== undefined && targets.every(({ isEmpty }) => isEmpty))
    throw new UserError(`no run satisfies ${JSON.stringify(question.where)}`);
  return { cells, left: left.reduce((sum, count) => sum + count, 0) };
}

/** One design for all of its states, so that a point counts what a comparison at that state would count. */
function targetPoints(
  runs: readonly PastRun[],
  { metric, shape, where, isWanted = () => true, ...options }: HistoryQuestion,
): GroupedPoints & { isEmpty: boolean } {
  const target = runs[0]!.target;
  const past = new Map(asRepeats(runs).map((run) => [run.record, run]));
  const records = [...past.keys()];
  const by = factorsOf(undefined, records).map(({ name }) => name);
  const study = shape && { ...shape, analysis: pairingOf(shape) };
  const design = designOf([{ label: target, dir: "", study, records }], { by, where });
  const states = new Map<string, PlacedRun[]>();
  const placed = design.runs.map((run): PlacedRun => {
    const arm = `${run.arm}\0${past.get(run.record)!.state.key}`;
    const own = { ...run, arm };
    const list = states.get(arm);
    if (list) list.push(own);
    else states.set(arm, [own]);
    return own;
  });
  const estimates = estimateStates({ ...design, runs: placed }, [...states.keys()], metric);
  const cells = design.arms.map(({ name }): CellHistory => {
    const own = [...states].filter(([arm]) => arm.startsWith(`${name}\0`));
    const { params, variant } = own[0]![1][0]!.record;
    const points = inOrder(
      own.map(([arm, list]) => ({ arm, runs: list.map((run) => past.get(run.record)!) })),
    )
      .flatMap(({ arm, runs: list }) => pointOf(list, estimates.get(arm)!, metric.name) ?? [])
      .filter(isWanted)
      .slice(-MOST_POINTS);
    const steps = detectSteps(
      points.map(({ mean }) => mean),
      options,
    );
    return {
      name: design.arms.length === 1 ? target : `${target}: ${name}`,
      ...{ target, params, variant, points, steps: withMachines(steps, points) },
    };
  });
  const missing = [...estimates.values()].flatMap((one) => Object.values(one.missing));
  return {
    cells: cells.filter(({ points }) => points.length > 0),
    left: missing.reduce((sum, count) => sum + count, 0),
    isEmpty: design.runs.length === 0,
  };
}

/** A step between two machines may be theirs. */
function withMachines(steps: Steps, points: readonly HistoryPoint[]): Steps {
  if (!steps.known) return steps;
  const named = steps.steps.map((step): Step => {
    const [before, after] = [points[step.at - 1]?.machine, points[step.at]?.machine];
    if (!before || !after) return step;
    const names = Object.keys(after).filter((name) => name in before && before[name] !== after[name]);
    const machine = names.map((name) => `${name} ${before[name]} to ${after[name]}`);
    return machine.length === 0 ? step : { ...step, machine };
  });
  return { known: true, steps: named };
}

/** What pairs runs is the study's word; that one of them is a baseline is no matter of a history. */
function pairingOf({ analysis: { pairBy } }: Shape): Shape["analysis"] {
  return pairBy === undefined ? {} : { pairBy };
}

/** A run that was done again at the same state is a repeat of it. */
function asRepeats(runs: readonly PastRun[]): PastRun[] {
  const repeats = 1 + runs.reduce((most, { record }) => Math.max(most, record.repeat), 0);
  const seen = new Map<string, number>();
  return runs.map((run) => {
    const key = `${run.record.id} ${run.state.key}`;
    const times = seen.get(key) ?? 0;
    seen.set(key, times + 1);
    return { ...run, record: { ...run.record, repeat: run.record.repeat + times * repeats } };
  });
}

function estimateStates(
  design: Design,
  names: readonly string[],
  metric: MetricFacts,
): Map<string, ArmEstimate> {
  const arms = names.map((name, colour) => ({ name, colour, levels: [] }));
  const [set] = observe({ ...design, arms }, [scalarReader(metric)]);
  if (!set) return new Map();
  const settled = settleFailures(set);
  return new Map(settled.arms.map((arm) => [arm.arm.name, estimateArm(arm, settled)]));
}

interface State {
  arm: string;
  runs: PastRun[];
}

/** By the time of the commits where all are known, since older ones may be measured later; else by the clock. */
function inOrder(states: readonly State[]): State[] {
  const isDated = states.every(({ runs }) => runs.every(({ state }) => state.committedAtMs !== null));
  const committedMs = ({ runs }: State) => (isDated ? runs[0]!.state.committedAtMs! : 0);
  return states.toSorted((a, b) => committedMs(a) - committedMs(b) || startedMs(a.runs) - startedMs(b.runs));
}

function startedMs(runs: readonly PastRun[]): number {
  return Math.min(...runs.map(({ record }) => record.startedAtMs));
}

function pointOf(
  runs: readonly PastRun[],
  { units, mean, interval }: ArmEstimate,
  metric: string,
): HistoryPoint | undefined {
  if (mean === null) return undefined;
  const { state } = runs[0]!;
  let shown: HistoryPoint["interval"] = null;
  if (interval.known) shown = { low: interval.low, high: interval.high, isWithin: false };
  else if (runs.length === 1) shown = withinRun(runs[0]!, mean, metric);
  return {
    ...{ label: state.label, commit: state.commit },
    ...(state.machine && { machine: state.machine }),
    atMs: state.committedAtMs ?? startedMs(runs),
    ...{ n: units.length, mean, interval: shown },
  };
}

/** Only a mean has an interval by the spread of what it is the mean of. */
function withinRun({ record, iterations }: PastRun, mean: number, metric: string): HistoryPoint["interval"] {
  const sd = record.metrics[`${metric}_sd`];
  if (typeof sd !== "number" || iterations < 2) return null;
  const limits = tLimits(mean, sd / Math.sqrt(iterations), {
    ...{ df: iterations - 1, level: 0.95, side: "two-sided" },
  });
  return { ...limits, isWithin: true };
}
