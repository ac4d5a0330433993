import { known, type Result, unknownBecause, type Value } from "../result.ts";
import { pairProblem, type Sample, sampleProblem } from "../sample.ts";
import { sum } from "./moments.ts";
import { quantileOfSorted } from "./quantiles.ts";

/** The area under a curve, and the same over the width of the window: the curve's mean height there. */
export interface Area {
  area: number;
  mean: number;
  from: number;
  to: number;
  points: number;
}

/**
 * The area under a learning curve within a window of steps, by the trapezoid rule: one number that rewards both
 * learning early and ending high. Compare `mean` across runs: it does not depend on the unit of the steps.
 */
export function areaUnderCurve(steps: Sample, values: Sample, window: CurveWindow = {}): Result<Area> {
  const cut = curveWindow(steps, values, window);
  if (!cut.known) return cut;
  let area = 0;
  for (let i = 1; i < cut.steps.length; i++) {
    area += (cut.steps[i]! - cut.steps[i - 1]!) * (cut.values[i]! + cut.values[i - 1]!) * 0.5;
  }
  const from = cut.steps[0]!;
  const to = cut.steps[cut.steps.length - 1]!;
  return known({ area, mean: area / (to - from), from, to, points: cut.steps.length });
}

/** A piece of a learning curve: steps that rise, and a value at each. */
export interface Curve {
  steps: number[];
  values: number[];
}

/**
 * Which part of a curve counts. Limits are steps, not numbers of points, so that a run that logged more often or
 * crashed early is never compared at other steps than its partner. `share` takes the first or last part of
 * [from, to], again in steps.
 */
export interface CurveWindow {
  from?: number;
  to?: number;
  share?: number;
  end?: "first" | "last";
}

/**
 * Cuts a curve to a window of steps; the values at the two edges are interpolated on straight lines.
 * A curve that does not reach over the whole window is declined: what is missing was not zero.
 */
export function curveWindow(steps: Sample, values: Sample, window: CurveWindow = {}): Result<Curve> {
  const problem = curveProblem(steps, values);
  if (problem) return unknownBecause(problem);
  const first = steps[0]!;
  const last = steps[steps.length - 1]!;
  let from = window.from ?? first;
  let to = window.to ?? last;
  const share = window.share ?? 1;
  if (window.end === "first") to = from + share * (to - from);
  else from = to - share * (to - from);
  if (!(share > 0 && share <= 1 && from < to))
    return unknownBecause(`the window from step ${from} to ${to} is empty`);
  if (from < first || to > last) {
    return unknownBecause(`the curve has steps ${first} to ${last} and the window asks for ${from} to ${to}`);
  }
  const cut: Curve = { steps: [from], values: [valueAt(steps, values, from)] };
  for (let i = 0; i < steps.length; i++) {
    if (steps[i]! > from && steps[i]! < to) {
      cut.steps.push(steps[i]!);
      cut.values.push(values[i]!);
    }
  }
  cut.steps.push(to);
  cut.values.push(valueAt(steps, values, to));
  return known(cut);
}

function curveProblem(steps: Sample, values: Sample): string | undefined {
  const problem = sampleProblem(steps, 2, "the curve") ?? sampleProblem(values, 2, "the curve");
  if (problem) return problem;
  if (steps.length !== values.length)
    return `the curve has ${steps.length} steps and ${values.length} values`;
  for (let i = 1; i < steps.length; i++) {
    if (steps[i]! <= steps[i - 1]!)
      return `the curve's steps must rise, and ${steps[i]} follows ${steps[i - 1]}`;
  }
  return undefined;
}

function valueAt(steps: Sample, values: Sample, step: number): number {
  let right = 1;
  while (right < steps.length - 1 && steps[right]! < step) right++;
  const x0 = steps[right - 1]!;
  const x1 = steps[right]!;
  const y0 = values[right - 1]!;
  if (step === x1) return values[right]!;
  return y0 + ((step - x0) / (x1 - x0)) * (values[right]! - y0);
}

/** The mean of the last n values of a curve: where learning ended, with the noise of single evaluations averaged. */
export function lastMean(values: Sample, n: number): Result<Value> {
  const problem = sampleProblem(values, Math.max(1, n), "the curve");
  if (problem) return unknownBecause(problem);
  const last = Array.from(values).slice(-n);
  return known({ value: sum(last) / last.length });
}

/** The slope of the straight line through the points (x, y) by least squares: how fast a curve rises overall. */
export function slope(xs: Sample, ys: Sample): Result<Value> {
  const problem = pairProblem(xs, ys, 2, true);
  if (problem) return unknownBecause(problem);
  const mx = sum(xs) / xs.length;
  const my = sum(ys) / ys.length;
  let along = 0;
  let across = 0;
  for (let i = 0; i < xs.length; i++) {
    along += (xs[i]! - mx) ** 2;
    across += (xs[i]! - mx) * (ys[i]! - my);
  }
  if (along === 0) return unknownBecause("all x are equal, so no line has a slope here");
  return known({ value: across / along });
}

/**
 * The slope of a sequence per step as the median of the slopes of all pairs: a few wild values do not turn it.
 * Source: P. K. Sen, J. Am. Stat. Assoc. 63 (1968), 1379-1389. O(n² log n).
 */
export function medianSlope(xs: Sample): Result<Value> {
  const problem = sampleProblem(xs, 2);
  if (problem) return unknownBecause(problem);
  const n = xs.length;
  const slopes = new Float64Array((n * (n - 1)) / 2);
  let at = 0;
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) slopes[at++] = (xs[j]! - xs[i]!) / (j - i);
  }
  return known({ value: quantileOfSorted(slopes.sort(), 0.5) });
}
