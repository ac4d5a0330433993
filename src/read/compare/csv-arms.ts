import { basename } from "node:path";
import { ArmBook } from "../../analysis/compare/arm-book.ts";
import { STEP_NAMES } from "../../archive/read-series.ts";
import { type CsvRow, scanCsv } from "../../archive/scan-csv.ts";
import { scanJsonl } from "../../archive/scan-jsonl.ts";
import { UserError } from "../../core/errors.ts";
import { faultOf, type Outcome, type Owner } from "../../core/run.ts";
import type { ArmSet, Observation } from "../../design/arm-set.ts";
import { metricFacts, summandsOf } from "../../design/metric.ts";
import { chooseUnit } from "../../design/unit.ts";
import { type Cell, cellOf, conditionOf, noRows, numberIn, USUAL, usual } from "./csv-columns.ts";
import { isMatrix, MatrixReading } from "./matrix-arms.ts";
import { MixedRows } from "./mixed-rows.ts";
import type { CompareRequest } from "./request.ts";

type Status = Outcome["status"];
const OWNERS: readonly string[] = ["agent", "infrastructure", "grader", "budget"] satisfies Owner[];

/** Makes arms of CSV files with named columns: of a column's values, or each file is one. */
export function csvArms(paths: readonly string[], request: CompareRequest): ArmSet[] {
  let reading: Reading | MatrixReading | undefined;
  for (const path of paths) {
    const isLines = path.endsWith(".jsonl");
    const scan = isLines ? scanJsonl : scanCsv;
    scan(path, (columns) => {
      if (isLines) refuseCurves(path, columns, request);
      reading ??= isMatrix(columns, request)
        ? new MatrixReading(columns, request)
        : new Reading(columns, paths, request);
      return reading.of(path, columns);
    });
  }
  return reading!.sets();
}

/** Steps of one run are no values of their own: taken for such they would make everything sure. */
function refuseCurves(
  path: string,
  columns: readonly string[],
  { by, task, seedColumn }: CompareRequest,
): void {
  const step = STEP_NAMES.find((name) => columns.includes(name));
  if (step === undefined || by || task || seedColumn) return;
  throw new UserError(path, {
    expected: "one row per run",
    got: `the steps of one run (there is a column ${step})`,
    remedy:
      "Name such files as runs: --control-run-ids a1.jsonl a2.jsonl --candidate-run-ids b1.jsonl b2.jsonl --metric NAME --summary auc.",
  });
}

class Reading {
  readonly #request: CompareRequest;
  readonly #paths: readonly string[];
  readonly #metrics: string[];
  readonly #by: string[];
  readonly #keys: Keys;
  readonly #book: ArmBook;
  readonly #numbers: number[];
  #mixed: MixedRows | undefined;
  #firstText = "";

  constructor(columns: string[], paths: readonly string[], request: CompareRequest) {
    this.#request = request;
    this.#paths = paths;
    this.#metrics = request.metrics ?? [usual(columns, "metric", "--metric")];
    this.#by = request.by ?? (paths.length > 1 ? [] : [usual(columns, "arm", "--by")]);
    this.#keys = keysOf(columns, request);
    this.#book = new ArmBook(this.#metrics.map((name) => metricFacts(name, { asked: request })));
    this.#numbers = this.#metrics.map(() => 0);
  }

