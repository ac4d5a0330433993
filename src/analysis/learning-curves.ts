import { type Curve, tInterval } from "../stats/index.ts";
import type { Measurement, Measurements } from "./measurements.ts";

/** An arm's curves on common steps, their mean and the interval of the mean at each step. */
export interface LearningCurve {
  name: string;
  steps: number[];
  mean: number[];
  low: number[];
  high: number[];
  runs: number[][];
}

/** What curves are made from. */
export interface CurveRuns extends Pick<Measurements, "arms" | "window"> {
  runs: readonly Pick<Measurement, "arm" | "curve">[];
}

const POINTS = 200;

/** From the first step of any run to the last step of any. */
export function wholeWindow(curves: readonly Curve[]): { from: number; to: number } {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { steps } of curves) {
    from = Math.min(from, steps[0]!);
    to = Math.max(to, steps.at(-1)!);
  }
  return curves.length === 0 ? { from: 0, to: 0 } : { from, to };
}

/**
 * Each arm's runs at evenly spaced steps, their mean and its 95 % t interval at each step on its own. A run counts from
 * its first step to its last one; the mean is drawn as long as at least half of an arm's runs, and two where there are
 * two, go on: what a few survivors do says little about the arm.
 */
export function learningCurves({ arms, runs, window }: CurveRuns): LearningCurve[] {
  if (!window) return [];
  const { from, to } = window;
  const steps = Array.from({ length: POINTS }, (_, i) => from + ((to - from) * i) / (POINTS - 1));
  return arms.map((name) => {
    const curves = runs
      .filter(({ arm, curve }) => arm === name && (curve?.steps.length ?? 0) > 1)
      .map(({ curve }) => resample(curve!.steps, curve!.values, steps));
    const least = Math.max(Math.min(2, curves.length), curves.length / 2);
    const columns = steps.map((_, i) => curves.map((curve) => curve[i]!).filter(Number.isFinite));
    const shown = columns.map((column) => (column.length >= least && column.length > 0 ? column : null));
    const intervals = shown.map((column) => (column ? tInterval(column) : null));
    return {
      name,
      steps,
      mean: shown.map((column) =>
        column ? column.reduce((total, x) => total + x, 0) / column.length : Number.NaN,
      ),
      low: intervals.map((interval) => (interval?.known ? interval.low : Number.NaN)),
      high: intervals.map((interval) => (interval?.known ? interval.high : Number.NaN)),
      runs: curves,
    };
  });
}

/** Values on other steps, by straight lines; not a number before the first and after the last step. */
function resample(steps: readonly number[], values: readonly number[], wanted: readonly number[]): number[] {
  let right = 1;
  return wanted.map((step) => {
    if (step < steps[0]! || step > steps.at(-1)!) return Number.NaN;
    while (right < steps.length - 1 && steps[right]! < step) right++;
    const [x0, x1] = [steps[right - 1]!, steps[right]!];
    const [y0, y1] = [values[right - 1]!, values[right]!];
    return y0 + (Math.min(1, (step - x0) / (x1 - x0)) || 0) * (y1 - y0);
  });
}
