import { basename } from "node:path";
import { ArmBook } from "../../analysis/compare/arm-book.ts";
import { type CsvRow, scanCsv } from "../../archive/scan-csv.ts";
import { UserError } from "../../core/errors.ts";
import { type Expression, parseExpression } from "../../core/expression.ts";
import type { Owner } from "../../core/run.ts";
import type { ArmSet } from "../../design/arm-set.ts";
import { type Column, columnOf } from "../../design/column.ts";
import { chooseUnit } from "../../design/unit.ts";
import type { CompareRequest } from "./request.ts";

/** What columns are called where nobody says it. */
const USUAL = {
  metric: ["outcome", "resolved", "success", "passed", "score", "reward", "value"],
  arm: ["arm", "strategy", "policy", "variant", "ablation_name", "group", "model"],
  task: ["task", "task_id", "instance_id", "instance", "question_id"],
};
const NOTHING = new Set(["", "nan", "na", "n/a", "null", "none"]);
const OWNERS: readonly string[] = ["agent", "infrastructure", "grader", "budget"] satisfies Owner[];

/** Makes arms of CSV files with named columns: of a column's values, or each file is one. */
export function csvArms(paths: readonly string[], request: CompareRequest): ArmSet[] {
  let reading: Reading | undefined;
  for (const path of paths) {
    scanCsv(path, (columns) => {
      reading ??= new Reading(columns, paths, request);
      return reading.of(path, columns);
    });
  }
  return reading!.sets();
}

interface Cell extends Column {
  index: number;
}

class Reading {
  readonly #request: CompareRequest;
  readonly #paths: readonly string[];
  readonly #metrics: string[];
  readonly #by: string[];
  readonly #keys: Keys;
  readonly #book: ArmBook;
  readonly #numbers: number[];
  #firstText = "";

  constructor(columns: string[], paths: readonly string[], request: CompareRequest) {
    this.#request = request;
    this.#paths = paths;
    this.#metrics = request.metrics ?? [usual(columns, "metric", "--metric")];
    this.#by = request.by ?? (paths.length > 1 ? [] : [usual(columns, "arm", "--by")]);
    this.#keys = keysOf(columns, request);
    const goalOf = (name: string) => request.goals?.[name] ?? request.goal;
    this.#book = new ArmBook(this.#metrics.map((name) => ({ name, goal: goalOf(name) })));
    this.#numbers = this.#metrics.map(() => 0);
  }

  of(path: string, columns: string[]): (row: CsvRow) => void {
    const cell =
      (option: string) =>
      (spec: string): Cell => {
        const column = columnOf(spec, columns, option);
        return { ...column, index: columns.indexOf(column.name) };
      };
    const metrics = this.#metrics.map(cell("--metric"));
    const by = this.#by.map(cell("--by"));
    const keys = this.#keys.specs.map(cell("--pair"));
    const part = this.#request.per === undefined ? undefined : cell("--per")(this.#request.per);
    const cluster = this.#keys.cluster === undefined ? undefined : cell("--task")(this.#keys.cluster);
    const seeds = this.#keys.seeds === undefined ? undefined : cell("--seed")(this.#keys.seeds);
    const condition =
      this.#request.where === undefined ? undefined : conditionOf(this.#request.where, columns);
    const [status, owner] = [columns.indexOf("status"), columns.indexOf("owner")];
    const values = metrics.map((): number | null => null);
    const file = this.#fileName(path);

    return (row) => {
      if (condition && !condition(row)) return;
      const isFailed = status >= 0 && isFailure(row.text(status));
      const fault = isFailed && owner >= 0 ? row.text(owner) : "";
      for (let i = 0; i < metrics.length; i++) {
        values[i] = isFailed ? null : this.#number(row.text(metrics[i]!.index), i);
      }
      this.#book.add(
        {
          id: row.number,
          arm: by.length === 0 ? file : joined(by, row, "="),
          part: part ? part.label(row.text(part.index)) : null,
          unit: keys.length === 0 ? null : joined(keys, row, " "),
          cluster: cluster?.of(row.text(cluster.index)),
          block: seeds?.of(row.text(seeds.index)),
          owner: fault !== "" && OWNERS.includes(fault) ? (fault as Owner) : undefined,
        },
        values,
      );
    };
  }

  #fileName(path: string): string {
    const name = basename(path);
    const isTwice = this.#paths.filter((other) => basename(other) === name).length > 1;
    return (isTwice ? path : name).replace(/\.[ct]sv$/, "");
  }

  #number(text: string, metric: number): number | null {
    const number = text === "" ? Number.NaN : Number(text);
    if (!Number.isNaN(number)) {
      this.#numbers[metric]!++;
      return number;
    }
    const word = text.trim().toLowerCase();
    if (word === "true" || word === "false") {
      this.#numbers[metric]!++;
      return word === "true" ? 1 : 0;
    }
    if (!NOTHING.has(word) && this.#firstText === "") this.#firstText = text;
    return null;
  }

  sets(): ArmSet[] {
    const { specs, hasTask, isAsked, cluster } = this.#keys;
    if (this.#book.arms.length === 0)
      throw new UserError(`no row${this.#request.where ? ` for which ${this.#request.where} holds` : "s"}`);
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
    return this.#keys.seeds === undefined
      ? sets
      : sets.map((set) => byTaskOrSeed(set, names as [string, string]));
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

function usual(columns: string[], what: "metric" | "arm", option: string): string {
  const name = USUAL[what].find((candidate) => columns.includes(candidate));
  if (name !== undefined) return name;
  throw new UserError(`which column is the ${what}?`, {
    expected: `${option} with one of ${columns.slice(0, 30).join(", ")}`,
  });
}

function joined(cells: readonly Cell[], row: CsvRow, sign: string): string {
  if (cells.length === 1) return cells[0]!.of(row.text(cells[0]!.index));
  return cells.map(({ name, index, of }) => `${name}${sign}${of(row.text(index))}`).join(", ");
}

function isFailure(status: string): boolean {
  return ["failed", "timeout", "cancelled", "skipped"].includes(status);
}

/** Only the columns that the condition names are read; numbers compare as numbers. */
function conditionOf(source: string, columns: string[]): (row: CsvRow) => boolean {
  const condition: Expression = parseExpression(source, columns);
  const read = [...condition.names].map((name) => ({ name, index: columns.indexOf(name) }));
  return (row) => {
    const scope: Record<string, string | number> = {};
    for (const { name, index } of read) {
      const text = row.text(index);
      scope[name] = text !== "" && !Number.isNaN(Number(text)) ? Number(text) : text;
    }
    return condition.holds(scope);
  };
}
