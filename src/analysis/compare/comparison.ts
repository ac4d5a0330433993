import type { Warning } from "../../core/warning.ts";
import type { Centre, Scale } from "../../design/arm-set.ts";
import type { NoiseSplit, Result, Side } from "../../stats/index.ts";
import type { ArmEstimate } from "../estimate-arm.ts";
import type { Covariate } from "./adjust-for.ts";
import type { EffectSizes } from "./effect-sizes.ts";

export const METHODS = [
  "t",
  "trimmed",
  "bootstrap-t",
  "bca",
  "percentile",
  "hierarchical",
  "permutation",
  "wilcoxon",
  "mannwhitney",
  "score",
  "mcnemar",
  "fisher",
  "clustered-t",
] as const;
export type MethodName = (typeof METHODS)[number];

/** What a gate for CI may trip on. */
export const GATES = ["regression", "missing", "failures", "unknown", "not-noninferior"] as const;
export type Gate = (typeof GATES)[number];

/**
 * What many comparisons at once are adjusted for, intervals too: "holm", the chance of even one false claim;
 * "simultaneous", the same with intervals that hold all at once; "bh", the share of false ones among the claims, for a screen.
 */
export type Adjustment = "holm" | "simultaneous" | "bh";

export interface CompareOptions {
  /** The arm that the others are compared with; the first one unless told. */
  baseline?: string;
  alpha?: number;
  /** "greater": the candidate's values are greater. */
  side?: Side;
  method?: MethodName | "auto";
  resamples?: number;
  seed?: number;
  /** By how much more, or by how many times as much; chosen by the values unless told. */
  scale?: Scale;
  /** The smallest difference that matters: in the metric's unit, or as a share of the baseline's mean. */
  margin?: { value: number; isShare: boolean };
  /** Compare as independent groups though units have partners. */
  unpaired?: boolean;
  adjust?: Adjustment;
  /** What was known of the units before they were run, to take out what it explains. */
  covariate?: Covariate;
  /** Effect sizes beside the difference of means. */
  withEffects?: boolean;
  /** false leaves power and needed runs out, which take most of the time where comparisons are many. */
  withPower?: boolean;
  /** false leaves out the test beside it that assumes less. */
  withCheck?: boolean;
  /** false leaves out what was compared, value by value, which takes most of the memory where there is much of it. */
  withValues?: boolean;
}

export interface Range {
  value: number;
  low: number;
  high: number;
}

/** What two arms show about one metric. */
export interface Comparison {
  metric: string;
  part: string | null;
  goal: "minimize" | "maximize" | null;
  kind: "rate" | "number";
  /** "ratio": of geometric means, by the logarithms of the values. */
  scale: Scale;
  /** "trimmed": of the values without the highest and the lowest 15 %; "middle": without a quarter at either end. */
  centre: Centre;
  /** Over all units of the arm, those without a partner too: the same numbers wherever the arm is named. */
  baseline: ArmEstimate;
  candidate: ArmEstimate;
  /** Whether the difference is the same in every pair, or between every two values. */
  isExact: boolean;
  pairing: {
    isPaired: boolean;
    /** Pairs, or the smaller arm's units. */
    n: number;
    noun: string;
    keys: string[];
    /** What several pairs share, where they do. */
    clusters: { n: number; noun: string } | null;
    left: { baseline: string[]; candidate: string[] };
    /** A sentence. */
    note: string;
  };
  method: { name: string; why: string } | null;
  /** candidate − baseline; on the scale of ratios what the ratio comes to at the baseline's mean. */
  difference: Result<Range>;
  /** Of the intervals: 0.95, or more where several claims are made together, so that they agree with the verdict. */
  level: number;
  /** (candidate − baseline) / baseline; on the scale of ratios that of geometric means. */
  relative: Result<Range>;
  p: number | null;
  /** Holm's, over all comparisons of this call. */
  adjustedP: number | null;
  /** The smallest p that so many pairs can give, where that is worth knowing. */
  floor: number | null;
  /** A second test that assumes less. */
  check: { method: string; p: number } | null;
  /** What the difference was adjusted for, and the share of its variance that this took away. */
  covariate: { name: string; saved: number } | null;
  /** Where they were asked for. */
  effects: EffectSizes | null;
  power: Power | null;
  /** Of tasks with several samples each in both arms: what the difference's error is made of. */
  noise: NoiseSplit | null;
  /** The difference if all missing values had been as bad, or as good, for the candidate as any seen. */
  bounds: {
    low: number;
    high: number;
    turns: boolean;
    /** Whether the candidate lacks values of a metric that can be worse than any value seen. */
    isOpen: boolean;
  } | null;
  outliers: { label: string; value: number }[];
  /** Whether the difference is surely smaller than the margin; false where there is none. */
  isWithinMargin: boolean;
  /** Beside a loss of the size that matters; null where no margin was given. */
  margin: {
    /** In the metric's unit. */
    size: number;
    /** Whether the candidate surely loses more, over all comparisons of this call. */
    isExceeded: boolean;
    /** Whether the interval excludes so large a loss. */
    isExcluded: boolean;
  } | null;
  verdict: Verdict;
  /** Worse, and surely by more than the margin. */
  isRegression: boolean;
  warnings: Warning[];
  sentence: string;
  /** What was compared, for files: pairs, or each arm's values. */
  values: { label: string; baseline: number | null; candidate: number | null }[];
}

/** What is left for after all comparisons are known: what many of them mean, and the words. */
export interface Unjudged extends Omit<Comparison, "adjustedP" | "verdict" | "isRegression" | "sentence"> {
  /** How many values each arm was compared by. */
  sizes: Record<"baseline" | "candidate", number>;
}

export interface Power {
  /** What it was done with: pairs, or clusters of them, or units an arm. */
  n: number;
  noun: string;
  /** Of finding the difference below, with what was done. */
  atTarget: number | null;
  target: number;
  targetIs: "margin" | "seen";
  /** The smallest true difference that is found four times in five. */
  detectable: number | null;
  /** To find the target four times in five. */
  neededN: number | null;
  alpha: number;
}

/** "higher" and "lower" where nobody said which is better; "equal": within the margin, surely. */
export type Verdict = "better" | "worse" | "higher" | "lower" | "unclear" | "equal" | "unknown";
