import { UserError } from "../../core/errors.ts";
import { suggestion } from "../../core/suggest.ts";
import type { Warning } from "../../core/warning.ts";
import type { ArmSet } from "../../design/arm-set.ts";
import type { Confounder } from "../../design/confounders.ts";
import { estimateArm } from "../estimate-arm.ts";
import { type RankRange, rankRanges } from "../rank/rank-ranges.ts";
import { compareTwo } from "./compare-two.ts";
import type { Adjustment, CompareOptions, Comparison, Unjudged } from "./comparison.ts";
import { type FailureRates, failureRates } from "./failure-rates.ts";
import { type Claim, judgeFamily } from "./family.ts";
import { judge } from "./judge.ts";
import { listWords } from "./list-words.ts";
import { orderArms } from "./order-arms.ts";
import { emptiness, type Settled, type SettledSet, settleAsAsked } from "./settle-failures.ts";

export interface Compared {
  comparisons: Comparison[];
  /** How many p-values Holm's adjustment is over. */
  family: number;
  alpha: number;
  /** What p, and of "simultaneous" also the intervals, are adjusted for. */
  adjust: Adjustment;
  warnings: Warning[];
  /** What differs between sides that were measured apart, besides what was asked. */
  confounders: Confounder[];
  /** How many of the planned runs are there; null where all are, or there is no plan. */
  progress: { done: number; planned: number } | null;
  /** How often the arms of each comparison fail; empty where no run failed. */
  failures: FailureRates[];
  /** The arm that all others are compared with; null where there is no baseline, and the best arm is compared with each. */
  baseline: string | null;
  /** The best arm of each metric; null where nobody says which way is better, or nothing is known. */
  leaders: { metric: string; part: string | null; name: string | null }[];
  /** Where three or more arms have no baseline: which ranks they may truly have, metric by metric. */
  ranks: { metric: string; part: string | null; arms: RankRange[] }[];
}

/** Beyond this many arms only the best one is compared with the others, as strictly as if all pairs were. */
export const MOST_PAIRED = 200;

/**
 * Compares every arm with the baseline, on every metric, as one family of claims. Without a baseline the best arm is
 * compared with each other one, as a part of the family of all pairs: which arm is best was seen in the same data.
 */
export function compareArms(sets: readonly ArmSet[], options: CompareOptions = {}): Compared {
  const settled = sets.map((set) => settleAsAsked(set, options));
  const names = [...new Set(sets.flatMap(({ arms }) => arms.map(({ name }) => name)))];
  if (names.length < 2) throw onlyOne(names);
  const asked = options.baseline === undefined ? undefined : findArm(names, options.baseline);
  const hasGoals = sets.every(({ goal }) => goal !== undefined);
  const baseline = asked ?? (hasGoals ? null : names[0]!);
  const found: Ranked[] =
    baseline === null
      ? settled.map((set) => bestAgainstAll(set, options))
      : [{ ...againstBaseline(settled, baseline, options), ranks: null }];
  const comparisons = found.flatMap((part) => part.comparisons);
  const family = found.reduce((total, part) => total + part.family, 0);
  const alpha = options.alpha ?? 0.05;
  const ranks = found.flatMap((part) => part.ranks ?? []);
  const failures = failureRates(
    sets,
    (set) => {
      const name = baseline ?? inOrder(settled[sets.indexOf(set)]!)[0]?.arm.name;
      return name === undefined ? null : { name, isBaseline: baseline !== null };
    },
    options,
  );
  const cautions = new Set(sets.flatMap(({ cautions: own = [] }) => own));
  const warnings: Warning[] = [
    ...(family > 1 ? [{ kind: "family", level: "info" as const, text: familyWarning(family, options) }] : []),
    ...(baseline === null ? settled.flatMap(leftOut) : []),
    ...[...cautions].map((text) => ({ kind: "caution", level: "warn" as const, text })),
  ];
  return {
    ...{ comparisons, family, alpha, adjust: options.adjust ?? "holm", baseline, ranks, failures, warnings },
    leaders: settled.map(({ metric, part, goal }, i) => ({
      ...{ metric, part },
      name: goal ? (inOrder(settled[i]!)[0]?.arm.name ?? null) : null,
    })),
    ...{ progress: null, confounders: [] },
  };
}

/** Arms of which nothing is known take no part where the best one is compared with the others. */
function leftOut(set: SettledSet): Warning[] {
  const whys = set.arms.map(emptiness).filter((why) => why !== undefined);
  if (whys.length === 0 || set.arms.length - whys.length < 2) return [];
  const text = `Not compared on ${set.metric}: ${listWords(whys)}.`;
  return [{ kind: "left-out", level: "warn", text }];
}

interface Family {
  comparisons: Comparison[];
  family: number;
}

interface Ranked extends Family {
  ranks: Compared["ranks"][number] | null;
}

function againstBaseline(sets: readonly SettledSet[], name: string, options: CompareOptions): Family {
  const duels = sets.flatMap((set) => {
    const baseline = set.arms.find(({ arm }) => arm.name === name) ?? emptyArm(name);
    return set.arms
      .filter(({ arm }) => arm.name !== name)
      .filter(
        ({ arm }) => set.part === null || arm.observations.length + baseline.arm.observations.length > 0,
      )
      .map((candidate): Duel => ({ set, arms: [baseline, candidate] }));
  });
  const { claims, family } = claimsOf(duels, options);
  return { comparisons: judgeAll(duels, claims, { ...options, family: duels.length }), family };
}

