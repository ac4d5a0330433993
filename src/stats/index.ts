// biome-ignore-all assist/source/organizeImports: in a textbook's order
/**
 * Assay's statistics, in a textbook's order. Each is one function that says what it is for, when it holds
 * and where it comes from; docs/statistics.md says which to use when. Every one returns a Result: the answer,
 * or why there is none. Nothing here reads a clock, a file or an unseeded random number.
 */

// Answers
export { known, unknownBecause, type Known, type Result, type Unknown, type Value } from "./result.ts";
export type { Sample } from "./sample.ts";
export type { Side } from "./options.ts";

// 1. Summaries
export {
  moments,
  mean,
  variance,
  standardDeviation,
  standardError,
  coefficientOfVariation,
  skewness,
  kurtosis,
  type Moments,
} from "./summaries/moments.ts";
export {
  median,
  findOutliers,
  quantile,
  trimmedMean,
  interquartileMean,
  type QuantileDefinition,
} from "./summaries/quantiles.ts";
export {
  medianSlope,
  areaUnderCurve,
  curveWindow,
  lastMean,
  slope,
  type Area,
  type Curve,
  type CurveWindow,
} from "./summaries/curves.ts";
export { midranks, type Ranks } from "./summaries/ranks.ts";

// 2. Intervals
export type { Interval, IntervalOptions } from "./intervals/interval.ts";
export { tInterval, pairedInterval, welchInterval } from "./intervals/t-intervals.ts";
export type { BootstrapMethod, BootstrapOptions } from "./intervals/bootstrap-limits.ts";
export {
  bootstrapInterval,
  bootstrapPairedInterval,
  type BootstrapIntervalOptions,
  type BootstrapPairedOptions,
} from "./intervals/bootstrap-interval.ts";
export { bootstrapDifferenceInterval } from "./intervals/bootstrap-difference-interval.ts";
export {
  hierarchicalBootstrap,
  hierarchicalBootstrapDifference,
  type HierarchicalOptions,
} from "./intervals/hierarchical-bootstrap.ts";
export {
  clusteredInterval,
  type ClusteredInterval,
  type ClusteredOptions,
} from "./intervals/clustered-interval.ts";
export {
  wilsonInterval,
  clopperPearsonInterval,
  proportionDifferenceInterval,
  pairedRateInterval,
  type PairedOutcomes,
} from "./intervals/proportion-intervals.ts";
export {
  permutationDifference,
  type PermutationDifference,
  type PermutationOptions,
} from "./intervals/permutation-difference.ts";
export { signFlipDifference } from "./intervals/sign-flip-difference.ts";
export {
  trimmedDifference,
  type TrimmedDifference,
  type TrimmedOptions,
} from "./intervals/trimmed-difference.ts";
export {
  differingShare,
  ratePower,
  rateSampleSize,
  type RateSetting,
  smallestRateEffect,
} from "./power/rate-power.ts";
export {
  pairedRateDifference,
  type RateDifference,
  rateDifference,
  type RateOptions,
} from "./rates/rate-difference.ts";

// 3. Tests
export type { TestOptions, TestResult } from "./tests/p-value.ts";
export { welchTest, pairedTTest } from "./tests/t-tests.ts";
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
export {
  meanDifference,
  cohensD,
  cohensDInterval,
  hedgesG,
  cliffsDelta,
  probabilityOfSuperiority,
  type StandardisedEffect,
  type Standardiser,
} from "./effects/effect-sizes.ts";
export { ratioOfMeans } from "./effects/ratio-of-means.ts";
export { correlation, growthExponent, rankCorrelation } from "./effects/correlation.ts";
export { cohenKappa, krippendorffAlpha, type Label } from "./agreement.ts";
export {
  predictionPoweredInterval,
  type Judged,
  type PredictionPowered,
} from "./intervals/prediction-powered.ts";

// 6. Power
export {
  tTestPower,
  sampleSize,
  minimumDetectableEffect,
  type Design,
  type SampleSize,
} from "./power/t-test-power.ts";
export { sampleSizeForProportions } from "./power/sample-size-for-proportions.ts";
export {
  tasksForEffect,
  effectForTasks,
  varianceComponents,
  pairedVarianceComponents,
  noiseSplit,
  noiseWith,
  type Rollouts,
  type TaskOptions,
  type TasksForEffect,
  type VarianceComponents,
  type PairedVarianceComponents,
  type NoiseErrors,
  type NoiseSplit,
} from "./power/nested.ts";

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
} from "./tests/equivalence-test.ts";

// 8. Many comparisons
export {
  holm,
  benjaminiHochberg,
  benjaminiYekutieli,
  bonferroni,
  hochberg,
  type Adjusted,
} from "./multiplicity.ts";

// 9. Pass rates
export { passAtK, passHatK, type PassRate, type TaskOutcomes } from "./passes.ts";

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
export { TallyBet, type TallyBetOptions } from "./sequences/tally-bet.ts";
export { WeightedOrder, type WeightedDraw } from "./sequences/weighted-order.ts";
export { conformalLimit, conformalNeed } from "./conformal.ts";
export { agentAbility, solveChance, taskEasiness } from "./rasch.ts";

// 11. Distributions
export { normalCdf, normalDensity, normalQuantile } from "./distributions/normal.ts";
export { tCdf, tQuantile, noncentralTCdf } from "./distributions/students-t.ts";
export { chi2Cdf, chi2Tail, chi2Quantile } from "./distributions/chi2.ts";
export { fCdf, fTail, fQuantile } from "./distributions/f.ts";
export { betaQuantile } from "./distributions/beta-quantile.ts";
export { binomialCdf } from "./distributions/binomial-cdf.ts";
export { rankSumCdf, signedRankCdf } from "./distributions/rank-sums.ts";
export { studentizedRangeCdf } from "./distributions/studentized-range-cdf.ts";

// 12. Special functions
export { choose, lnChoose } from "./special/choose.ts";
export { erf, erfc } from "./special/erf.ts";
export { incompleteBeta, lnBeta } from "./special/beta.ts";
export { incompleteGamma, lnGamma, type IncompleteGamma } from "./special/gamma.ts";
