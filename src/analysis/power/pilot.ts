import { numberText } from "../../core/number-text.ts";
import type { UnitKind } from "../../design/unit.ts";
import {
  chi2Quantile,
  differences,
  known,
  mean,
  moments,
  type PairedOutcomes,
  pairedVarianceComponents,
  type Result,
  standardDeviation,
  unknownBecause,
} from "../../stats/index.ts";
import { type CovariateLine, covariateLine } from "../../stats/intervals/adjusted-difference.ts";
import { trimmedMoments } from "../../stats/intervals/trimmed-difference.ts";
import type { Covariate } from "../compare/adjust-for.ts";
import { TRIMS } from "../compare/centre.ts";
import { pairedOutcomes } from "../compare/samples.ts";
import { settleAsAsked } from "../compare/settle-failures.ts";
import { type ArmEstimate, sharedUnits, valuesAt } from "../estimate-arm.ts";
import { estimatesOf, groupBy, type Measurement, type Measurements } from "../measurements.ts";

/** What a pilot knows that a plan needs. */
export interface Pilot {
  arms: readonly [string, string] | readonly [string];
  /** What is counted. */
  unit: UnitKind;
  units: number;
  baselineMean: number;
  /** The most by which an arm can differ from the baseline's mean; Infinity where the metric has no range. */
  largest: number;
  /** Whether the spreads are of logarithms, since the metric is compared by ratios. */
  isRatio: boolean;
  /** Where each unit passes or fails once: the baseline's rate, and which arms passed how many pairs, where some differ. */
  rates: { rate: number; pairs: PairedOutcomes | undefined } | null;
  /** Pairs of the same seed or task: the spread of their differences. Undefined for one arm or other seeds. */
  pairedSd: number | undefined;
  /** The share that the means which are compared leave out at either end. */
  trim: number;
  /** The spread of values within an arm, pooled. */
  armSd: number;
  /** Degrees of freedom of either spread. */
  pairedDegrees: number;
  armDegrees: number;
  /** Between tasks and within, where tasks were run several times. */
  components: Result<{ betweenSd: number; withinSd: readonly [number, number] }>;
  /** What a covariate that was known before leaves of the spreads. */
  adjusted: AdjustedSpreads | undefined;
  /** How often the pilot ran each task in an arm: 1 where seeds are counted. */
  tries: number;
  /** Runs that one seed (or one rollout of a task) of one arm takes. */
  runsPerUnit: number;
  runMs: number | null;
  runUsd: number | null;
}

/** The variances that a covariate leaves, and what it carries over from the units that it is known for. */
export interface AdjustedSpreads {
  name: string;
  /** Units that it is known for. */
  reference: number;
  /** How often the pilot ran each unit in an arm: a plan from its spreads does the same. */
  tries: number;
  /** Of differences of the same unit. */
  paired: { rest: number; carried: number } | null;
  /** Of values, the mean of both arms; null where the covariate is one arm's own score. */
  arm: { rest: number; carried: number } | null;
}

/** Reads the spreads of a pilot of one or two arms. */
export function readPilot(
  measured: Measurements,
  names: readonly string[],
  covariate?: Covariate,
): Result<Pilot> {
  const unit = measured.counted;
  const settled = settleAsAsked(measured.set, covariate ? { covariate } : {});
  const { scale, isRate, centre } = settled;
  const spreadOf =
    centre === "mean" ? plainSpread : (values: ArrayLike<number>) => trimmedSpread(values, TRIMS[centre]);
  const estimates = estimatesOf(measured);
  const plain = names.map((name) => estimates.find((arm) => arm.name === name)!);
  const isRatio =
    !covariate && scale === "ratio" && plain.every(({ values }) => values.every((value) => value > 0));
  const onScale = (value: number) => (isRatio ? Math.log(value) : value);
  const arms = plain.map((arm) => ({ ...arm, values: arm.values.map(onScale) }));
  const own = measured.runs
    .filter(({ arm }) => names.includes(arm))
    .map((run) => ({ ...run, value: onScale(run.value) }));
  for (const { name, values } of arms)
    if (values.length < 2)
      return unknownBecause(
        `${name} has ${values.length} ${unit}${values.length === 1 ? "" : "s"}, and a spread needs at least 2`,
      );
  const shared = sharedUnits(arms);
  const paired = shared && spreadOf(differences(valuesAt(arms[1]!, shared), valuesAt(arms[0]!, shared)));
  const sds = arms.map(({ values }) => spreadOf(values));
  const armSd = Math.sqrt(sds.reduce((total, sd) => total + sd ** 2, 0) / sds.length);
  if (armSd === 0) return unknownBecause("all values of an arm are equal, so their spread says nothing");
  const perUnit = Math.max(1, Math.round(own.length / arms.reduce((n, { values }) => n + values.length, 0)));
  const isSingle = isRate && arms.every(({ values }) => values.every((value) => value === 0 || value === 1));
  const baselineMean = plain[0]!.mean ?? Number.NaN;
  const [least, most] = (isRate ? [0, 1] : settled.range) ?? [
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  ];
  const adjusted = covariate && adjustedSpreads(arms, shared, covariate);
  if (typeof adjusted === "string") return unknownBecause(adjusted);
  return known({
    arms: names as Pilot["arms"],
    unit,
    units: shared?.length ?? Math.min(...arms.map(({ values }) => values.length)),
    ...{ baselineMean, largest: Math.max(baselineMean - least, most - baselineMean) },
    isRatio,
    rates: isSingle && !covariate ? ratesOf(arms, shared) : null,
    pairedSd: paired ?? undefined,
    trim: TRIMS[centre],
    armSd,
    pairedDegrees: shared ? shared.length - 1 : 0,
    adjusted,
    armDegrees: arms.reduce((total, { values }) => total + values.length - 1, 0),
    components: unit === "task" ? components(own, names) : unknownBecause("the pilot has no tasks"),
    tries: unit === "task" ? perUnit : 1,
    runsPerUnit: unit === "task" ? 1 : perUnit,
    runMs: averageOf(own.map(({ wallMs }) => wallMs)),
    runUsd: averageOf(own.map(({ costUsd }) => costUsd)),
  });
}

