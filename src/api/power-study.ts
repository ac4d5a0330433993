import type { Measurements } from "../analysis/measurements.ts";
import { type Pilot, readPilot } from "../analysis/power/pilot.ts";
import { type Plan, planForBudget, planForEffect } from "../analysis/power/plan-size.ts";
import { UserError } from "../core/errors.ts";
import { chooseArms } from "../read/choose-arms.ts";
import { readCovariate } from "../read/compare/read-covariate.ts";
import { type MeasureOptions, measureRuns } from "../read/measure-runs.ts";
import type { Result } from "../stats/index.ts";
import { requireFraction } from "../stats/options.ts";

export interface PowerStudyOptions extends MeasureOptions {
  baseline?: string;
  candidate?: string;
  /** In the metric's unit, or a share of the baseline's mean. */
  effect?: { value: number; isRelative: boolean };
  budgetUsd?: number;
  budgetHours?: number;
  /** What so many seeds (or tasks) find. */
  sizes?: number[];
  power?: number;
  alpha?: number;
  side?: "two-sided" | "one-sided";
  jobs?: number;
  /** What was known before the run: `baseline`, or a CSV file of tasks. */
  covariate?: string;
}

export interface PowerFindings {
  measured: Measurements;
  pilot: Pilot;
  power: number;
  alpha: number;
  side: "two-sided" | "one-sided";
  jobs: number;
  /** In the metric's unit; null where a budget was given instead. */
  effect: number | null;
  /** What each design takes, or what each size or budget finds. */
  plans: Plan[];
}

/** From a pilot: what finding an effect takes, or which effect a size or a budget finds. */
export async function powerStudy(
  words: readonly string[],
  options: PowerStudyOptions,
): Promise<PowerFindings> {
  const measured = await measureRuns(words, options);
  const names = measured.arms.length === 1 ? measured.arms : chooseArms(measured, options);
  const covariate =
    options.covariate === undefined ? undefined : readCovariate(options.covariate, { task: options.task });
  const pilot = answerOf(readPilot(measured, names, covariate), "the pilot can't carry a plan");
  const design = {
    power: requireFraction(options.power ?? 0.8, "--power"),
    alpha: requireFraction(options.alpha ?? 0.05, "--alpha"),
    side: options.side ?? ("two-sided" as const),
    jobs: options.jobs ?? 1,
  };
  const effect = options.effect ? effectOf(options.effect, pilot) : null;
  const plans: Plan[] = [];
  if (effect !== null)
    plans.push(...answerOf(planForEffect(pilot, effect, design), "this effect can't be planned for").plans);
  if (options.budgetUsd !== undefined || options.budgetHours !== undefined) {
    const budget = {
      ...(options.budgetUsd !== undefined && { usd: options.budgetUsd }),
      ...(options.budgetHours !== undefined && { hours: options.budgetHours }),
    };
    plans.push(...answerOf(planForBudget(pilot, budget, design), "this budget can't be planned with").plans);
  }
  const sizes = plans.length === 0 ? (options.sizes ?? usualSizes(pilot.units)) : (options.sizes ?? []);
  for (const units of sizes)
    plans.push(...answerOf(planForBudget(pilot, { units }, design), "this size can't be planned with").plans);
  if (effect === null) plans.sort((a, b) => a.rollouts - b.rollouts || a.design.localeCompare(b.design) * -1);
  return { measured, pilot, ...design, effect, plans };
}

/** The pilot's own size and what people consider next. */
function usualSizes(pilot: number): number[] {
  return [...new Set([pilot, 5, 10, 15, 20, 30, 50, 100])].sort((a, b) => a - b);
}

function effectOf({ value, isRelative }: { value: number; isRelative: boolean }, pilot: Pilot): number {
  if (!isRelative) return value;
  if (pilot.baselineMean === 0)
    throw new UserError(`the mean of ${pilot.arms[0]} is 0, and nothing is relative to 0`, {
      remedy: "Write --effect in the metric's unit.",
    });
  return value * Math.abs(pilot.baselineMean);
}

function answerOf<T>(result: Result<T>, sentence: string): T {
  if (!result.known) throw new UserError(`${sentence}, because ${result.why}`);
  return result;
}
