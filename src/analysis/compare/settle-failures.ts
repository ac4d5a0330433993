import { plural } from "../../core/number-text.ts";
import type { Arm, ArmSet, Centre, Observation, Scale } from "../../design/arm-set.ts";
import { suitableCentre } from "./centre.ts";
import type { CompareOptions } from "./comparison.ts";
import { suitableScale } from "./scale.ts";

export interface Settled {
  arm: Arm;
  /** Agent failures that count as the worst value. */
  counted: number;
  /** Observations without a value, by whose fault it is. */
  missing: Record<string, number>;
}

/** Values in which every failed run has become what it counts as: all that an estimate of an arm needs. */
export interface SettledValues extends Omit<ArmSet, "arms"> {
  /** Whether all values, of all arms, are passes and failures. */
  isRate: boolean;
  arms: Settled[];
}

/** The same with what arms are compared by. */
export interface SettledSet extends SettledValues {
  scale: Scale;
  centre: Centre;
}

/**
 * Decides what a failed run means, for all arms at once. Where the metric says so, or where runs pass or fail, a run
 * that the agent broke has the worst value. Everything else that gave no number is missing: a broken machine says
 * nothing about the agent, and a time that was never taken is not 0. NaN and infinities are missing too.
 */
export function settleValues(given: ArmSet): SettledValues {
  const set = { ...given, range: holds(given) ? given.range : undefined };
  const rate = isShare(set.range) && isRate(set.arms);
  const failure = set.failure ?? (rate ? "worst" : "missing");
  const [least, most] = set.range ?? [0, 1];
  const worst = set.goal === "minimize" ? most : least;
  const counts = failure === "worst" && Number.isFinite(worst);
  return { ...set, isRate: rate, arms: set.arms.map((arm) => settle(arm, counts ? worst : null)) };
}

/** Settles the values, and decides by them what arms are compared by, where nobody said. */
export function settleFailures(given: ArmSet): SettledSet {
  const values = settleValues(given);
  const { isRate: rate, arms } = values;
  const settled = { ...values, scale: values.scale ?? (rate ? "difference" : suitableScale(arms, values)) };
  return { ...settled, centre: settled.centre ?? suitableCentre(settled) };
}

/** A set as it is to be compared by what somebody asked for: methods that are named, and covariates, are of means. */
export function settleAsAsked(
  set: ArmSet,
  { scale = set.scale, method = "auto", covariate, unpaired }: CompareOptions,
): SettledSet {
  const isFree = method === "auto" && !covariate;
  const centre = isFree ? set.centre : method === "trimmed" ? "trimmed" : "mean";
  // What is not compared in pairs is not looked at in pairs.
  const keys = unpaired ? [] : set.keys;
  return { ...settleFailures({ ...set, scale, centre, keys }), keys: set.keys };
}

/** A cost of $1 in every run is no pass: what can be more than 1 is no share. */
function isShare(range: ArmSet["range"]): boolean {
  return range === undefined || (range[0] === 0 && range[1] === 1);
}

/** A range that a value leaves is none: `delta_ms` may be negative, whatever its unit says. */
function holds({ arms, range }: ArmSet): boolean {
  if (!range) return true;
  const [least, most] = range;
  return arms.every(({ observations }) =>
    observations.every(
      ({ value }) => value === null || !Number.isFinite(value) || (value >= least && value <= most),
    ),
  );
}

/** What an arm's failures came to when they last counted as this: every answer about a set settles its arms. */
const known = new WeakMap<Arm, { worst: number | null; settled: Settled }>();

function settle(arm: Arm, worst: number | null): Settled {
  const before = known.get(arm);
  if (before && before.worst === worst) return before.settled;
  const settled = settleArm(arm, worst);
  known.set(arm, { worst, settled });
  return settled;
}

function settleArm(arm: Arm, worst: number | null): Settled {
  const { name, observations } = arm;
  const missing: Record<string, number> = {};
  let counted = 0;
  const settled = observations.map((observation): Observation => {
    if (observation.value !== null && Number.isFinite(observation.value)) return observation;
    const owner = observation.owner ?? "unknown";
    if (worst !== null && owner === "agent") {
      counted++;
      return { ...observation, value: worst };
    }
    missing[owner] = (missing[owner] ?? 0) + 1;
    return { ...observation, value: null, owner };
  });
  return { arm: { name, observations: settled }, counted, missing };
}

/** The values are passes and failures if all that are known are 0 or 1. */
function isRate(arms: readonly Arm[]): boolean {
  let seen = false;
  for (const { observations } of arms) {
    for (const { value } of observations) {
      if (value === null) continue;
      if (value !== 0 && value !== 1) return false;
      seen = true;
    }
  }
  return seen;
}

/** Why nothing is known of an arm; undefined where something is. */
export function emptiness(settled: Settled): string | undefined {
  const { arm } = settled;
  if (arm.observations.length === 0) return `${arm.name} has no runs`;
  if (countMissing(settled) < arm.observations.length) return undefined;
  if (arm.observations.length === 1) return `the only run of ${arm.name} has no value`;
  return `none of the ${plural(arm.observations.length, "run")} of ${arm.name} has a value`;
}

export function countMissing({ missing }: Settled): number {
  return Object.values(missing).reduce((a, b) => a + b, 0);
}
