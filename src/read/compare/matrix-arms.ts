import type { CsvRow } from "../../archive/scan-csv.ts";
import { UserError } from "../../core/errors.ts";
import type { ArmSet, Observation } from "../../design/arm-set.ts";
import { metricFacts } from "../../design/metric.ts";
import { cellOf, conditionOf, noRows, numberIn, USUAL, unnamed } from "./csv-columns.ts";
import type { CompareRequest } from "./request.ts";

/** Fewer columns than this may as well be metrics. */
const LEAST_TASKS = 10;

/** Rows are agents and columns are tasks: as asked for, or where nothing names a metric or a task. */
export function isMatrix(
  columns: readonly string[],
  { matrix, metrics, task, seedColumn, pair }: CompareRequest,
) {
  if (matrix !== undefined) return matrix;
  const isNamed = [metrics, task, seedColumn, pair].some((asked) => asked !== undefined);
  const isUsual = [...USUAL.metric, ...USUAL.task].some((name) => columns.includes(name));
  return !isNamed && !isUsual && columns.length > LEAST_TASKS;
}

/** Makes an arm of each row, and a pair of each column. */
export class MatrixReading {
  readonly #request: CompareRequest;
  readonly #arm: string;
  readonly #observations: Map<string, Observation[]> = new Map();
  #isOutcomes = true;

  constructor(columns: readonly string[], request: CompareRequest) {
    this.#request = request;
    this.#arm =
      request.by?.[0] ?? [...USUAL.arm, "agent"].find((name) => columns.includes(name)) ?? columns[0]!;
  }

  of(_path: string, columns: string[]): (row: CsvRow) => void {
    const arm = cellOf(this.#arm, columns, "--by");
    const tasks = columns.flatMap((name, index) => (index === arm.index ? [] : [{ name, index }]));
    const condition =
      this.#request.where === undefined ? undefined : conditionOf(this.#request.where, columns);
    return (row) => {
      if (condition && !condition(row)) return;
      const name = arm.of(row.text(arm.index));
      const list = this.#observations.get(name) ?? [];
      this.#observations.set(name, list);
      for (const { name: unit, index } of tasks) {
        const text = row.text(index);
        const value = numberIn(text);
        if (value === undefined) throw this.#noOutcome(columns, { row: row.number, column: unit, text });
        if (value !== null && value !== 0 && value !== 1) this.#isOutcomes = false;
        list.push({ id: row.number, unit, value });
      }
    };
  }

  #noOutcome(columns: string[], { row, column, text }: { row: number; column: string; text: string }) {
    if (!this.#request.matrix) return unnamed(columns, "metric", "--metric");
    return new UserError(`row ${row}, column "${column}"`, {
      expected: "a number: with --matrix rows are arms and all columns but one are tasks",
      got: `"${text}"`,
    });
  }

  /** A pass is better than a failure; of other numbers nobody said it. */
  sets(): ArmSet[] {
    const metric = this.#request.metrics?.[0] ?? "outcome";
    const { goal, isLeastTime } = metricFacts(metric, { asked: this.#request });
    const direction = goal ?? (this.#isOutcomes ? "maximize" : undefined);
    if (this.#observations.size === 0) throw noRows(this.#request);
    return [
      {
        ...{ metric, part: null, keys: ["task"], hasRollouts: true, isAsked: false },
        arms: [...this.#observations].map(([name, observations]) => ({ name, observations })),
        ...{ ...(direction && { goal: direction }), isLeastTime },
      },
    ];
  }
}