  of(path: string, columns: string[]): (row: CsvRow) => void {
    const cell = (option: string) => (spec: string) => cellOf(spec, columns, option);
    const metrics = this.#metrics.map((spec) =>
      summandsOf(spec, (name) => columns.includes(name)).map(cell("--metric")),
    );
    const by = this.#by.map(cell("--by"));
    const keys = this.#keys.specs.map(cell("--pair"));
    const part = this.#request.per === undefined ? undefined : cell("--per")(this.#request.per);
    const cluster = this.#keys.cluster === undefined ? undefined : cell("--task")(this.#keys.cluster);
    const seeds = this.#keys.seeds === undefined ? undefined : cell("--seed")(this.#keys.seeds);
    const condition =
      this.#request.where === undefined ? undefined : conditionOf(this.#request.where, columns);
    const [status, owner] = [columns.indexOf("status"), columns.indexOf("owner")];
    const samples =
      this.#request.samples === undefined ? undefined : cell("--samples")(this.#request.samples);
    const values = metrics.map((): number | null => null);
    const file = this.#fileName(path);
    const asked = [...metrics.flat(), ...by, ...keys, part, cluster, seeds, samples];
    const used = new Set([...asked.flatMap((one) => one?.name ?? []), "status", "owner"]);
    if (this.#keys.hasTask) this.#mixed ??= new MixedRows(columns, used);

    return (row) => {
      if (condition && !condition(row)) return;
      const isFailed = status >= 0 && isFailure(row.text(status));
      const fault = isFailed ? faultIn(row.text(status), owner >= 0 ? row.text(owner) : "") : undefined;
      for (let i = 0; i < metrics.length; i++) {
        values[i] = isFailed ? null : this.#sum(metrics[i]!, row, i);
      }
      const tries = samples && triesOf(row, samples, values);
      const arm = by.length === 0 ? file : joined(by, row, "=");
      const label = part ? part.label(row.text(part.index)) : null;
      const unit = keys.length === 0 ? null : joined(keys, row, " ");
      if (this.#mixed?.hasRoom) this.#mixed.see(`${label}\0${arm}\0${unit}`, row);
      this.#book.add(
        {
          arm,
          part: label,
          unit,
          tries,
          id: row.number,
          cluster: cluster?.of(row.text(cluster.index)),
          block: seeds?.of(row.text(seeds.index)),
          owner: fault,
        },
        values,
      );
    };
  }

  #fileName(path: string): string {
    const name = basename(path);
    const isTwice = this.#paths.filter((other) => basename(other) === name).length > 1;
    return (isTwice ? path : name).replace(/\.([ct]sv|jsonl)$/, "");
  }

  /** Of the metric's column, or columns; null where one has no number. */
  #sum(cells: readonly Cell[], row: CsvRow, metric: number): number | null {
    let total: number | null = 0;
    for (const { index } of cells) {
      const text = row.text(index);
      const value = numberIn(text);
      if (value === undefined && this.#firstText === "") this.#firstText = text;
      total = total === null || value === undefined || value === null ? null : total + value;
    }
    if (total !== null) this.#numbers[metric]!++;
    return total;
  }

  sets(): ArmSet[] {
    const { specs, hasTask, isAsked, cluster } = this.#keys;
    if (this.#book.arms.length === 0) throw noRows(this.#request);
    const without = this.#numbers.indexOf(0);
    if (without >= 0) {
      throw new UserError(`column "${this.#metrics[without]}"`, {
        expected: "numbers",
        got: this.#firstText === "" ? "none" : `"${this.#firstText}"`,
        remedy: "Name a column of numbers with --metric.",
      });
    }
    const names = specs.map((spec) => spec.split("~")[0]!);
    const sets = this.#book.sets({
      keys: names,
      hasRollouts: hasTask,
      isAsked,
      clusterBy: cluster?.split("~")[0],
    });
    const cautions = this.#cautions(names);
    return this.#keys.seeds === undefined
      ? sets.map((set) => ({ ...set, cautions }))
      : sets.map((set) => byTaskOrSeed(set, names as [string, string]));
  }

  #cautions(keys: readonly string[]): string[] {
    return (this.#mixed?.found() ?? []).map(
      ({ name, values }) =>
        `Rows of one ${keys.join(", ")} are averaged as rollouts, but they differ in ${name} (${values} values): if these are different experiments, add --per ${name} or choose one with --where.`,
    );
  }
}

