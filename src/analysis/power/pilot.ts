import type { UnitKind } from "../../design/unit.ts";
import {
  chi2Quantile,
  differences,
  known,
  mean,
  pairedVarianceComponents,
  type Result,
  standardDeviation,
  unknownBecause,
} from "../../stats/index.ts";
import { sharedUnits, valuesAt } from "../estimate-arm.ts";
import { estimatesOf, groupBy, type Measurement, type Measurements } from "../measurements.ts";

/** What a pilot knows that a plan needs. */
export interface Pilot {
  arms: readonly [string, string] | readonly [string];
  /** What is counted. */
  unit: UnitKind;
  units: number;
  baselineMean: number;
  /** Pairs of the same seed or task: the spread of their differences. Undefined for one arm or other seeds. */
  pairedSd: number | undefined;
  /** The spread of values within an arm, pooled. */
  armSd: number;
  /** Degrees of freedom of either spread. */
  pairedDegrees: number;
  armDegrees: number;
  /** Between tasks and within, where tasks were run several times. */
  components: Result<{ betweenSd: number; withinSd: readonly [number, number] }>;
  /** Runs that one seed (or one rollout of a task) of one arm takes. */
  runsPerUnit: number;
  runMs: number | null;
  runUsd: number | null;
}

/** Reads the spreads of a pilot of one or two arms. */
export function readPilot(measured: Measurements, names: readonly string[]): Result<Pilot> {
  const own = measured.runs.filter(({ arm }) => names.includes(arm));
  const unit = measured.counted;
  const estimates = estimatesOf(measured);
  const arms = names.map((name) => estimates.find((arm) => arm.name === name)!);
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
  const base = mean(arms[0]!.values);
  return known({
    arms: names as Pilot["arms"],
    unit,
    units: shared?.length ?? Math.min(...arms.map(({ values }) => values.length)),
    baselineMean: base.known ? base.value : Number.NaN,
    pairedSd: paired ?? undefined,
    armSd,
    pairedDegrees: shared ? shared.length - 1 : 0,
    armDegrees: arms.reduce((total, { values }) => total + values.length - 1, 0),
    components: unit === "task" ? components(own, names) : unknownBecause("the pilot has no tasks"),
    runsPerUnit:
      unit === "task"
        ? 1
        : Math.max(1, Math.round(own.length / arms.reduce((n, { values }) => n + values.length, 0))),
    runMs: averageOf(own.map(({ wallMs }) => wallMs)),
    runUsd: averageOf(own.map(({ costUsd }) => costUsd)),
  });
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

function spreadOf(values: ArrayLike<number>): number {
  const sd = standardDeviation(values);
  return sd.known ? sd.value : 0;
}

function averageOf(values: readonly (number | null)[]): number | null {
  const there = values.filter((value) => value !== null);
  const answer = mean(there);
  return answer.known ? answer.value : null;
}
