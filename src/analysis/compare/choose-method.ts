import { UserError } from "../../core/errors.ts";

export const METHODS = [
  "t",
  "bootstrap-t",
  "bca",
  "percentile",
  "hierarchical",
  "permutation",
  "wilcoxon",
  "mannwhitney",
  "mcnemar",
  "fisher",
  "clustered-t",
] as const;
export type MethodName = (typeof METHODS)[number];

/** What the choice depends on: how the data were gathered and how many there are, never what they show. */
export interface Situation {
  isPaired: boolean;
  isRate: boolean;
  /** Pairs, or units of the smaller arm. */
  n: number;
  /** Below n where units share something. */
  clusters: number;
  clusterNoun: string;
  /** The most rollouts that a unit has. */
  rollouts: number;
}

/** Below this, percentile and BCa intervals cover clearly less than they say. */
export const FEW = 20;

/** The method for a situation, and why in a sentence; or the one that was asked for, if it fits. */
export function chooseMethod(
  situation: Situation,
  asked: MethodName | "auto" = "auto",
): { name: MethodName; why: string } {
  if (asked === "auto") return automatic(situation);
  const problem = misfit(asked, situation);
  if (problem) throw new UserError(`--method ${asked}`, problem);
  return { name: asked, why: "it was asked for" };
}

function automatic(situation: Situation): { name: MethodName; why: string } {
  const { isPaired, isRate, n, clusters, clusterNoun, rollouts } = situation;
  if (isPaired && clusters < n) {
    return {
      name: "clustered-t",
      why: `the ${n} pairs share ${clusters} ${clusterNoun}s, and pairs of one ${clusterNoun} are not independent`,
    };
  }
  if (isRate && rollouts === 1) {
    return isPaired
      ? { name: "mcnemar", why: "the values are passes and failures of the same units" }
      : { name: "fisher", why: "the values are passes and failures of independent groups" };
  }
  const averaged = rollouts > 1 ? "; several values of one unit were averaged first" : "";
  if (n < FEW) {
    const beside = isPaired ? "the sign-flip permutation" : "the label permutation";
    const what = isPaired ? `${n} pairs` : `groups of ${n}`;
    return {
      name: "t",
      why: `with ${what} a percentile or BCa bootstrap covers less often than it says; ${beside} beside it assumes less${averaged}`,
    };
  }
  return {
    name: "t",
    why: `from ${FEW} ${isPaired ? "pairs" : "values an arm"} on a mean is near normal, and t keeps its level better than the bootstrap${averaged}`,
  };
}

function misfit(asked: MethodName, { isPaired, isRate, rollouts }: Situation) {
  if (asked === "mcnemar" && !(isPaired && isRate && rollouts === 1))
    return {
      expected: "one pass or failure (1 or 0) of each unit in both arms",
      got: !isPaired ? "groups that are not paired" : isRate ? "several values of a unit" : "other numbers",
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
