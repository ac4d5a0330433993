import { UserError } from "../../core/errors.ts";
import { tCdf } from "../distributions/students-t.ts";
import { differences } from "../effects/differences.ts";
import type { Interval } from "../intervals/interval.ts";
import { tLimits } from "../intervals/t-intervals.ts";
import { requireFraction } from "../options.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { allEqual, pairProblem, type Sample } from "../sample.ts";
import { moments } from "../summaries/moments.ts";
import { type Contrast, meanContrast } from "./mean-contrast.ts";

export interface Equivalence {
  /** Whether the difference lies within the margin, at level alpha. "No" is not "they differ". */
  equivalent: boolean;
  p: number;
  /** The interval of level 1 − 2 alpha, which lies within the margin exactly if the test says so. */
  interval: Interval;
}

export interface EquivalenceOptions {
  /** The largest difference that does not matter, or the two ends if they differ; in the metric's unit. */
  margin: number | readonly [number, number];
  paired?: boolean;
  alpha?: number;
}

/**
 * Two one-sided tests (TOST): whether the means are so close that the difference does not matter. A large p of an
 * ordinary test never shows that. The margin must be chosen before the data are seen.
 * Source: D. J. Schuirmann, J. Pharmacokinet. Biopharm. 15 (1987), 657-680.
 */
export function equivalenceTest(xs: Sample, ys: Sample, options: EquivalenceOptions): Result<Equivalence> {
  const { margin, paired = false, alpha = 0.05 } = options;
  requireFraction(2 * alpha, "twice alpha");
  const [from, to] = typeof margin === "number" ? [-margin, margin] : margin;
  if (!(from < to))
    throw new UserError("margin", { expected: "a positive number, or two that rise", got: String(margin) });
  const contrast = paired ? pairedContrast(xs, ys) : meanContrast(xs, ys);
  if (!contrast.known) return unknownBecause(contrast.why);
  const { difference, error, df } = contrast;
  const p = Math.max(tCdf(-(difference - from) / error, df), tCdf((difference - to) / error, df));
  const level = 1 - 2 * alpha;
  const limits = tLimits(difference, error, { df, level, side: "two-sided" });
  const interval = {
    estimate: difference,
    ...limits,
    level,
    side: "two-sided",
    method: paired ? "paired t" : "Welch t",
    cautions: [],
  } as const;
  return known({ equivalent: p <= alpha, p, interval });
}

function pairedContrast(xs: Sample, ys: Sample): Result<Contrast> {
  const problem = pairProblem(xs, ys, 2, true);
  if (problem) return unknownBecause(problem);
  const d = differences(xs, ys);
  if (allEqual(d))
    return unknownBecause(`all ${d.length} differences are equal, so their spread says nothing`);
  const { n, mean, variance } = moments(d);
  return known({ difference: mean, error: Math.sqrt(variance / n), df: n - 1 });
}
