import { RandomStream, shuffle } from "../../core/random.ts";
import { known, normalQuantile, type Result, unknownBecause } from "../../stats/index.ts";
import { Duel, type DuelVerdict } from "../decide/duel.ts";
import type { Pilot } from "./pilot.ts";

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

export interface DecisionTerms {
  effects: readonly number[];
  /** Tasks or seeds that the study has. */
  size: number;
  alpha: number;
  jobs: number;
}

/**
 * Plays studies that decide as they go with the very rule that they decide by. Outcomes of 0 and 1 differ as often as the
 * pilot's pairs did, and tasks are drawn without replacement; other values are normal with the pilot's spread of differences.
 */
export function planDecision(pilot: Pilot, terms: DecisionTerms): Result<{ plans: DecisionPlan[] }> {
  const { size, alpha } = terms;
  const { rates, pairedSd, armSd } = pilot;
  if (pilot.arms.length < 2) return unknownBecause("the pilot has one arm");
  if (pilot.isRatio)
    return unknownBecause("the metric is compared by ratios, and deciding is about differences");
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
      const differences = rates
        ? pairsOf(size, Math.max(effect, rates.differing ?? 2 * rates.rate * (1 - rates.rate)), effect)
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
  return known({ plans });
}

/** Differences of as many pairs, of which a share differs, so that their mean is the effect. */
function pairsOf(size: number, differing: number, effect: number): number[] {
  const wins = Math.round((size * (differing + effect)) / 2);
  const losses = Math.max(0, Math.round((size * (differing - effect)) / 2));
  return Array.from({ length: size }, (_, i) => (i < wins ? 1 : i < wins + losses ? -1 : 0));
}
