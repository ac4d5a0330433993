import { known, type Result } from "../result.ts";
import type { Sample } from "../sample.ts";
import { type CurveWindow, curveWindow } from "./curve-window.ts";

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
