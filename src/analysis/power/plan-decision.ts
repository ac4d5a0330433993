import { RandomStream, shuffle } from "../../core/random.ts";
import { Duel, type DuelVerdict, type Likeness } from "../../stats/duels/duel.ts";
import { likenessOf } from "../../stats/duels/likeness.ts";
import { playDuel, TaskOrder } from "../../stats/duels/task-order.ts";
import {
  known,
  normalQuantile,
  type Result,
  solveChance,
  taskEasiness,
  unknownBecause,
} from "../../stats/index.ts";
import { differingAt } from "../compare/plan-power.ts";
import { impossible, type Pilot } from "./pilot.ts";

/** Simulated studies per effect: the mean is then known to a few percent. */
const STUDIES = 400;
/** Nine studies of ten take at most so many. */
const LATE = 0.9;

interface Cost {
  units: number;
  runs: number;
  hours: number | null;
  usd: number | null;
}

/** What a study that decides as it goes takes, if the arms truly differ by `effect`. */
export interface DecisionPlan {
  effect: number;
  mean: Cost;
  /** Nine of ten studies take no more. */
  late: Cost;
  /** All that the study has: none takes more. */
  worst: Cost;
  /** How many studies say which arm is better, rightly, before they are through. */
  decided: number;
}

export interface DecisionPlans {
  plans: DecisionPlan[];
  /** So many earlier agents are counted on to be like the arms. */
  alike?: number;
}

export interface DecisionTerms {
  effects: readonly number[];
  /** Tasks or seeds that the study has. */
  size: number;
  alpha: number;
  jobs: number;
  /** What earlier agents made of tasks, 0 to 1: then tasks are drawn by how easy they were. */
  history?: readonly (readonly (number | null)[])[] | undefined;
}

/**
 * Plays studies that decide as they go with the very rule that they decide by. Outcomes of 0 and 1 differ as often as the
 * pilot's pairs did, and tasks are drawn without replacement; other values are normal with the pilot's spread of differences.
 */
export function planDecision(pilot: Pilot, terms: DecisionTerms): Result<DecisionPlans> {
  const { size, alpha } = terms;
  const { rates, pairedSd, armSd } = pilot;
  if (pilot.arms.length < 2) return unknownBecause("the pilot has one arm");
  const problem = impossible(pilot, Math.max(...terms.effects));
  if (problem) return problem;
  if (pilot.isRatio)
    return unknownBecause("the metric is compared by ratios, and deciding is about differences");
  if (terms.history && (rates === null || pilot.unit !== "task"))
    return unknownBecause("history plans studies of tasks that are solved or not");
  const earlier = terms.history && earlierOf(terms.history, size);
  const costOf = (units: number): Cost => {
    const runs = Math.ceil(2 * units * pilot.runsPerUnit);
    return {
      ...{ units, runs },
      hours: pilot.runMs === null ? null : (runs * pilot.runMs) / terms.jobs / 3_600_000,
      usd: pilot.runUsd === null ? null : runs * pilot.runUsd,
    };
  };
  const sd = pairedSd ?? armSd * Math.SQRT2;
  const plans = terms.effects.map((effect): DecisionPlan => {
    const taken: number[] = [];
    let decided = 0;
    for (let study = 0; study < STUDIES; study++) {
      const stream = new RandomStream(study, `decision ${effect}`);
      if (earlier) {
        const { units, verdict } = playWithHistory(earlier, { effect, rate: rates!.rate, alpha, stream });
        taken.push(units);
        if (verdict === "greater" && units < size) decided++;
        continue;
      }
      const differences = rates
        ? pairsOf(size, Math.max(effect, differingFor(rates, effect)), effect)
        : undefined;
      const isSet = pilot.unit === "task" && differences !== undefined;
      const duel = new Duel({
        alpha,
        size: isSet ? size : Number.POSITIVE_INFINITY,
        ...(differences && { width: 1 }),
      });
      const order = differences && shuffle(differences, stream);
      let verdict: DuelVerdict | null = null;
      let units = 0;
      while (units < size && verdict === null) {
        duel.add(order ? order[units]! : effect + sd * normalQuantile(stream.uniform(units)));
        verdict = duel.verdict;
        units++;
      }
      taken.push(units);
      if (verdict === "greater" && units < size) decided++;
    }
    taken.sort((a, b) => a - b);
    const mean = taken.reduce((sum, units) => sum + units, 0) / STUDIES;
    return {
      effect,
      mean: costOf(Math.round(mean)),
      late: costOf(taken[Math.ceil(LATE * STUDIES) - 1]!),
      worst: costOf(size),
      decided: decided / STUDIES,
    };
  });
  return known({ plans, ...(earlier?.likeness && { alike: terms.history!.length }) });
}

