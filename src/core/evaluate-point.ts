import { parseExpression } from "./expression.ts";
import type { Params } from "./params.ts";
import type { RunRecord } from "./run.ts";
import type { Search } from "./space.ts";

/** What the runs of one point of a search come to. */
export interface PointWorth {
  /** "stopped": some run was ended early, so that its values are no full results. */
  state: "ok" | "failed" | "stopped";
  /** One mean for each objective; empty where there is none. */
  values: number[];
  /** Of the means; NaN where unknown. */
  standardErrors: number[];
  /** How many units (seeds, mostly) the means are of. */
  n: number;
  /** What the means are over: runs of one seed are not independent. */
  unit: "seed" | "task" | "repeat";
  /** The units' own values, objective by objective. */
  units: Map<string, number>[];
  /** How many constraints the means of the metrics miss. */
  violation: number;
}

export type PointRun = Pick<RunRecord, "outcome" | "metrics" | "seed" | "task" | "repeat">;

/**
 * The mean of each objective over the good runs. Runs of one seed are averaged first: they are not independent, so
 * the standard error is over seeds (over tasks or repeats where there is one seed only). A point without any good run,
 * or whose runs lack the metric, has failed; so has one of which a run says that the metric is not a finite number:
 * left out of the mean, a run that diverged would make its point look better.
 */
export function pointEvaluator({
  objectives,
  constraints,
}: Pick<Search, "objectives" | "constraints">): (runs: readonly PointRun[]) => PointWorth {
  const conditions = constraints.map(
    (text) => (names: string[]) => parseExpression(text, [...names, ...wordsOf(text)]),
  );
  return (runs) => {
    const useful = runs.filter(({ outcome }) => outcome.status === "ok" || outcome.status === "stopped");
    const unit = unitOf(useful);
    const units = objectives.map(({ metric }) => byUnit(useful, KEYS[unit], metric));
    const isDiverged = useful.some((run) => objectives.some(({ metric }) => isNoNumber(run, metric)));
    if (useful.length === 0 || isDiverged || units.some(({ size }) => size === 0))
      return { state: "failed", values: [], standardErrors: [], n: 0, unit, units: [], violation: 0 };
    const columns = units.map((unit) => [...unit.values()]);
    return {
      state: useful.some(({ outcome }) => outcome.status === "stopped") ? "stopped" : "ok",
      values: columns.map(average),
      standardErrors: columns.map(standardError),
      n: Math.min(...columns.map(({ length }) => length)),
      ...{ unit, units },
      violation: violations(conditions, useful),
    };
  };
}

const KEYS: Record<PointWorth["unit"], (run: PointRun) => string> = {
  seed: ({ seed }) => String(seed),
  task: ({ task }) => task ?? "",
  repeat: ({ repeat }) => String(repeat),
};

function unitOf(runs: readonly PointRun[]): PointWorth["unit"] {
  const differ = (name: "seed" | "task" | "repeat") => runs.some((run) => run[name] !== runs[0]![name]);
  return differ("seed") ? "seed" : differ("task") ? "task" : differ("repeat") ? "repeat" : "seed";
}

function byUnit(
  runs: readonly PointRun[],
  keyOf: (run: PointRun) => string,
  metric: string,
): Map<string, number> {
  const groups = new Map<string, number[]>();
  for (const run of runs) {
    const value = numberOf(run, metric);
    if (value === undefined) continue;
    const key = keyOf(run);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return new Map([...groups].map(([key, values]) => [key, average(values)]));
}

function numberOf({ metrics }: PointRun, name: string): number | undefined {
  const value = Object.hasOwn(metrics, name) ? metrics[name] : undefined;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function isNoNumber({ metrics }: PointRun, name: string): boolean {
  return Object.hasOwn(metrics, name) && !Number.isFinite(metrics[name]);
}

/** A metric that is not there misses its constraint. */
function violations(
  conditions: readonly ((names: string[]) => ReturnType<typeof parseExpression>)[],
  runs: readonly PointRun[],
): number {
  if (conditions.length === 0) return 0;
  const means: Params = {};
  for (const name of new Set(runs.flatMap(({ metrics }) => Object.keys(metrics)))) {
    const values = runs.flatMap((run) => numberOf(run, name) ?? []);
    if (values.length > 0) means[name] = average(values);
  }
  return conditions.filter((conditionOf) => {
    const condition = conditionOf(Object.keys(means));
    return [...condition.names].some((name) => !(name in means)) || !condition.holds(means);
  }).length;
}

/** Every name that a condition could mean: a metric that no run reported is missing, not misspelt. */
function wordsOf(text: string): string[] {
  return text.match(/[A-Za-z_][\w/.-]*/g) ?? [];
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Unknown from one value. */
function standardError(values: readonly number[]): number {
  if (values.length < 2) return Number.NaN;
  const mean = average(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1) / values.length);
}
