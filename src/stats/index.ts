// biome-ignore-all assist/source/organizeImports: in a textbook's order
/**
 * Assay's statistics, in a textbook's order. Each is one function in one file that says what it is for, when it
 * holds and where it comes from; docs/statistics.md says which to use when. Every one returns a Result: the answer,
 * or why there is none. Nothing here reads a clock, a file or an unseeded random number.
 */

// Answers
export type { Known, Result, Unknown, Value } from "./result.ts";
export { known, unknownBecause } from "./result.ts";
export type { Sample } from "./sample.ts";
export type { Side } from "./options.ts";

// 1. Summaries
export { mean } from "./summaries/mean.ts";
export { median } from "./summaries/median.ts";
export { variance } from "./summaries/variance.ts";
export { standardDeviation } from "./summaries/standard-deviation.ts";
export { standardError } from "./summaries/standard-error.ts";
export { coefficientOfVariation } from "./summaries/coefficient-of-variation.ts";
export { skewness } from "./summaries/skewness.ts";
export { kurtosis } from "./summaries/kurtosis.ts";
export { medianSlope } from "./summaries/median-slope.ts";
export { findOutliers } from "./summaries/find-outliers.ts";
export { quantile, type QuantileDefinition } from "./summaries/quantile.ts";
export { trimmedMean } from "./summaries/trimmed-mean.ts";
export { interquartileMean } from "./summaries/interquartile-mean.ts";
export { areaUnderCurve, type Area } from "./summaries/area-under-curve.ts";
export { curveWindow, type Curve, type CurveWindow } from "./summaries/curve-window.ts";
export { lastMean } from "./summaries/last-mean.ts";
export { slope } from "./summaries/slope.ts";
export { midranks, type Ranks } from "./summaries/ranks.ts";

// 2. Intervals
export type { Interval, IntervalOptions } from "./intervals/interval.ts";
export { tInterval } from "./intervals/t-interval.ts";
export { pairedInterval } from "./intervals/paired-interval.ts";
export { welchInterval } from "./intervals/welch-interval.ts";
export type { BootstrapMethod, BootstrapOptions } from "./intervals/bootstrap-options.ts";
export { bootstrapInterval, type BootstrapIntervalOptions } from "./intervals/bootstrap-interval.ts";
export {
  bootstrapPairedInterval,
  type BootstrapPairedOptions,
} from "./intervals/bootstrap-paired-interval.ts";
export { bootstrapDifferenceInterval } from "./intervals/bootstrap-difference-interval.ts";
export { hierarchicalBootstrap, type HierarchicalOptions } from "./intervals/hierarchical-bootstrap.ts";
export { hierarchicalBootstrapDifference } from "./intervals/hierarchical-bootstrap-difference.ts";
export {
  clusteredInterval,
  type ClusteredInterval,
  type ClusteredOptions,
} from "./intervals/clustered-interval.ts";
export { wilsonInterval } from "./intervals/wilson-interval.ts";
export { clopperPearsonInterval } from "./intervals/clopper-pearson-interval.ts";
export { proportionDifferenceInterval } from "./intervals/proportion-difference-interval.ts";
export { pairedRateInterval, type PairedOutcomes } from "./intervals/paired-rate-interval.ts";
export {
  permutationDifference,
  type PermutationDifference,
  type PermutationOptions,
} from "./intervals/permutation-difference.ts";
export { ratePower, rateSampleSize, type RateSetting, smallestRateEffect } from "./power/rate-power.ts";
export {
  pairedRateDifference,
  type RateDifference,
  rateDifference,
  type RateOptions,
} from "./rates/rate-difference.ts";

// 3. Tests
export type { TestOptions, TestResult } from "./tests/test-result.ts";
export { welchTest } from "./tests/welch-test.ts";
export { pairedTTest } from "./tests/paired-t-test.ts";
export { wilcoxonTest, type WilcoxonOptions } from "./tests/wilcoxon-test.ts";
export { mannKendallTest } from "./tests/mann-kendall-test.ts";
export { mannWhitneyTest, type MannWhitneyOptions } from "./tests/mann-whitney-test.ts";
export { signFlipTest, type SignFlipOptions } from "./tests/sign-flip-test.ts";
export { labelPermutationTest, type LabelPermutationOptions } from "./tests/label-permutation-test.ts";
export { mcnemarTest } from "./tests/mcnemar-test.ts";
export { fisherTest, type Tally } from "./tests/fisher-test.ts";
export { twoProportionTest, type Proportion } from "./tests/two-proportion-test.ts";
export { anovaTest, type AnovaResult } from "./tests/anova-test.ts";
export { kruskalWallisTest } from "./tests/kruskal-wallis-test.ts";
export { friedmanTest } from "./tests/friedman-test.ts";
export { tukeyTest, type TukeyPair } from "./tests/tukey-test.ts";

// 4. Diagnostics, to be shown and never to choose a method by
export { shapiroWilkTest } from "./tests/shapiro-wilk-test.ts";
export { leveneTest } from "./tests/levene-test.ts";