/** Tasks that were tried with several seeds: what is counted is decided as for the runs of a study. */
function byTaskOrSeed(set: ArmSet, [task, seed]: [string, string]): ArmSet {
  const [tasks, seeds] = [new Set<string>(), new Set<string>()];
  for (const { observations } of set.arms) {
    for (const { cluster, block } of observations) {
      tasks.add(cluster!);
      seeds.add(block!);
    }
  }
  const drawn = { tasks: tasks.size, seeds: seeds.size, repeats: 1, isInterleaved: false, hasBlocks: false };
  const isTasks = chooseUnit(drawn) === "task";
  for (const { observations } of set.arms) {
    for (const one of observations) {
      const [ofTask, ofSeed] = [one.cluster!, one.block!];
      one.unit = isTasks ? ofTask : `${task} ${ofTask}, ${seed} ${ofSeed}`;
      one.cluster = isTasks || tasks.size === 1 ? undefined : ofSeed;
      one.block = isTasks ? "" : ofTask;
    }
  }
  if (isTasks) return { ...set, keys: [task], clusterBy: undefined, hasRollouts: true };
  return { ...set, clusterBy: tasks.size > 1 ? seed : undefined, hasRollouts: true };
}

/** Which columns pair. */
interface Keys {
  specs: string[];
  cluster: string | undefined;
  /** Where there are tasks and seeds: the column of the seeds. */
  seeds: string | undefined;
  hasTask: boolean;
  isAsked: boolean;
}

/** The columns that pair: those asked for, or those that are called like a task or a seed. */
function keysOf(columns: string[], { task, seedColumn, pair, unpaired }: CompareRequest): Keys {
  if (unpaired && !task && !seedColumn && !pair)
    return { specs: [], cluster: undefined, seeds: undefined, hasTask: false, isAsked: false };
  const isAsked = task !== undefined || seedColumn !== undefined || pair !== undefined;
  const usualTask = USUAL.task.find((name) => columns.includes(name));
  const usualSeed = columns.includes("seed") ? "seed" : undefined;
  const tasks = isAsked ? task : usualTask;
  const seeds = isAsked ? seedColumn : usualSeed;
  const specs = [tasks, seeds, ...(pair ?? [])].filter((spec) => spec !== undefined);
  const cluster = specs.length > 1 ? (tasks ?? seeds) : undefined;
  const isBoth = tasks !== undefined && seeds !== undefined && !pair;
  return {
    ...{ specs, cluster, isAsked, seeds: isBoth ? seeds : undefined },
    hasTask: tasks !== undefined && seeds === undefined,
  };
}

/** Makes shares of a row's counts, and says of how many. */
function triesOf(row: CsvRow, { name, index }: Cell, values: (number | null)[]): number {
  const tries = numberIn(row.text(index));
  const isCount = typeof tries === "number" && Number.isInteger(tries) && tries > 0;
  const wrong = values.find((value) => value !== null && !(value >= 0 && value <= (tries ?? 0)));
  if (!isCount || (wrong !== undefined && wrong !== null))
    throw new UserError(`row ${row.number}, column "${name}"`, {
      expected: isCount ? `at least the ${wrong} that passed` : "a number of samples, 1 or more",
      got: `"${row.text(index)}"`,
    });
  for (const [i, value] of values.entries()) values[i] = value === null ? null : value / tries;
  return tries;
}

function joined(cells: readonly Cell[], row: CsvRow, sign: string): string {
  if (cells.length === 1) return cells[0]!.of(row.text(cells[0]!.index));
  return cells.map(({ name, index, of }) => `${name}${sign}${of(row.text(index))}`).join(", ");
}

const FAILURES: readonly string[] = ["failed", "timeout", "cancelled", "skipped"] satisfies Status[];

function isFailure(status: string): boolean {
  return FAILURES.includes(status);
}

/** As of a run that a study recorded. */
function faultIn(status: string, owner: string): Observation["owner"] {
  return faultOf({ status: status as Status, ...(OWNERS.includes(owner) && { owner: owner as Owner }) });
}
