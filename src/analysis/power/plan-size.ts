import {
  effectForTasks,
  known,
  minimumDetectableEffect,
  type RateSetting,
  type Result,
  rateSampleSize,
  sampleSize,
  smallestRateEffect,
  tasksForEffect,
  unknownBecause,
} from "../../stats/index.ts";
import { differingAt } from "../compare/plan-power.ts";
import { cautiousSd, impossible, type Pilot } from "./pilot.ts";

/** A design that finds the effect (or, for a budget, what it finds), and what it takes. */
export interface Plan {
  design: string;
  /** Pairs, or runs an arm. */
  units: number;
  rollouts: number;
  runs: number;
  hours: number | null;
  usd: number | null;
  /** The effect that this size finds with the power asked for; null where it finds none that is possible. */
  effect: number | null;
  /** Units if the true spread is at the upper end of what the pilot allows. */
  cautious: number | null;
}

export interface PowerOptions {
  power: number;
  alpha: number;
  side: "two-sided" | "one-sided";
  /** Runs at the same time. */
  jobs: number;
  /** How many arms are run; two unless told. */
  arms?: number;
}

interface Design {
  name: string;
  rollouts: number;
  size(effect: number, isCautious?: boolean): Result<{ n: number }>;
  effect(units: number): Result<{ value: number }>;
}

/** What it takes to find a difference of `effect`, by each design that the pilot can speak of. */
export function planForEffect(
  pilot: Pilot,
  effect: number,
  options: PowerOptions,
): Result<{ plans: Plan[] }> {
  const problem = impossible(pilot, effect);
  if (problem) return problem;
  const plans: Plan[] = [];
  for (const design of designsOf(pilot, options)) {
    const size = design.size(effect);
    if (!size.known) return size;
    const cautious = design.size(effect, true);
    plans.push({
      ...costOf(pilot, { units: size.n, rollouts: design.rollouts, ...options }),
      ...{ design: design.name, effect, cautious: cautious.known ? cautious.n : null },
    });
  }
  return known({ plans });
}

/** What a budget finds: the largest size that it pays for, and the smallest effect that this size finds. */
export function planForBudget(
  pilot: Pilot,
  budget: { usd?: number; hours?: number; units?: number },
  options: PowerOptions,
): Result<{ plans: Plan[] }> {
  const runs = runsFor(pilot, budget, options.jobs);
  if (!runs.known) return runs;
  const plans: Plan[] = [];
  let why = "";
  for (const design of designsOf(pilot, options)) {
    const units =
      budget.units ?? Math.floor(runs.count / ((options.arms ?? 2) * pilot.runsPerUnit * design.rollouts));
    if (units < 2) {
      why = tooSmall(units, runs.count, { ...options, unit: pilot.unit });
      continue;
    }
    const found = design.effect(units);
    plans.push({
      ...costOf(pilot, { units, rollouts: design.rollouts, ...options }),
      ...{ design: design.name, cautious: null },
      effect: found.known && found.value <= pilot.largest ? found.value : null,
    });
  }
  return plans.length > 0 ? known({ plans }) : unknownBecause(why);
}

/** The designs of a pilot, with effects in the metric's unit: on the scale of ratios tests are of logarithms. */
function designsOf(pilot: Pilot, options: PowerOptions): Design[] {
  const { baselineMean: base, isRatio } = pilot;
  const designs = pilot.rates ? rateDesigns(pilot, pilot.rates, options) : meanDesigns(pilot, options);
  if (!isRatio) return designs;
  return designs.map(({ size, effect, ...rest }) => ({
    ...rest,
    size: (wanted, isCautious) => size(Math.log1p(wanted / base), isCautious),
    effect: (units) => {
      const found = effect(units);
      return found.known ? known({ value: base * Math.expm1(found.value) }) : found;
    },
  }));
}

/** Where units pass or fail, by the test that compares them. */
function rateDesigns(
  { unit, largest }: Pilot,
  { rate, pairs }: NonNullable<Pilot["rates"]>,
  { power, alpha, side }: PowerOptions,
): Design[] {
  const design = (name: string, of: (effect: number) => RateSetting): Design => ({
    ...{ name, rollouts: 1 },
    size: (effect, isCautious) =>
      isCautious ? unknownBecause("rates have no spread of their own") : rateSampleSize(power, of(effect)),
    effect: (units) => smallestRateEffect(units, power, of, largest),
  });
  const inside = (effect: number) => (rate + effect <= 1 ? effect : -effect);
  const independent = design("not paired", (effect) => ({ effect: inside(effect), rate, alpha, side }));
  if (pairs === undefined) return [independent];
  const paired = design(`paired by ${unit}`, (effect) => ({
    ...{ effect, alpha, side },
    differing: differingAt(pairs, rate, inside(effect)),
  }));
  return [paired, independent];
}

