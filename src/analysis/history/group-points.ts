import { canonicalJson } from "../../core/hash.ts";
import { tInterval, tLimits } from "../../stats/intervals/t-intervals.ts";
import { detectSteps, MOST_POINTS, type StepOptions } from "./detect-steps.ts";
import type { CellHistory, HistoryPoint, Measurement } from "./history.ts";

export interface GroupOptions extends StepOptions {
  /** Whether a point belongs to the part of the history that is looked at. */
  isWanted?(point: HistoryPoint): boolean;
}

/** Measurements as histories: a cell for each target with its parameters, in each a point for each state. */
export function groupPoints(
  measurements: readonly Measurement[],
  { isWanted = () => true, ...options }: GroupOptions = {},
): CellHistory[] {
  const cells = groupBy(measurements, ({ target, params, variant }) =>
    canonicalJson({ target, params, variant }),
  );
  return [...cells.values()].map((runs) => {
    const { target, params, variant } = runs[0]!;
    const points = inOrder(runs).map(pointOf).filter(isWanted).slice(-MOST_POINTS);
    const steps = detectSteps(
      points.map(({ mean }) => mean),
      options,
    );
    return { target, params, variant, points, steps };
  });
}

/** By the time of the commits where all are known, since older ones may be measured later; else by the clock. */
function inOrder(runs: readonly Measurement[]): Measurement[][] {
  const isDated = runs.every(({ state }) => state.committedAtMs !== null);
  const states = [...groupBy(runs, ({ state }) => state.key).values()].map((list) => ({
    list,
    firstMs: Math.min(...list.map(({ startedAtMs }) => startedAtMs)),
    committedMs: isDated ? list[0]!.state.committedAtMs! : 0,
  }));
  states.sort((a, b) => a.committedMs - b.committedMs || a.firstMs - b.firstMs);
  return states.map(({ list }) => list);
}

function pointOf(runs: readonly Measurement[]): HistoryPoint {
  const [{ state, value, within, startedAtMs }] = runs as [Measurement, ...Measurement[]];
  const values = runs.map((run) => run.value);
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  const interval = tInterval(values);
  let shown: HistoryPoint["interval"] = null;
  if (interval.known) shown = { low: interval.low, high: interval.high, isWithin: false };
  else if (runs.length === 1 && within !== null && within.n > 1) {
    const error = within.sd / Math.sqrt(within.n);
    shown = {
      ...tLimits(value, error, { df: within.n - 1, level: 0.95, side: "two-sided" }),
      isWithin: true,
    };
  }
  return {
    label: state.label,
    commit: state.commit,
    atMs: state.committedAtMs ?? startedAtMs,
    n: runs.length,
    mean,
    interval: shown,
  };
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = key(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}