// 5. Effect sizes
export { differences } from "./effects/differences.ts";
export { meanDifference } from "./effects/mean-difference.ts";
export { ratioOfMeans } from "./effects/ratio-of-means.ts";
export { cohensD, type StandardisedEffect, type Standardiser } from "./effects/cohens-d.ts";
export { cohensDInterval } from "./effects/cohens-d-interval.ts";
export { hedgesG } from "./effects/hedges-g.ts";
export { cliffsDelta } from "./effects/cliffs-delta.ts";
export { probabilityOfSuperiority } from "./effects/probability-of-superiority.ts";
export { correlation } from "./effects/correlation.ts";
export { rankCorrelation } from "./effects/rank-correlation.ts";

// 6. Power
export type { Design } from "./power/design.ts";
export { tTestPower } from "./power/t-test-power.ts";
export { sampleSize, type SampleSize } from "./power/sample-size.ts";
export { minimumDetectableEffect } from "./power/minimum-detectable-effect.ts";
export { sampleSizeForProportions } from "./power/sample-size-for-proportions.ts";
export type { Rollouts } from "./power/nested.ts";
export { tasksForEffect, type TaskOptions, type TasksForEffect } from "./power/tasks-for-effect.ts";
export { effectForTasks } from "./power/effect-for-tasks.ts";
export { varianceComponents, type VarianceComponents } from "./power/variance-components.ts";
export {
  pairedVarianceComponents,
  type PairedVarianceComponents,
} from "./power/paired-variance-components.ts";

export { noiseSplit, noiseWith, type NoiseErrors, type NoiseSplit } from "./power/noise-split.ts";
export type { Moments } from "./summaries/moments.ts";

export {
  adjustedDifference,
  type Adjustable,
  type AdjustedDifference,
  type AdjustOptions,
} from "./intervals/adjusted-difference.ts";
export {
  bootstrapDistribution,
  type BootstrapDistribution,
} from "./resampling/bootstrap-distribution.ts";

// 7. Equivalence
export {
  equivalenceTest,
  type Equivalence,
  type EquivalenceOptions,
} from "./equivalence/equivalence-test.ts";

// 8. Many comparisons
export type { Adjusted } from "./multiplicity/adjusted.ts";
export { holm } from "./multiplicity/holm.ts";
export { benjaminiHochberg } from "./multiplicity/benjamini-hochberg.ts";
export { benjaminiYekutieli } from "./multiplicity/benjamini-yekutieli.ts";
export { bonferroni } from "./multiplicity/bonferroni.ts";
export { hochberg } from "./multiplicity/hochberg.ts";

// 9. Pass rates
export type { PassRate } from "./passes/pass-rate.ts";
export type { TaskOutcomes } from "./passes/task-outcomes.ts";
export { passAtK } from "./passes/pass-at-k.ts";
export { passHatK } from "./passes/pass-hat-k.ts";

// 10. Looking while it runs
export { bettingInterval } from "./sequences/betting-interval.ts";
export { bettingCapital, type BettingCapital } from "./sequences/betting-capital.ts";
export type { BettingOptions } from "./sequences/betting-options.ts";
export {
  asymptoticSequence,
  type AsymptoticOptions,
  type ConfidenceSequence,
} from "./sequences/asymptotic-sequence.ts";
export { type Bet, type Draw, EVEN } from "./sequences/bet.ts";
export { MeanBet, type MeanBetOptions } from "./sequences/mean-bet.ts";
export { ShiftBet, type ShiftBetOptions } from "./sequences/shift-bet.ts";
export { betInterval, type BetInterval, type BetIntervalOptions } from "./sequences/bet-interval.ts";
export { weightedOrder, type WeightedDraw } from "./sequences/weighted-order.ts";
export { historyWeights } from "./sequences/history-weights.ts";

// 11. Distributions
export { normalCdf } from "./distributions/normal-cdf.ts";
export { normalDensity } from "./distributions/normal-density.ts";
export { normalQuantile } from "./distributions/normal-quantile.ts";
export { tCdf } from "./distributions/t-cdf.ts";
export { tQuantile } from "./distributions/t-quantile.ts";
export { noncentralTCdf } from "./distributions/noncentral-t-cdf.ts";
export { chi2Cdf, chi2Tail } from "./distributions/chi2-cdf.ts";
export { chi2Quantile } from "./distributions/chi2-quantile.ts";
export { fCdf, fTail } from "./distributions/f-cdf.ts";
export { fQuantile } from "./distributions/f-quantile.ts";
export { betaQuantile } from "./distributions/beta-quantile.ts";
export { binomialCdf } from "./distributions/binomial-cdf.ts";
export { rankSumCdf } from "./distributions/rank-sum-cdf.ts";
export { signedRankCdf } from "./distributions/signed-rank-cdf.ts";
export { studentizedRangeCdf } from "./distributions/studentized-range-cdf.ts";

// 12. Special functions
export { choose } from "./special/choose.ts";
export { erf } from "./special/erf.ts";
export { erfc } from "./special/erfc.ts";
export { incompleteBeta } from "./special/incomplete-beta.ts";
export { incompleteGamma, type IncompleteGamma } from "./special/incomplete-gamma.ts";
export { lnBeta } from "./special/ln-beta.ts";
export { lnChoose } from "./special/ln-choose.ts";
export { lnGamma } from "./special/ln-gamma.ts";
