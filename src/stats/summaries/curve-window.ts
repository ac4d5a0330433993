import { known, type Result, unknownBecause } from "../result.ts";
import { type Sample, sampleProblem } from "../sample.ts";

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
