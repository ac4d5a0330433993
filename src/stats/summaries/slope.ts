import { known, type Result, unknownBecause, type Value } from "../result.ts";
import { pairProblem, type Sample } from "../sample.ts";
import { sum } from "./sum.ts";

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
