import { UserError } from "../core/errors.ts";
import type { Params } from "../core/params.ts";
import type { RunRecord } from "../core/run.ts";
import { suggestion } from "../core/suggest.ts";
import type { RunSource, Sources } from "./run-sources.ts";

/** What a run belongs to: an arm, a unit (its seed), and a block of what varies within the arm. */
export interface Grouping {
  by: string[];
  arms: string[];
  cautions: string[];
  /** The arm that `analysis.baseline` names, if it names one. */
  baseline: string | null;
  armOf(record: RunRecord): string;
  unitOf(record: RunRecord): string;
  blockOf(record: RunRecord): string;
  taskOf(record: RunRecord): string | null;
}

/** Groups runs into arms by the names given, or else into the study's cells. A list of runs is one arm. */
export function groupingOf(
  { study, isList, name }: Sources,
  runs: readonly RunSource[],
  { by: wanted, task }: { by?: string[]; task?: string },
): Grouping {
  const records = runs.map(({ record }) => record);
  const varying = variesIn(records);
  const axes = (study?.study.axes.flatMap((axis) => axis.names) ?? varying).filter((axis) =>
    varying.includes(axis),
  );
  const factors = new Set(records.map(({ variant }) => variant)).size > 1 ? [...axes, "variant"] : axes;
  checkNames([...(wanted ?? []), ...(task === undefined ? [] : [task])], records);
  const by = wanted ?? (isList ? [] : factors.filter((factor) => factor !== task));
  // A list's runs stand for themselves: nothing is averaged in them.
  const rest = isList ? [] : factors.filter((factor) => !by.includes(factor));
  const armOf = (record: RunRecord) =>
    by.length === 0 ? name : by.length === 1 ? valueText(record, by[0]!) : pairsText(record, by);
  const seeds = new Set(records.map(({ seed }) => seed));
  const repeats = new Set(records.map(({ repeat }) => repeat));
  const isRepeats = !isList && seeds.size === 1 && repeats.size > 1;
  const cautions: string[] = [];
  if (isRepeats)
    cautions.push("There is one seed: its repeats are counted, and they say nothing about other seeds.");
  const averaged = rest.filter((factor) => factor !== task);
  if (averaged.length > 0)
    cautions.push(
      `Each seed's value is its mean over ${averaged.join(", ")}: add them to --by to keep them apart.`,
    );
  return {
    by,
    arms: ordered([...new Set(records.map(armOf))], { records, armOf, study, by }),
    cautions,
    baseline: baselineOf(study?.study.analysis.baseline, { records, armOf, study, by }),
    armOf,
    unitOf: (record) => (isList ? record.id : isRepeats ? `repeat ${record.repeat}` : `seed ${record.seed}`),
    taskOf: (record) => (task === undefined ? record.task : valueText(record, task)),
    blockOf: (record) =>
      isList ? "" : JSON.stringify([record.task, rest.map((factor) => factorOf(record, factor) ?? null)]),
  };
}

function factorOf(record: RunRecord, factor: string): unknown {
  if (factor === "variant") return record.variant;
  if (factor === "task") return record.task;
  return record.params[factor];
}

function valueText(record: RunRecord, factor: string): string {
  const value = factorOf(record, factor);
  return typeof value === "string" ? value : value === undefined ? "(none)" : JSON.stringify(value);
}

function pairsText(record: RunRecord, by: readonly string[]): string {
  return by.map((factor) => `${factor}=${valueText(record, factor)}`).join(", ");
}

/** Parameters with more than one value among these runs. */
function variesIn(records: readonly RunRecord[]): string[] {
  const seen = new Map<string, Set<string>>();
  for (const { params } of records) {
    for (const [name, value] of Object.entries(params)) {
      const values = seen.get(name) ?? new Set();
      values.add(JSON.stringify(value));
      seen.set(name, values);
    }
  }
  return [...seen].filter(([, values]) => values.size > 1).map(([name]) => name);
}

function checkNames(wanted: readonly string[], records: readonly RunRecord[]): void {
  const known = new Set(["variant", "task", ...records.flatMap(({ params }) => Object.keys(params))]);
  for (const name of wanted) {
    if (!known.has(name))
      throw new UserError(`there is no parameter "${name}"`, {
        expected: "a parameter, variant or task",
        remedy: suggestion(name, known),
      });
  }
}

interface Order {
  records: readonly RunRecord[];
  armOf: (record: RunRecord) => string;
  study: Sources["study"];
  by: readonly string[];
}

/** Arms in the order of the study file, not in which runs happened to end first. */
function ordered(arms: string[], { records, armOf, study, by }: Order): string[] {
  const ranks = new Map<string, number[]>();
  for (const record of records) {
    const arm = armOf(record);
    if (!ranks.has(arm))
      ranks.set(
        arm,
        by.map((factor) => rankOf(record, factor, study)),
      );
  }
  return arms.sort((a, b) => {
    const [left, right] = [ranks.get(a)!, ranks.get(b)!];
    const at = left.findIndex((rank, i) => rank !== right[i]);
    return at < 0 ? 0 : left[at]! - right[at]!;
  });
}

function baselineOf(wanted: Params | undefined, { records, armOf, by }: Order): string | null {
  if (!wanted || by.length === 0 || by.some((factor) => wanted[factor] === undefined)) return null;
  const isBase = (record: RunRecord) =>
    by.every((factor) => JSON.stringify(factorOf(record, factor)) === JSON.stringify(wanted[factor]));
  const found = records.find(isBase);
  return found ? armOf(found) : null;
}

function rankOf(record: RunRecord, factor: string, study: Sources["study"]): number {
  if (factor === "variant")
    return study?.study.variants.findIndex(({ name }) => name === record.variant) ?? -1;
  const axis = study?.study.axes.find(({ names }) => names.includes(factor));
  const column = axis?.names.indexOf(factor) ?? -1;
  const value = JSON.stringify(record.params[factor]);
  return axis?.rows.findIndex((row) => JSON.stringify(row[column]) === value) ?? -1;
}