function bestAgainstAll(set: SettledSet, options: CompareOptions): Ranked {
  const ordered = inOrder(set);
  const [best, ...rest] = ordered;
  if (!best) return { comparisons: [], family: 0, ranks: null };
  const { duels, claims, family } = pairClaims(ordered, set, options);
  // The best arm's own pairs come first.
  const own = duels.slice(0, rest.length);
  return {
    comparisons: judgeAll(own, claims, { ...options, family }),
    family,
    ranks:
      rest.length > 1 && ordered.length <= MOST_PAIRED && options.adjust !== "bh"
        ? {
            ...{ metric: set.metric, part: set.part },
            arms: rankRanges(
              ordered.map(({ arm }) => arm.name),
              [...claims.values()].map(({ found, adjustedP }) => judge(found, adjustedP, options)),
            ),
          }
        : null,
  };
}

/**
 * Every pair of arms, the better one as the candidate. Pairs with the baseline, where there is one, are a family of their
 * own: they are what the study asks, and no other question makes their answer weaker.
 */
export function comparePairs(set: SettledSet, options: CompareOptions): Family {
  const { duels, claims, family, all } = pairClaims(inOrder(set), set, options);
  return { comparisons: judgeAll(duels, claims, { ...options, ...BARE, family: all }), family };
}

/** Two arms, the second of which is the candidate. */
interface Duel {
  set: SettledSet;
  arms: readonly [Settled, Settled];
}

const BARE = { withPower: false, withCheck: false, withValues: false, withEffects: false };

function pairClaims(ordered: readonly Settled[], set: SettledSet, options: CompareOptions) {
  const isMany = ordered.length > MOST_PAIRED;
  const all = (ordered.length * (ordered.length - 1)) / 2;
  const duels = ordered
    .slice(0, isMany ? 1 : ordered.length)
    .flatMap((better, i) => ordered.slice(i + 1).map((worse): Duel => ({ set, arms: [worse, better] })));
  const isPlanned = ({ arms }: Duel) => arms.some(({ arm }) => arm.name === options.baseline);
  const planned = claimsOf(duels.filter(isPlanned), options);
  const further = claimsOf(
    duels.filter((duel) => !isPlanned(duel)),
    options,
    isMany ? all : undefined,
  );
  const claims = new Map([...planned.claims, ...further.claims]);
  return { duels, all, claims, family: planned.family + further.family };
}

/** What each of several claims is worth; of `among` claims, of which these are some, by Bonferroni's method. */
function claimsOf(duels: readonly Duel[], options: CompareOptions, among?: number) {
  const { alpha = 0.05, adjust, margin: _, ...rest } = options;
  // A single claim needs no adjustment, so its comparison is whole at once.
  const asked = duels.length === 1 && among === undefined ? options : { ...rest, alpha, ...BARE };
  const found = duels.map(({ set, arms }) => compareTwo(set, arms, { ...asked, family: duels.length }));
  const ps = found.map(({ p }) => p);
  const claims = judgeFamily(ps, { alpha, how: adjust, among });
  const tested = adjust === "simultaneous" ? ps.length : ps.filter((p) => p !== null).length;
  return {
    family: among ?? tested,
    claims: new Map(duels.map((duel, i) => [duel, { ...claims[i]!, found: found[i]! }])),
  };
}

/** Every comparison with the interval of the level at which its claim is judged, so that the two always agree. */
function judgeAll(
  duels: readonly Duel[],
  claims: ReadonlyMap<Duel, Claim & { found: Unjudged }>,
  options: CompareOptions & { family: number },
): Comparison[] {
  return duels.map((duel) => {
    const { adjustedP, alpha: intervalAlpha, found } = claims.get(duel)!;
    const isWhole = claims.size === 1 && options.family === 1;
    const one = isWhole ? found : compareTwo(duel.set, duel.arms, { ...options, intervalAlpha });
    return judge(one, adjustedP, options);
  });
}

/** Settled arms that have a value, the best first; in the set's own order where nobody says which way is better. */
function inOrder(set: SettledSet): Settled[] {
  const estimates = set.arms.map((arm) => estimateArm(arm, set));
  const ordered = set.goal
    ? orderArms(estimates, set.goal, set)
    : estimates.filter(({ mean }) => mean !== null);
  return ordered.map((estimate) => set.arms[estimates.indexOf(estimate)]!);
}

function familyWarning(family: number, { alpha = 0.05, adjust: how = "holm" }: CompareOptions): string {
  if (how === "bh")
    return `${family} comparisons: p is adjusted by Benjamini and Hochberg's method, so that on average at most ${alpha} of the claims are false, and each interval is widened to match. That is a screen: confirm what it finds on fresh data.`;
  if (how === "simultaneous")
    return `${family} comparisons: p and intervals are adjusted by Bonferroni's method, so that all intervals hold at once but for a chance of ${alpha}.`;
  return `${family} comparisons: p is adjusted by Holm's method, so that the chance of even one false claim stays below ${alpha}. Each interval is widened to match: it excludes 0 exactly when the claim is sure.`;
}

function emptyArm(name: string): Settled {
  return { arm: { name, observations: [] }, counted: 0, missing: {} };
}

function onlyOne(names: readonly string[]): UserError {
  return new UserError("there is only one arm", {
    expected: "two or more to compare",
    got: names.join(", ") || "none",
    remedy: "Name what tells them apart with --by.",
  });
}

/** The arm that was named; a part of its name is enough where it fits one arm only. */
function findArm(names: readonly string[], asked: string): string {
  if (names.includes(asked)) return asked;
  const like = names.filter((name) => name.toLowerCase().includes(asked.toLowerCase()));
  if (like.length === 1) return like[0]!;
  throw new UserError(`--baseline ${asked}`, {
    expected: `one of ${names.slice(0, 20).join(", ")}`,
    got: like.length > 1 ? `a part of ${like.length} of them` : "none of them",
    remedy: suggestion(asked, names),
  });
}