function adjustedSpreads(
  arms: readonly ArmEstimate[],
  shared: string[] | null,
  { name, values }: Covariate,
): AdjustedSpreads | string {
  if (arms.length < 2) return "a covariate adjusts the difference of two arms, and there is one";
  const of =
    values === "baseline" ? new Map(arms[0]!.units.map((unit, i) => [unit, arms[0]!.values[i]!])) : values;
  const without = arms.flatMap(({ units }) => units).find((unit) => !of.has(unit));
  if (without !== undefined) return `${name} is not known of ${without}`;
  const all = moments([...of.values()]);
  const at = (units: readonly string[]) => units.map((unit) => of.get(unit)!);
  const lines = arms.map((arm) => covariateLine({ values: arm.values, covariate: at(arm.units) }, all.mean));
  const pairs =
    shared &&
    covariateLine(
      { values: differences(valuesAt(arms[1]!, shared), valuesAt(arms[0]!, shared)), covariate: at(shared) },
      all.mean,
    );
  const problem = [...lines, pairs].find((line) => typeof line === "string");
  if (problem !== undefined) return problem as string;
  const units = arms.reduce((sum, arm) => sum + arm.units.length, 0);
  const observations = arms.reduce((sum, arm) => sum + arm.observations, 0);
  const [a, b] = lines as [CovariateLine, CovariateLine];
  const own = pairs as CovariateLine | null;
  return {
    ...{ name, reference: all.n, tries: Math.max(1, Math.round(observations / units)) },
    paired: own && { rest: own.rest, carried: own.slope ** 2 * all.variance },
    arm:
      values === "baseline"
        ? null
        : { rest: (a.rest + b.rest) / 2, carried: (a.slope - b.slope) ** 2 * all.variance },
  };
}

function ratesOf(
  arms: readonly Pick<ArmEstimate, "units" | "values">[],
  shared: string[] | null,
): Pilot["rates"] {
  const base = mean(arms[0]!.values);
  const seen =
    shared && pairedOutcomes({ candidate: valuesAt(arms[1]!, shared), baseline: valuesAt(arms[0]!, shared) });
  const isApart = seen !== null && seen.onlyFirst + seen.onlySecond > 0;
  return { rate: base.known ? base.value : 0, pairs: isApart ? seen : undefined };
}

/** The spread if the truth is at the upper end of the pilot's 80 % interval: what a careful plan uses. */
export function cautiousSd(sd: number, degrees: number): number {
  return sd * Math.sqrt(degrees / chi2Quantile(0.1, degrees));
}

function components(runs: readonly Measurement[], names: readonly string[]): Pilot["components"] {
  if (names.length < 2) return unknownBecause("components of a difference need two arms");
  const [first, second] = names.map((name) =>
    groupBy(
      runs.filter(({ arm }) => arm === name),
      ({ task }) => String(task),
    ),
  );
  const shared = [...first!.keys()].filter((task) => second!.has(task));
  const rollouts = (tasks: Map<string, Measurement[]>) =>
    shared.map((task) => tasks.get(task)!.map(({ value }) => value));
  const all = [...rollouts(first!), ...rollouts(second!)];
  if (all.every((values) => values.length < 2))
    return unknownBecause(
      "each task was run once, so the noise within a task can't be told from that between tasks",
    );
  return pairedVarianceComponents(rollouts(second!), rollouts(first!));
}

function plainSpread(values: ArrayLike<number>): number {
  const sd = standardDeviation(values);
  return sd.known ? sd.value : 0;
}

/** The spread of values whose plain mean would be known as well as their trimmed one is. */
function trimmedSpread(values: ArrayLike<number>, trim: number): number {
  return trimmedMoments(Float64Array.from(values).sort(), trim).error * Math.sqrt(values.length);
}

function averageOf(values: readonly (number | null)[]): number | null {
  const there = values.filter((value) => value !== null);
  const answer = mean(there);
  return answer.known ? answer.value : null;
}

/** Why no arm can differ from the baseline by this much. */
export function impossible(
  { arms, baselineMean, largest }: Pilot,
  effect: number,
): ReturnType<typeof unknownBecause> | undefined {
  if (Math.abs(effect) <= largest + 1e-9) return undefined;
  return unknownBecause(
    `the mean of ${arms[0]} is ${numberText(baselineMean)}, and no arm can differ from it by more than ${numberText(largest)}`,
  );
}