function meanDesigns(pilot: Pilot, { power, alpha, side }: PowerOptions): Design[] {
  // Spreads of the pilot are those of as many rollouts as it ran.
  const { tries } = pilot;
  const simple = (design: string, sd: number, kind: "paired" | "two-sample"): Design => {
    const careful = cautiousSd(sd, kind === "paired" ? pilot.pairedDegrees : pilot.armDegrees);
    const test = { design: kind, sd, trim: pilot.trim, alpha, side };
    return {
      name: tries > 1 ? `${design}, ${tries} rollouts per task and arm` : design,
      rollouts: tries,
      size: (effect, isCautious) => sampleSize(effect, power, { ...test, sd: isCautious ? careful : sd }),
      effect: (units) => minimumDetectableEffect(units, power, test),
    };
  };
  const { components, pairedSd, unit } = pilot;
  if (unit === "task" && components.known) {
    const planned = [1, 2, 4, 8].map((rollouts): Design => {
      const parts = { ...components, rollouts: [rollouts, rollouts] as const, power, alpha, side };
      return {
        name: `paired by task, ${rollouts} rollout${rollouts === 1 ? "" : "s"} a task and arm`,
        rollouts,
        size: (effect, isCautious) =>
          tasksForEffect(effect, isCautious ? widened(parts, pilot.pairedDegrees) : parts),
        effect: (units) => effectForTasks(units, parts),
      };
    });
    return [...planned, ...adjustedDesigns(pilot, { power, alpha, side })];
  }
  const withCovariate = adjustedDesigns(pilot, { power, alpha, side });
  const unpaired = simple("not paired", pilot.armSd, "two-sample");
  if (pairedSd === undefined || pairedSd === 0) return [unpaired, ...withCovariate];
  return [simple(`paired by ${unit}`, pairedSd, "paired"), unpaired, ...withCovariate];
}

/** The same designs with a covariate taken out: what it carries over shrinks only with the units it is known for. */
function adjustedDesigns(
  pilot: Pilot,
  { power, alpha, side }: Omit<PowerOptions, "jobs" | "arms">,
): Design[] {
  const { adjusted, unit } = pilot;
  if (!adjusted) return [];
  const designOf = (
    name: string,
    kind: "paired" | "two-sample",
    { rest, carried }: { rest: number; carried: number },
  ): Design => {
    const sdWith = (units: number) => {
      const share =
        kind === "paired"
          ? Math.min(1, units / adjusted.reference)
          : units / (2 * Math.max(adjusted.reference, 2 * units));
      return Math.sqrt(rest + carried * share);
    };
    const wider = cautiousSd(1, kind === "paired" ? pilot.pairedDegrees : pilot.armDegrees);
    const sizeWith = (effect: number, factor: number) => {
      let found = sampleSize(effect, power, { design: kind, sd: factor * Math.sqrt(rest), alpha, side });
      // More units leave less of the reference to draw on, so the size grows until it holds.
      for (let before = 0; found.known && found.n > before; ) {
        before = found.n;
        found = sampleSize(effect, power, { design: kind, sd: factor * sdWith(before), alpha, side });
      }
      return found;
    };
    return {
      ...{ name: `${name}, adjusted for ${adjusted.name}`, rollouts: unit === "task" ? adjusted.tries : 1 },
      size: (effect, isCautious) => sizeWith(effect, isCautious ? wider : 1),
      effect: (units) =>
        minimumDetectableEffect(units, power, { design: kind, sd: sdWith(units), alpha, side }),
    };
  };
  return [
    ...(adjusted.paired && adjusted.paired.rest > 0
      ? [designOf(`paired by ${unit}`, "paired", adjusted.paired)]
      : []),
    ...(adjusted.arm && adjusted.arm.rest > 0 ? [designOf("not paired", "two-sample", adjusted.arm)] : []),
  ];
}

function widened<T extends { betweenSd: number; withinSd: readonly [number, number] }>(
  parts: T,
  degrees: number,
): T {
  const factor = cautiousSd(1, degrees);
  const withinSd = [parts.withinSd[0] * factor, parts.withinSd[1] * factor] as const;
  return { ...parts, betweenSd: parts.betweenSd * factor, withinSd };
}

interface Size extends Pick<PowerOptions, "jobs" | "arms"> {
  units: number;
  rollouts: number;
}

function costOf(pilot: Pilot, { units, rollouts, jobs, arms = 2 }: Size) {
  const runs = arms * units * rollouts * pilot.runsPerUnit;
  return {
    ...{ units, rollouts, runs },
    hours: pilot.runMs === null ? null : (runs * pilot.runMs) / jobs / 3_600_000,
    usd: pilot.runUsd === null ? null : runs * pilot.runUsd,
  };
}

function runsFor(
  { runMs, runUsd }: Pilot,
  { usd, hours }: { usd?: number; hours?: number },
  jobs: number,
): Result<{ count: number }> {
  if (usd !== undefined && runUsd === null)
    return unknownBecause("the pilot's runs have no cost: a budget in dollars can't be turned into runs");
  if (hours !== undefined && runMs === null)
    return unknownBecause("the pilot's runs have no wall time: a budget in hours can't be turned into runs");
  const counts = [Number.POSITIVE_INFINITY];
  if (usd !== undefined) counts.push(runUsd === 0 ? Number.POSITIVE_INFINITY : usd / runUsd!);
  if (hours !== undefined) counts.push((hours * 3_600_000 * jobs) / runMs!);
  return known({ count: Math.min(1e9, Math.floor(Math.min(...counts))) });
}

function tooSmall(
  units: number,
  runs: number,
  { unit, arms = 2 }: Pick<Pilot, "unit"> & Pick<PowerOptions, "arms">,
): string {
  return `the budget pays for ${runs} runs, which is ${units} ${unit}${units === 1 ? "" : "s"} in ${arms === 2 ? "two" : arms} arms, and a test needs at least 2`;
}
