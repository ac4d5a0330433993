import type { Measurements } from "../analysis/measurements.ts";
import { type Pilot, readPilot } from "../analysis/power/pilot.ts";
import { type DecisionPlan, planDecision } from "../analysis/power/plan-decision.ts";
import { type Plan, planForBudget, planForEffect } from "../analysis/power/plan-size.ts";
import { readOutcomes } from "../archive/read-outcomes.ts";
import { UserError } from "../core/errors.ts";
import { armPairs } from "../read/choose-arms.ts";
import { readCovariate } from "../read/compare/read-covariate.ts";
import { type MeasureOptions, measureRuns } from "../read/measure-runs.ts";
import type { Result } from "../stats/index.ts";
import { requireCount, requireFraction } from "../stats/options.ts";

export interface PowerStudyOptions extends MeasureOptions {
  baseline?: string;
  candidate?: string;
  /** In the metric's unit, or a share of the baseline's mean. */
  effect?: { value: number; isRelative: boolean };
  budgetUsd?: number;
  budgetHours?: number;
  /** What so many seeds (or tasks) find. */
  sizes?: number[];
  /** Plans a study that decides as it goes, of at most so many tasks or seeds. */
  decide?: number;
  /** Earlier outcomes on the tasks of such a study, as `analysis.decide.history` takes them. */
  history?: string;
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
  /** Of each comparison: what was asked for, divided by how many there are. */
  alpha: number;
  /** How many comparisons the study will make; the pilot is of the two arms whose differences spread most. */
  comparisons: number;
  side: "two-sided" | "one-sided";
  jobs: number;
  /** How many arms are run. */
  arms: number;
  /** In the metric's unit; null where a budget was given instead. */
  effect: number | null;
  /** What each design takes, or what each size or budget finds. */
  plans: Plan[];
  /** What a study takes that decides as it goes, by true effect, where that was asked for. */
  decisions?: DecisionPlan[];
  /** See `Decision.alike`. */
  alike?: number;
}

/** From a pilot: what finding an effect takes, or which effect a size or a budget finds. */
export async function powerStudy(
  words: readonly string[],
  options: PowerStudyOptions,
): Promise<PowerFindings> {
  const measured = await measureRuns(words, options);
  const covariate =
    options.covariate === undefined ? undefined : readCovariate(options.covariate, { task: options.task });
  const pairs = measured.arms.length === 1 ? [measured.arms] : armPairs(measured, options);
  const pilots = pairs.map((names) => readPilot(measured, names, covariate));
  const pilot = answerOf(widestOf(pilots), "the pilot can't carry a plan");
  const design = {
    power: requireFraction(options.power ?? 0.8, "--power"),
    alpha: requireFraction(options.alpha ?? 0.05, "--alpha") / pairs.length,
    side: options.side ?? ("two-sided" as const),
    jobs: options.jobs ?? 1,
    arms: pairs.length === 1 ? 2 : measured.arms.length,
    comparisons: pairs.length,
  };
  const effect = options.effect ? effectOf(options.effect, pilot) : null;
  if (options.decide !== undefined) {
    const size = requireCount(options.decide, "--decide", 2);
    const history =
      options.history === undefined
        ? undefined
        : readOutcomes(options.history, measured.metric, measured.goal === "minimize" ? 1 : 0).rows;
    const effects = trueEffects(pilot, effect);
    const terms = { effects, size, alpha: design.alpha, jobs: design.jobs, history };
    const { plans: decisions, alike } = answerOf(planDecision(pilot, terms), "a decision can't be planned");
    return {
      measured,
      pilot,
      ...design,
      effect,
      plans: [],
      decisions,
      ...(alike !== undefined && { alike }),
    };
  }
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

/** What is planned for the pair that is hardest to tell apart has power enough for the others. */
function widestOf(pilots: readonly Result<Pilot>[]): Result<Pilot> {
  const known = pilots.filter((pilot) => pilot.known);
  const spread = ({ pairedSd, armSd }: Pilot) => pairedSd ?? Math.SQRT2 * armSd;
  return known.toSorted((a, b) => spread(b) - spread(a))[0] ?? pilots[0]!;
}

/** None at all, and around the one that was asked for; else what people ask about. */
function trueEffects({ rates, pairedSd, armSd, largest }: Pilot, effect: number | null): number[] {
  const usual = rates ? [0.03, 0.06, 0.1, 0.2] : [0.25, 0.5, 1].map((share) => share * (pairedSd ?? armSd));
  if (effect === null) return [0, ...usual.filter((one) => one <= largest)];
  return [0, effect / 2, effect, ...(2 * effect <= largest ? [2 * effect] : [])];
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
