import { UserError } from "../../core/errors.ts";
import { moments, noiseSplit, unknownBecause } from "../../stats/index.ts";
import { estimateArm } from "../estimate-arm.ts";
import { adjustFor } from "./adjust-for.ts";
import { seemsHeavy, TRIMS } from "./centre.ts";
import { chooseMethod, FEW } from "./choose-method.ts";
import type { CompareOptions, Comparison, Unjudged } from "./comparison.ts";
import { outliersOf, roughness, unevenness, valuesOf } from "./describe-arms.ts";
import { aboveNothing, effectOf, withinReach } from "./effect-of.ts";
import { effectSizes } from "./effect-sizes.ts";
import { exactDifference } from "./exact-difference.ts";
import { judgeMargin } from "./judge-margin.ts";
import { type MeasureOptions, measureDifference, methodName } from "./measure-difference.ts";
import { missingBounds } from "./missing-bounds.ts";
import { type PairingAnswer, pairUp } from "./pair-up.ts";
import { pairingNote } from "./pairing-note.ts";
import { planPower } from "./plan-power.ts";
import {
  clusterCount,
  clusterMeans,
  independentSamples,
  isUntied,
  pairedSamples,
  type Samples,
} from "./samples.ts";
import { inUnits, logsOf, toLogs } from "./scale.ts";
import { countMissing, emptiness, type Settled, type SettledSet } from "./settle-failures.ts";
import { nounOf, unitNoun } from "./unit-noun.ts";
import { warningsOf } from "./warnings.ts";

interface TwoOptions extends CompareOptions {
  /** How many claims are made together, for power. */
  family: number;
  /** The level of the interval, where what else is claimed makes it smaller than alpha. */
  intervalAlpha?: number;
}

/** Compares two arms: pairs them, chooses a method, measures, and gathers what is to be doubted. */
export function compareTwo(
  set: SettledSet,
  [first, second]: readonly [Settled, Settled],
  options: TwoOptions,
): Unjudged {
  const empty = emptiness(first) ?? emptiness(second);
  if (empty) return unanswered(set, [first, second], { why: empty, alpha: options.alpha });
  const pairing: PairingAnswer = options.unpaired
    ? { possible: false, why: "--unpaired was asked for" }
    : pairUp(first.arm, second.arm, set);
  if (!pairing.possible && set.isAsked && !options.unpaired) {
    throw new UserError(
      `${set.metric}: ${first.arm.name} and ${second.arm.name} can't be paired: ${pairing.why}`,
      {
        remedy: set.unnamed?.length
          ? `Use --pair ${[...set.keys, ...set.unnamed].join(",")}, choose with --where, or compare them as independent groups with --unpaired.`
          : "Name what pairs them with --pair, or compare them as independent groups with --unpaired.",
      },
    );
  }
  const samples = pairing.possible
    ? pairedSamples(pairing)
    : independentSamples(first.arm, second.arm, set.hasRollouts);
  return answered(set, [first, second], { pairing, samples, options });
}

function mostOf(rollouts: readonly number[][]): number {
  return rollouts.reduce((most, values) => Math.max(most, values.length), 1);
}

interface Gathered {
  pairing: PairingAnswer;
  samples: Samples;
  options: TwoOptions;
}

