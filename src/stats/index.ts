/**
 * Assay's statistics, in a textbook's order. Each is one function in one file that says what it is for, when it
 * holds and where it comes from; docs/statistics.md says which to use when. Every one returns a Result: the answer,
 * or why there is none. Nothing here reads a clock, a file or an unseeded random number.
 */

export { betaQuantile } from "./distributions/beta-quantile.ts";
export { binomialCdf } from "./distributions/binomial-cdf.ts";
export { chi2Cdf, chi2Tail } from "./distributions/chi2-cdf.ts";
export { chi2Quantile } from "./distributions/chi2-quantile.ts";
export { fCdf, fTail } from "./distributions/f-cdf.ts";
export { fQuantile } from "./distributions/f-quantile.ts";
export { noncentralTCdf } from "./distributions/noncentral-t-cdf.ts";
// 11. Distributions and special functions
export { normalCdf } from "./distributions/normal-cdf.ts";
export { normalDensity } from "./distributions/normal-density.ts";
export { normalQuantile } from "./distributions/normal-quantile.ts";
export { rankSumCdf } from "./distributions/rank-sum-cdf.ts";
export { signedRankCdf } from "./distributions/signed-rank-cdf.ts";
export { studentizedRangeCdf } from "./distributions/studentized-range-cdf.ts";
export { tCdf } from "./distributions/t-cdf.ts";
export { tQuantile } from "./distributions/t-quantile.ts";
export { cliffsDelta } from "./effects/cliffs-delta.ts";
export { cohensD, type StandardisedEffect, type Standardiser } from "./effects/cohens-d.ts";
export { cohensDInterval } from "./effects/cohens-d-interval.ts";
export { correlation } from "./effects/correlation.ts";
// 5. Effect sizes
export { differences } from "./effects/differences.ts";
export { hedgesG } from "./effects/hedges-g.ts";
export { meanDifference } from "./effects/mean-difference.ts";
export { probabilityOfSuperiority } from "./effects/probability-of-superiority.ts";
export { rankCorrelation } from "./effects/rank-correlation.ts";
export { ratioOfMeans } from "./effects/ratio-of-means.ts";
// 7. Equivalence
export {
  type Equivalence,
  type EquivalenceOptions,
  equivalenceTest,
} from "./equivalence/equivalence-test.ts";
export { bootstrapDifferenceInterval } from "./intervals/bootstrap-difference-interval.ts";
export { type BootstrapIntervalOptions, bootstrapInterval } from "./intervals/bootstrap-interval.ts";
export type { BootstrapMethod, BootstrapOptions } from "./intervals/bootstrap-options.ts";
export {
  type BootstrapPairedOptions,
  bootstrapPairedInterval,
} from "./intervals/bootstrap-paired-interval.ts";
export { clopperPearsonInterval } from "./intervals/clopper-pearson-interval.ts";
export {
  type ClusteredInterval,
  type ClusteredOptions,
  clusteredInterval,
} from "./intervals/clustered-interval.ts";
export { type HierarchicalOptions, hierarchicalBootstrap } from "./intervals/hierarchical-bootstrap.ts";
export { hierarchicalBootstrapDifference } from "./intervals/hierarchical-bootstrap-difference.ts";
// 2. Intervals
export type { Interval, IntervalOptions } from "./intervals/interval.ts";
export { pairedInterval } from "./intervals/paired-interval.ts";
export { proportionDifferenceInterval } from "./intervals/proportion-difference-interval.ts";
export { tInterval } from "./intervals/t-interval.ts";
export { welchInterval } from "./intervals/welch-interval.ts";
export { wilsonInterval } from "./intervals/wilson-interval.ts";
// 8. Many comparisons
export type { Adjusted } from "./multiplicity/adjusted.ts";
export { benjaminiHochberg } from "./multiplicity/benjamini-hochberg.ts";
export { benjaminiYekutieli } from "./multiplicity/benjamini-yekutieli.ts";
export { bonferroni } from "./multiplicity/bonferroni.ts";
export { hochberg } from "./multiplicity/hochberg.ts";
export { holm } from "./multiplicity/holm.ts";
export type { Side } from "./options.ts";
export { passAtK } from "./passes/pass-at-k.ts";
export { passHatK } from "./passes/pass-hat-k.ts";
// 9. Pass rates
export type { PassRate } from "./passes/pass-rate.ts";
export type { TaskOutcomes } from "./passes/task-outcomes.ts";
// 6. Power
export type { Design } from "./power/design.ts";
export { effectForTasks } from "./power/effect-for-tasks.ts";
export { minimumDetectableEffect } from "./power/minimum-detectable-effect.ts";
export {
  type PairedVarianceComponents,
  pairedVarianceComponents,
} from "./power/paired-variance-components.ts";
export type { Rollouts } from "./power/rollouts.ts";
export { type SampleSize, sampleSize } from "./power/sample-size.ts";
export { sampleSizeForProportions } from "./power/sample-size-for-proportions.ts";
export { tTestPower } from "./power/t-test-power.ts";
export { type TaskOptions, type TasksForEffect, tasksForEffect } from "./power/tasks-for-effect.ts";
export { type VarianceComponents, varianceComponents } from "./power/variance-components.ts";
// Answers
export type { Known, Result, Unknown, Value } from "./result.ts";
export { known, unknownBecause } from "./result.ts";
export type { Sample } from "./sample.ts";
// 10. Looking while it runs
export {
  type AsymptoticOptions,
  asymptoticSequence,
  type ConfidenceSequence,
} from "./sequences/asymptotic-sequence.ts";
export { type BettingCapital, bettingCapital } from "./sequences/betting-capital.ts";
export { bettingInterval } from "./sequences/betting-interval.ts";
export type { BettingOptions } from "./sequences/betting-options.ts";
export { choose } from "./special/choose.ts";
export { erf } from "./special/erf.ts";
export { erfc } from "./special/erfc.ts";
export { incompleteBeta } from "./special/incomplete-beta.ts";
export { type IncompleteGamma, incompleteGamma } from "./special/incomplete-gamma.ts";
export { lnBeta } from "./special/ln-beta.ts";
export { lnChoose } from "./special/ln-choose.ts";
export { lnGamma } from "./special/ln-gamma.ts";
export { type Area, areaUnderCurve } from "./summaries/area-under-curve.ts";
export { coefficientOfVariation } from "./summaries/coefficient-of-variation.ts";
export { type Curve, type CurveWindow, curveWindow } from "./summaries/curve-window.ts";
export { interquartileMean } from "./summaries/interquartile-mean.ts";
export { kurtosis } from "./summaries/kurtosis.ts";
export { lastMean } from "./summaries/last-mean.ts";
// 1. Summaries
export { mean } from "./summaries/mean.ts";
export { median } from "./summaries/median.ts";
export { type QuantileDefinition, quantile } from "./summaries/quantile.ts";
export { midranks, type Ranks } from "./summaries/ranks.ts";
export { skewness } from "./summaries/skewness.ts";
export { slope } from "./summaries/slope.ts";
export { standardDeviation } from "./summaries/standard-deviation.ts";
export { standardError } from "./summaries/standard-error.ts";
export { trimmedMean } from "./summaries/trimmed-mean.ts";
export { variance } from "./summaries/variance.ts";
export { type AnovaResult, anovaTest } from "./tests/anova-test.ts";
export { fisherTest, type Tally } from "./tests/fisher-test.ts";
export { friedmanTest } from "./tests/friedman-test.ts";
export { kruskalWallisTest } from "./tests/kruskal-wallis-test.ts";
export { type LabelPermutationOptions, labelPermutationTest } from "./tests/label-permutation-test.ts";
export { leveneTest } from "./tests/levene-test.ts";
export { type MannWhitneyOptions, mannWhitneyTest } from "./tests/mann-whitney-test.ts";
export { mcnemarTest } from "./tests/mcnemar-test.ts";
export { pairedTTest } from "./tests/paired-t-test.ts";
// 4. Diagnostics, to be shown and never to choose a method by
export { shapiroWilkTest } from "./tests/shapiro-wilk-test.ts";
export { type SignFlipOptions, signFlipTest } from "./tests/sign-flip-test.ts";
// 3. Tests
export type { TestOptions, TestResult } from "./tests/test-result.ts";
export { type TukeyPair, tukeyTest } from "./tests/tukey-test.ts";
export { type Proportion, twoProportionTest } from "./tests/two-proportion-test.ts";
export { welchTest } from "./tests/welch-test.ts";
export { type WilcoxonOptions, wilcoxonTest } from "./tests/wilcoxon-test.ts";
