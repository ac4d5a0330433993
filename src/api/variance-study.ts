import { analyseVariance, type VarianceFindings } from "../analysis/variance/analyse-variance.ts";
import { type MeasureOptions, measureRuns } from "../read/measure-runs.ts";
import { requireFraction, requirePositive } from "../stats/options.ts";

export interface VarianceOptions extends MeasureOptions {
  /** The half-width sought, relative to the mean (or to `effect`); .05 unless told. */
  threshold?: number;
  effect?: number;
  seed?: number;
}

/** How many seeds know the mean as precisely as asked: of a study's arms, or of a list of runs. */
export async function varianceStudy(
  words: readonly string[],
  options: VarianceOptions = {},
): Promise<VarianceFindings> {
  const threshold = requireFraction(options.threshold ?? 0.05, "--precision");
  if (options.effect !== undefined) requirePositive(options.effect, "--effect");
  const measured = await measureRuns(words, options);
  return analyseVariance(measured, {
    threshold,
    ...(options.effect !== undefined && { effect: options.effect }),
    ...(options.seed !== undefined && { seed: options.seed }),
  });
}