function answered(
  set: SettledSet,
  [first, second]: readonly [Settled, Settled],
  { pairing, samples, options }: Gathered,
): Unjudged {
  const { isRate } = set;
  const { alpha = 0.05, side = "two-sided", resamples = 10_000, seed = 1 } = options;
  const { intervalAlpha = alpha } = options;
  const { isPaired, baseline: ys, candidate: xs } = samples;
  const n = Math.min(xs.length, ys.length);
  const clusters = isPaired ? clusterCount(samples) : n;
  const clusterNoun = nounOf(set.clusterBy ?? "cluster");
  // What can't be more than so much has no long tail.
  const rough = isRate || Number.isFinite(set.range?.[1]) ? null : roughness(samples);
  const logs = set.scale === "ratio" ? logsOf(set, samples, options) : null;
  const method = chooseMethod(
    {
      ...{ isPaired, isRate, n, larger: Math.max(xs.length, ys.length), clusters, clusterNoun, alpha },
      rollouts: Math.max(mostOf(samples.rollouts.baseline), mostOf(samples.rollouts.candidate)),
      ...{ arms: set.arms.length, centre: set.centre },
      differing: rough === "zeros" && isPaired ? xs.filter((x, i) => x !== ys[i]).length : null,
      isUntied: isPaired && n < FEW && isUntied(logs ?? samples),
    },
    options.method,
  );
  const centre = set.centre === "mean" ? "trimmed" : set.centre;
  const trim = TRIMS[centre];
  const alike = exactDifference(samples, { alpha: intervalAlpha, side });
  // Of passes and failures that are alike in every pair, the next pair may still differ.
  const isAlikeRate = isRate && alike?.interval.known === true && alike.interval.estimate === 0;
  const exact = isAlikeRate || (isRate && method.name === "score") ? null : alike;
  const adjustedAt = (values: Samples, level: Pick<MeasureOptions, "alpha" | "side">) =>
    options.covariate
      ? adjustFor(options.covariate, values, { noun: unitNoun(set, isPaired), baseline: first.arm, ...level })
      : null;
  if (options.covariate && !["auto", "t", undefined].includes(options.method))
    throw new UserError(`--method ${options.method}`, {
      expected: "t, which is what a covariate adjusts",
      remedy: "Leave --method or --covariate out.",
    });
  const adjusted = exact ? null : adjustedAt(samples, { alpha: intervalAlpha, side });
  const isAdjusted = Boolean(adjusted?.measured);
  const isRatio = logs !== null && exact === null && !isAdjusted;
  const measured =
    exact ??
    adjusted?.measured ??
    measureDifference(
      isAlikeRate ? { ...samples, ...clusterMeans(samples) } : isRatio ? logs : samples,
      isAlikeRate ? "score" : method.name,
      {
        ...{ alpha: intervalAlpha, side, resamples, seed, withCheck: options.withCheck !== false },
        ...{ isPermuted: method.isPermuted, isGuarded: method.isGuarded, trim },
        pilot: set.pilot,
      },
    );
  const { interval, test, check } = measured;
  const isTrimmed = method.name === "trimmed" && !exact && !isAlikeRate && !isAdjusted;
  const { relative, margin, isWithinMargin, ...effect } = effectOf(samples, interval, {
    ...options,
    ...{ isRatio, isTrimmed },
  });
  const difference = withinReach(effect.difference, set);
  const isAdjustedWithin =
    margin !== null && difference.known && Math.max(-difference.low, difference.high) < margin;
  const isMissing = countMissing(first) + countMissing(second) > 0;
  const limits = isMissing
    ? missingBounds(first.arm, second.arm, { set, isPaired, isAveraged: set.hasRollouts })
    : null;
  const bounds =
    limits && difference.known
      ? { ...limits, turns: Math.sign(limits.low) !== Math.sign(limits.high) }
      : null;
  // Settings have sizes of their own, so none is far from the others.
  const outliers = isRate || exact || set.noun === "setting" ? [] : outliersOf(samples, set.keys, isRatio);
  const noun = unitNoun(set, isPaired);
  const isPlanned = difference.known && options.withPower !== false && !exact;
  const power = isPlanned
    ? planPower(isRatio ? logs : samples, {
        difference: difference.value,
        margin,
        ...{ method: isAdjusted ? "t" : method.name, trim },
        base: isRatio ? averageOf(ys) : null,
        ...(adjusted?.error ? { error: adjusted.error } : {}),
        alpha: alpha / options.family,
        isOneSided: side !== "two-sided",
        noun,
        ...(method.name === "clustered-t" && test.known && test.statistic !== 0
          ? {
              clusters: {
                error: Math.abs(interval.known ? interval.estimate / test.statistic : 0),
                n: clusters,
                noun: clusterNoun,
              },
            }
          : {}),
      })
    : null;
  return {
    ...headOf(set),
    ...{ scale: isRatio ? "ratio" : "difference", centre: isTrimmed ? centre : "mean" },
    baseline: estimateArm(first, set),
    candidate: estimateArm(second, set),
    isExact: exact !== null,
    pairing: {
      isPaired,
      n,
      noun,
      keys: set.keys,
      clusters: clusters < n ? { n: clusters, noun: clusterNoun } : null,
      left: pairing.possible ? pairing.left : { baseline: [], candidate: [] },
      note: pairingNote(pairing, { set, noun, n, names: [first.arm.name, second.arm.name] }),
    },
    method: difference.known
      ? exact
        ? { name: "sign-flip permutation", why: "there is no spread that another method could use" }
        : isAdjusted
          ? { name: methodName(measured, "t, adjusted"), why: adjusted!.why }
          : {
              name: `${methodName(measured, method.name)}${isRatio ? ", of the logarithms" : ""}`,
              why: [
                method.why,
                ...(isRatio ? ["as a ratio, since the values are above 0 and multiply"] : []),
                ...(adjusted ? [adjusted.why] : []),
              ].join("; "),
            }
      : null,
    difference,
    level: 1 - intervalAlpha,
    relative: isAdjusted
      ? unknownBecause("it is adjusted, and the baseline's mean is not")
      : aboveNothing(relative, first, set),
    p: test.known ? test.p : null,
    floor: test.known ? (check?.known ? (check.floor ?? null) : (test.floor ?? null)) : null,
    check: check?.known ? { method: check.method, p: check.p } : null,
    covariate: adjusted ? { name: options.covariate!.name, saved: adjusted.saved } : null,
    effects: options.withEffects ? effectSizes(samples, { alpha: intervalAlpha, resamples, seed }) : null,
    power,
    noise: isPlanned && isPaired && clusters === n ? noiseIn(samples) : null,
    bounds,
    outliers,
    isWithinMargin: isAdjusted ? isAdjustedWithin : isWithinMargin,
    margin: options.margin
      ? judgeMargin(samples, {
          ...{ margin: options.margin, goal: set.goal ?? null, isRate, alpha, family: options.family },
          intervalOf: (values, level, asRate) => {
            const asked = { alpha: level, side: "two-sided" as const };
            const adjustedAnswer = asRate || !isAdjusted ? null : adjustedAt(values, asked)?.measured;
            if (adjustedAnswer) return adjustedAnswer.interval;
            const name = isRate && !asRate ? (clusters < n ? "clustered-t" : "t") : method.name;
            const found = asRate ? null : exactDifference(values, asked);
            if (found) return found.interval;
            const { isPermuted, isGuarded } = method;
            const sampled = { ...asked, resamples, seed, withCheck: false, isPermuted, isGuarded, trim };
            if (!isRatio) return measureDifference(values, name, sampled).interval;
            return inUnits(
              measureDifference(toLogs(values), name, sampled).interval,
              averageOf(values.baseline),
            );
          },
        })
      : null,
    warnings: warningsOf({
      ...{ n, noun, alpha: intervalAlpha, measured, bounds, outliers, arms: [first, second], unit: set.noun },
      roughness: isRatio || isTrimmed || exact ? null : rough,
      isHeavy:
        !exact &&
        !isTrimmed &&
        !isAdjusted &&
        clusters === n &&
        seemsHeavy(set, isRatio ? logs : samples, options),
      unevenness: isRate || isRatio || exact ? null : unevenness(samples),
      insteadOfMeans: isRatio ? "--scale difference" : isTrimmed ? "--method t" : null,
      isReversed: interval.known && (averageOf(xs) - averageOf(ys)) * interval.estimate < 0,
      isRatioOfPairs: isRatio && isPaired,
      shared: clusters < n && method.name !== "clustered-t" ? clusterNoun : null,
    }),
    sizes: { baseline: ys.length, candidate: xs.length },
    values: options.withValues === false ? [] : valuesOf(samples),
  };
}

