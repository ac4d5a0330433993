import { curveWindow, tInterval } from "../stats/index.ts";
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

/**
 * The mean curve of each arm's runs at evenly spaced steps, with the 95 % t interval of that mean at each step on
 * its own. Runs that end before the common window are left out, so that the mean is of the same runs everywhere.
 */
export function learningCurves({ arms, runs, window }: CurveRuns): LearningCurve[] {
  if (!window) return [];
  const { from, to } = window;
  const steps = Array.from({ length: POINTS }, (_, i) => from + ((to - from) * i) / (POINTS - 1));
  return arms.map((name) => {
    const curves = runs
      .filter(({ arm, curve }) => arm === name && curve !== undefined)
      .flatMap(({ curve }) => {
        const cut = curveWindow(curve!.steps, curve!.values, window);
        return cut.known ? [resample(cut.steps, cut.values, steps)] : [];
      });
    const columns = steps.map((_, i) => curves.map((curve) => curve[i]!));
    const intervals = columns.map((column) => tInterval(column));
    return {
      name,
      steps,
      mean: columns.map((column) => column.reduce((total, x) => total + x, 0) / column.length),
      low: intervals.map((interval) => (interval.known ? interval.low : Number.NaN)),
      high: intervals.map((interval) => (interval.known ? interval.high : Number.NaN)),
      runs: curves,
    };
  });
}

/** Values on other steps, by straight lines; both rise. */
function resample(steps: readonly number[], values: readonly number[], wanted: readonly number[]): number[] {
  let right = 1;
  return wanted.map((step) => {
    while (right < steps.length - 1 && steps[right]! < step) right++;
    const [x0, x1] = [steps[right - 1]!, steps[right]!];
    const [y0, y1] = [values[right - 1]!, values[right]!];
    return y0 + (Math.min(1, (step - x0) / (x1 - x0)) || 0) * (y1 - y0);
  });
}
