import { UserError } from "../../core/errors.ts";
import type { Centre } from "../../design/arm-set.ts";
import { choose } from "../../stats/index.ts";
import { trimmedCount } from "../../stats/intervals/trimmed-difference.ts";
import { ARM_TRIM } from "../estimate-arm.ts";
import { TRIMS } from "./centre.ts";
import type { MethodName } from "./comparison.ts";

/** What the choice depends on: how the data were gathered and how many there are, never which arm is ahead. */
export interface Situation {
  isPaired: boolean;
  isRate: boolean;
  /** Pairs, or units of the smaller arm and of the larger one. */
  n: number;
  larger: number;
  /** Of the whole comparison: more arms need smaller p-values. */
  arms: number;
  alpha: number;
  /** Below n where units share something. */
  clusters: number;
  clusterNoun: string;
  /** The most rollouts that a unit has. */
  rollouts: number;
  centre: Centre;
  /** Pairs whose difference is not 0, where many values are 0 and the others vary; else null. */
  differing: number | null;
  /** Whether no two pairs differ by the same, whichever arm is ahead, and none by 0: ties make flipped signs timid. */
  isUntied: boolean;
}

export interface Choice {
  name: MethodName;
  why: string;
  /** Of trimmed means of independent groups: whether all relabellings, or t, say what chance does. */
  isPermuted: boolean;
  /** Whether t has to agree with relabellings. */
  isGuarded: boolean;
}

/** Below this, a test that assumes less stands beside t. */
export const FEW = 20;

/** So many times finer than alpha is what flipped signs can give, where they come first: coarser ones find less than t. */
const FINE = 25;

/** From here on a mean is near normal even where one arm is much larger than the other. */
const MANY = 200;

/** From so many times the smaller arm's values on, relabelling errs where the smaller arm spreads more. */
const UNLIKE = 1.5;

/** So many arms can be told apart by 10,000 relabellings. */
const MOST_PERMUTED = 10;

/** The method for a situation, and why in a sentence; or the one that was asked for, if it fits. */
export function chooseMethod(situation: Situation, asked: MethodName | "auto" = "auto"): Choice {
  const { isPermuted, isGuarded } = permutability(situation);
  if (asked === "auto") return { ...automatic(situation), isPermuted, isGuarded };
  const problem = misfit(asked, situation);
  if (problem) throw new UserError(`--method ${asked}`, problem);
  return { name: asked, why: "it was asked for", isPermuted, isGuarded: false };
}

function automatic(situation: Situation): { name: MethodName; why: string } {
  const { isPaired, isRate, n, clusters, clusterNoun, rollouts } = situation;
  if (isPaired && clusters < n) {
    return {
      name: "clustered-t",
      why: `the ${n} pairs share ${clusters} ${clusterNoun}s, and pairs of one ${clusterNoun} are not independent`,
    };
  }
  if (isRate && rollouts === 1)
    return {
      name: "score",
      why: `the values are passes and failures of ${isPaired ? "the same units" : "independent groups"}`,
    };
  const averaged = rollouts > 1 ? "; several values of one unit were averaged first" : "";
  if (
    situation.centre !== "mean" &&
    trimmedCount(isPaired ? n : situation.larger, TRIMS[situation.centre]) > 0
  )
    return {
      name: "trimmed",
      why:
        situation.centre === "middle"
          ? `the middle half of the ${isPaired ? "differences" : "values"} counts, since a slow start is the machine's more often than the program's; the mean of an arm alone leaves out ${100 * ARM_TRIM} % at either end${averaged}`
          : `the values have heavy tails on both sides, where means without the highest and the lowest 15 % know a difference better${averaged}`,
    };
  if (isPaired && situation.isUntied && n < FEW && canFlip(situation, n, FINE))
    return {
      name: "permutation",
      why: `${n} pairs can't show how heavy their tails are, and flipped signs hold for any that are alike on both sides${averaged}`,
    };
  if (isPaired && situation.differing !== null && canFlip(situation, situation.differing))
    return {
      name: "permutation",
      why: `many values are 0 and the others vary, so their mean is far from normal, and flipped signs assume no shape${averaged}`,
    };
  if (isPaired)
    return {
      name: "t",
      why: `what the pairs share cancels out, and t is reliable when differences are symmetric or many${averaged}`,
    };
  const { why, isPermuted } = permutability(situation);
  return { name: isPermuted ? "permutation" : "t", why: `${why}${averaged}` };
}

/** Whether flips of so many differences can give a p that is small enough. */
function canFlip({ alpha, arms, n }: Situation, differing: number, fine = 1): boolean {
  const least = alpha / ((arms * (arms - 1)) / 2) / fine;
  return n < MANY && arms <= MOST_PERMUTED && 2 ** (1 - differing) <= least;
}

/** Whether relabelling can give a p that is small enough, and is needed. */
function permutability({
  n,
  larger,
  arms,
  alpha,
}: Situation): Pick<Choice, "isPermuted" | "isGuarded" | "why"> {
  const no = { isPermuted: false, isGuarded: false };
  if (n >= MANY) return { ...no, why: `with ${MANY} or more values per arm, means are close to normal` };
  if (arms > MOST_PERMUTED)
    return { ...no, why: `${arms} arms need smaller p-values than a permutation gives` };
  if (2 / choose(n + larger, n) > alpha / ((arms * (arms - 1)) / 2))
    return {
      ...no,
      why: `groups of ${n} and ${larger} are too small to permute, so their means are assumed close to normal`,
    };
  if (larger >= UNLIKE * n)
    return {
      ...{ isPermuted: true, isGuarded: true },
      why: `relabelling holds for values of any shape; groups of ${n} and ${larger} may spread unlike, so Welch's t has to agree, and the wider interval of both is shown`,
    };
  return { isPermuted: true, isGuarded: false, why: "it holds for values of any shape" };
}

function misfit(asked: MethodName, { isPaired, isRate, rollouts }: Situation) {
  if (asked === "mcnemar" && !(isPaired && isRate && rollouts === 1))
    return {
      expected: "one pass or failure (1 or 0) of each unit in both arms",
      got: !isPaired ? "groups that are not paired" : isRate ? "several values of a unit" : "other numbers",
      remedy: "Leave --method out.",
    };
  if (asked === "score" && !(isRate && rollouts === 1))
    return {
      expected: "passes and failures (1 or 0)",
      got: isRate ? "several values of a unit" : "other numbers",
      remedy: "Leave --method out.",
    };
  if (asked === "fisher" && !(isRate && rollouts === 1 && !isPaired))
    return {
      expected: "passes and failures (1 or 0) of independent groups",
      got: isPaired ? "pairs" : isRate ? "several values of a unit" : "other numbers",
      remedy: isPaired ? "Use mcnemar, or add --unpaired." : "Leave --method out.",
    };
  if (asked === "mannwhitney" && isPaired)
    return { expected: "independent groups", got: "pairs", remedy: "Use wilcoxon, or add --unpaired." };
  if (["wilcoxon", "hierarchical", "clustered-t"].includes(asked) && !isPaired)
    return { expected: "pairs", got: "independent groups", remedy: "Say what pairs them with --pair." };
  return undefined;
}