function noiseIn({ rollouts }: Samples): Comparison["noise"] {
  if (mostOf(rollouts.candidate) < 2 || mostOf(rollouts.baseline) < 2) return null;
  const split = noiseSplit(rollouts.candidate.map(moments), rollouts.baseline.map(moments));
  return split.known ? split : null;
}

function unanswered(
  set: SettledSet,
  [first, second]: readonly [Settled, Settled],
  { why, alpha = 0.05 }: { why: string; alpha?: number | undefined },
): Unjudged {
  return {
    ...headOf(set),
    ...{ scale: set.scale, centre: set.centre },
    baseline: estimateArm(first, set),
    candidate: estimateArm(second, set),
    isExact: false,
    pairing: {
      isPaired: false,
      n: 0,
      noun: unitNoun(set, false),
      keys: set.keys,
      clusters: null,
      left: { baseline: [], candidate: [] },
      note: "Nothing was compared.",
    },
    ...{ difference: unknownBecause(why), relative: unknownBecause(why), level: 1 - alpha },
    ...{ method: null, p: null, floor: null, check: null, covariate: null, effects: null, power: null },
    ...{ noise: null, bounds: null, margin: null, isWithinMargin: false },
    ...{ outliers: [], warnings: [], values: [], sizes: { baseline: 0, candidate: 0 } },
  };
}

function headOf({ metric, part, goal, isRate }: SettledSet) {
  return { metric, part, goal: goal ?? null, kind: isRate ? ("rate" as const) : ("number" as const) };
}

function averageOf(xs: Float64Array): number {
  return xs.reduce((total, x) => total + x, 0) / xs.length;
}
