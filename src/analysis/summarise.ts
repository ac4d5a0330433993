import type { Params } from "../core/params.ts";
import { faultOf, type RunRecord } from "../core/run.ts";
import type { Observation } from "../design/arm-set.ts";
import { type Design, designOf } from "../design/design.ts";
import { type Factor, factorNamed, levelOf, type Shape } from "../design/factors.ts";
import type { MetricFacts } from "../design/metric.ts";
import type { UnitKind } from "../design/unit.ts";
import { settleValues } from "./compare/settle-failures.ts";
import { estimateArm } from "./estimate-arm.ts";

/** What the runs of one cell say of one metric. */
export interface Estimate {
  /** Seeds, tasks or what else the study counts. */
  n: number;
  /** Runs that ended well without a number for it. */
  missing: number;
  /** Runs that failed and count as its worst value. */
  counted: number;
  mean: number | null;
  /** Over what is counted. */
  sd: number | null;
  min: number | null;
  max: number | null;
}

export interface CellSummary {
  coordinates: Params;
  variant: string;
  /** What the cell is called: a word for each axis, "" where one takes no part. */
  words: string[];
  runs: number;
  failed: number;
  metrics: Record<string, Estimate>;
}

/**
 * Groups runs by all axes and by variant. What is averaged, and what a failure counts as, is what the study's design
 * says, so that an arm that is one cell has the same mean here as in any comparison.
 */
export function summariseCells(
  records: readonly RunRecord[],
  study: Shape,
  factsOf: (metric: string) => MetricFacts = (name) => ({ name, unit: null, goal: null }),
  design?: Pick<Design, "unit" | "runs">,
): CellSummary[] {
  if (records.length === 0) return [];
  const axisNames = study.axes.flatMap((axis) => axis.names);
  const factors = [...axisNames, "variant"].map((name) => factorNamed(name, study, records));
  const { unit, runs } = design ?? designOf([{ label: "", dir: "", study, records }]);
  const counted = countedIn(unit);
  const hasTasks = unit !== "task" && runs.some(({ task }) => task !== null && task !== runs[0]!.task);
  const cells = new Map<string, { records: RunRecord[]; place: number[] }>();
  for (const record of records) {
    const place = factors.map(({ name, levels }) => levels.indexOf(levelOf(record, name)));
    const key = place.join(" ");
    const cell = cells.get(key);
    if (cell) cell.records.push(record);
    else cells.set(key, { records: [record], place });
  }
  const ordered = [...cells.values()].sort((a, b) => inOrder(a.place, b.place));
  const estimates = estimateCells(
    ordered.map((cell) => cell.records),
    {
      factsOf,
      unitOf: counted === "task" ? taskOf : counted === "repeat" ? repeatOf : seedOf,
      // Tasks that are not counted weigh the same, whichever of their runs are missing.
      blockOf: hasTasks ? taskOf : () => "",
    },
  );
  return ordered.map(({ records: own }, i) => ({
    coordinates: coordinatesOf(own[0]!, axisNames),
    variant: own[0]!.variant,
    words: wordsOf(own[0]!, factors.slice(0, -1)),
    runs: own.length,
    failed: own.filter(({ outcome }) => outcome.status !== "ok").length,
    metrics: estimates[i]!,
  }));
}

/** What is counted within one cell, where a study counts this: a cell is one setting. */
export function countedIn(unit: UnitKind): "task" | "seed" | "repeat" {
  if (unit === "task") return "task";
  return unit === "repeat" || unit === "round" ? "repeat" : "seed";
}

interface Reading {
  factsOf: (metric: string) => MetricFacts;
  unitOf: (record: RunRecord) => string;
  blockOf: (record: RunRecord) => string;
}

/** By cell and metric. A failure counts as the same thing in every cell. */
function estimateCells(
  cells: readonly RunRecord[][],
  { factsOf, unitOf, blockOf }: Reading,
): Record<string, Estimate>[] {
  const names = new Set<string>();
  for (const cell of cells)
    for (const { metrics, outcome } of cell)
      if (outcome.status === "ok") for (const name in metrics) names.add(name);
  const found = cells.map((): Record<string, Estimate> => ({}));
  const observed = cells.map((cell) =>
    cell.map((record): Observation => {
      const owner = faultOf(record.outcome);
      return { id: record.id, unit: unitOf(record), block: blockOf(record), owner, value: null };
    }),
  );
  for (const name of names) {
    const { goal, range, failure, isLeastTime } = factsOf(name);
    // One metric after the other takes its place in the same observations: of very many runs each set of them costs time.
    const arms = cells.map((cell, i) => {
      const observations = observed[i]!;
      for (const [k, { metrics }] of cell.entries()) {
        const one = observations[k]!;
        one.value = one.owner === undefined && Object.hasOwn(metrics, name) ? metrics[name]! : null;
      }
      return { name: String(i), observations };
    });
    const set = settleValues({
      ...{ metric: name, part: null, arms, keys: [], hasRollouts: true, isAsked: false },
      ...{ ...(goal && { goal }), range, failure, isLeastTime },
    });
    for (const [i, settled] of set.arms.entries()) {
      const { units, values, mean, sd, counted } = estimateArm(settled, set);
      if (units.length === 0 && cells[i]!.every(({ metrics }) => !Object.hasOwn(metrics, name))) continue;
      found[i]![name] = {
        ...{ n: units.length, mean, sd, counted },
        missing: settled.arm.observations.filter(({ value, owner }) => value === null && owner === "unknown")
          .length,
        min: values.length > 0 ? values.reduce((a, b) => Math.min(a, b)) : null,
        max: values.length > 0 ? values.reduce((a, b) => Math.max(a, b)) : null,
      };
    }
  }
  return found;
}

function seedOf({ seed }: RunRecord): string {
  return String(seed);
}

function taskOf({ task }: RunRecord): string {
  return task ?? "";
}

function repeatOf({ repeat }: RunRecord): string {
  return String(repeat);
}

function coordinatesOf({ params }: RunRecord, names: readonly string[]): Params {
  const coordinates: Params = {};
  for (const name of names) if (Object.hasOwn(params, name)) coordinates[name] = params[name]!;
  return coordinates;
}

function wordsOf(record: RunRecord, factors: readonly Factor[]): string[] {
  return factors.map(({ name, words }) =>
    Object.hasOwn(record.params, name) ? words.get(levelOf(record, name))! : "",
  );
}

function inOrder(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((place, i) => place !== b[i]);
  return at < 0 ? 0 : a[at]! - b[at]!;
}
