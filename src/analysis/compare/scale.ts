import { UserError } from "../../core/errors.ts";
import type { Arm, ArmSet, Scale } from "../../design/arm-set.ts";
import type { Interval, Result } from "../../stats/index.ts";
import type { CompareOptions } from "./comparison.ts";
import { exactDifference } from "./exact-difference.ts";
import type { Samples } from "./samples.ts";

/** By how much the logarithms must fit a normal curve better than the values do: e times as likely. */
const CLEARLY = 1;

/** Values above 0 that vary by more than this share of their mean are no normal ones: they would be below 0, too. */
const WIDE = 0.5;

/**
 * The scale that values suit. Ratios are for values above 0 that multiply, as times, costs and tokens do: their
 * logarithms are clearly closer to a normal curve than they are themselves. This looks at the values of all arms at once
 * and never at which arm a value is from, so it can't favour an arm, and a permutation test after it stays exact.
 * Source: G. E. P. Box and D. R. Cox, JRSS B 26 (1964), 211-252: the likelihood of the exponents 1 and 0.
 */
export function suitableScale(
  arms: readonly { arm: Arm }[],
  { range, isLeastTime }: Pick<ArmSet, "range" | "isLeastTime">,
): Scale {
  if (range && Number.isFinite(range[1])) return "difference";
  const [plain, logs] = [new Spread(), new Spread()];
  for (const { arm } of arms)
    for (const { value } of arm.observations) {
      if (value === null) continue;
      if (!(value > 0)) return "difference";
      plain.add(value);
      logs.add(Math.log(value));
    }
  if (plain.sd === 0) return "difference";
  // Of what a body needs at least, people ask how many percent it changed.
  if (isLeastTime) return "ratio";
  const least = plain.sd > WIDE * plain.mean ? 0 : CLEARLY;
  return plain.n * (Math.log(plain.sd / logs.sd) - logs.mean) > least ? "ratio" : "difference";
}

/** Mean and standard deviation of values as they come. Source: B. P. Welford, Technometrics 4 (1962), 419-420. */
class Spread {
  n = 0;
  mean = 0;
  #squares = 0;

  add(value: number): void {
    this.n++;
    const step = value - this.mean;
    this.mean += step / this.n;
    this.#squares += step * (value - this.mean);
  }

  get sd(): number {
    return Math.sqrt(this.#squares / this.n);
  }
}

/** Samples as their logarithms: differences of these are ratios of geometric means. */
export function toLogs(samples: Samples): Samples {
  return { ...samples, baseline: samples.baseline.map(Math.log), candidate: samples.candidate.map(Math.log) };
}

/** Null where ratios say nothing: of values that are not above 0, or of one ratio that all pairs share. */
export function logsOf(
  { metric }: { metric: string },
  samples: Samples,
  { method, scale, alpha = 0.05 }: CompareOptions,
): Samples | null {
  const isPositive = [samples.baseline, samples.candidate].every((xs) => xs.every((x) => x > 0));
  if (!isPositive && scale === "ratio")
    throw new UserError(`--scale ratio on ${metric}`, {
      expected: "values above 0",
      got: `${Math.min(...samples.baseline, ...samples.candidate)}`,
      remedy: "Leave --scale out.",
    });
  if (!isPositive || method === "hierarchical") return null;
  const logs = toLogs(samples);
  return exactDifference(logs, { alpha, side: "two-sided" }) ? null : logs;
}

/** An interval of logarithms as what it comes to at the baseline's mean. */
export function inUnits(interval: Result<Interval>, base: number): Result<Interval> {
  if (!interval.known) return interval;
  const at = (x: number) => base * Math.expm1(x);
  return { ...interval, estimate: at(interval.estimate), low: at(interval.low), high: at(interval.high) };
}