interface Earlier {
  easiness: number[];
  likeness: Likeness | undefined;
}

function earlierOf(history: NonNullable<DecisionTerms["history"]>, size: number): Earlier {
  const known = taskEasiness(history);
  const likeness = likenessOf(history, known);
  const easiness = tasksLike(known, size);
  return { easiness, likeness: likeness && { ...likeness, easiness } };
}

/** As many tasks as the study has, as easy as those that were tried. */
function tasksLike(easiness: readonly number[], size: number): number[] {
  return Array.from({ length: size }, (_, i) => easiness[Math.floor(((i + 0.5) * easiness.length) / size)]!);
}

/** One study of two arms that solve tasks by their ability, the baseline as many as in the pilot: the worse of the two, if it can be. */
function playWithHistory(
  { easiness, likeness }: Earlier,
  { effect, rate, alpha, stream }: { effect: number; rate: number; alpha: number; stream: RandomStream },
): { units: number; verdict: DuelVerdict | null } {
  const size = easiness.length;
  const better = rate + effect <= 1 ? rate + effect : rate;
  const abilities = [Math.min(0.99, better), better - effect].map((share) => abilityFor(share, easiness));
  // The order of the tasks has the counters 0.
  const arms = abilities.map((ability, arm) =>
    easiness.map((one, task) => (stream.uniform(task, arm + 1) < solveChance(ability, one) ? 1 : 0)),
  );
  const other = new RandomStream(Math.floor(2 ** 32 * stream.uniform(0, 3)), "levelled");
  levelTo(Math.round(effect * size), arms as [number[], number[]], shuffle([...easiness.keys()], other));
  const duel = new Duel({ alpha, size, width: 1, likeness });
  playDuel(duel, new TaskOrder(easiness, stream), arms as [number[], number[]]);
  return { units: duel.decidedAt ?? size, verdict: duel.verdict };
}

/** The effect is one of this very set: as many outcomes change, on tasks in this order, as chance has put in or left out. */
function levelTo(total: number, [one, other]: [number[], number[]], order: readonly number[]): void {
  let excess = one.reduce((sum, value, task) => sum + value - other[task]!, 0) - total;
  for (const task of order) {
    if (excess === 0) return;
    const change = Math.sign(excess);
    // A task that only one arm solved becomes one that neither did.
    if (one[task]! - other[task]! !== change) continue;
    one[task] = 0;
    other[task] = 0;
    excess -= change;
  }
}

/** Which ability solves such a share of the tasks. */
function abilityFor(share: number, easiness: readonly number[]): number {
  let [low, high] = [-20, 20];
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    const solved = easiness.reduce((sum, one) => sum + solveChance(middle, one), 0) / easiness.length;
    if (solved < share) low = middle;
    else high = middle;
  }
  return low;
}

/** Pairs of arms that were not paired, or never differed, are taken for independent ones. */
function differingFor({ rate, pairs }: NonNullable<Pilot["rates"]>, effect: number): number {
  if (!pairs) return 2 * rate * (1 - rate);
  return differingAt(pairs, rate, rate + effect <= 1 ? effect : -effect);
}

/** Differences of as many pairs, of which a share differs, so that their mean is the effect. */
function pairsOf(size: number, differing: number, effect: number): number[] {
  const wins = Math.round((size * (differing + effect)) / 2);
  const losses = Math.max(0, Math.round((size * (differing - effect)) / 2));
  return Array.from({ length: size }, (_, i) => (i < wins ? 1 : i < wins + losses ? -1 : 0));
}
