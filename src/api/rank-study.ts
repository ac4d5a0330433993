import type { Measurements } from "../analysis/measurements.ts";
import { type PerformanceProfile, performanceProfiles } from "../analysis/rank/performance-profile.ts";
import { type Ranking, rankArms } from "../analysis/rank/rank-arms.ts";
import { UserError } from "../core/errors.ts";
import { type MeasureOptions, measureRuns } from "../read/measure-runs.ts";
import { requireCount, requireFraction } from "../stats/options.ts";

export interface RankStudyOptions extends MeasureOptions {
  alpha?: number;
  resamples?: number;
  seed?: number;
  /** Left out where nobody looks at them; made unless told. */
  withProfiles?: boolean;
}

export interface RankFindings extends Ranking {
  measured: Measurements;
  profiles: PerformanceProfile[];
}

/** Orders a study's arms, with intervals, groups that can't be told apart, and how often each would be best. */
export async function rankStudy(
  words: readonly string[],
  options: RankStudyOptions = {},
): Promise<RankFindings> {
  const measured = await measureRuns(words, { ...options, isLook: true });
  const goal = requireGoal(measured);
  const filled = measured.arms.filter((name) => measured.runs.some(({ arm }) => arm === name));
  if (filled.length < 2)
    throw new UserError(
      measured.arms.length < 2
        ? `there is one arm, "${measured.arms[0] ?? ""}", and a ranking needs two`
        : `only ${filled[0] ?? "no arm"} has a ${measured.metric}: ${measured.missing[0]?.why ?? ""} in ${measured.missing.length} other runs`,
      { remedy: "--by NAME groups the runs by a parameter or by variant." },
    );
  const ranking = rankArms(measured, {
    goal,
    alpha: requireFraction(options.alpha ?? 0.05, "--alpha"),
    resamples: requireCount(options.resamples ?? 10_000, "--resamples", 100),
    seed: options.seed ?? 1,
  });
  const arms = ranking.arms.map(({ name }) => name);
  const profiles = (options.withProfiles ?? true) ? performanceProfiles({ ...measured, arms }, { goal }) : [];
  return { ...ranking, measured, profiles };
}

/** Which way is better must be known, and is never guessed. */
export function requireGoal({ goal, metric }: Measurements): "minimize" | "maximize" {
  if (goal) return goal;
  throw new UserError(`nothing says whether more or less ${metric} is better`, {
    remedy: "Add --goal minimize or --goal maximize, or analysis.goal to the study.",
  });
}
