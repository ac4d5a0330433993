import { listWords } from "../../analysis/compare/list-words.ts";
import type { CsvRow } from "../../archive/scan-csv.ts";
import { UserError } from "../../core/errors.ts";
import { type Expression, parseExpression } from "../../core/expression.ts";
import { type Column, columnOf } from "../../design/factors.ts";
import type { CompareRequest } from "./request.ts";

/** What columns are called where nobody says it. */
export const USUAL = {
  metric: ["outcome", "resolved", "success", "passed", "score", "reward", "value"],
  arm: ["arm", "strategy", "policy", "variant", "ablation_name", "group", "model"],
  task: ["task", "task_id", "instance_id", "instance", "question_id"],
};
const NOTHING = new Set(["", "nan", "na", "n/a", "null", "none"]);

export interface Cell extends Column {
  index: number;
}

export function usual(columns: string[], what: "metric" | "arm", option: string): string {
  const name = USUAL[what].find((candidate) => columns.includes(candidate));
  if (name !== undefined) return name;
  throw unnamed(columns, what, option);
}

export function unnamed(columns: string[], what: "metric" | "arm", option: string): UserError {
  return new UserError(`which column is the ${what}?`, {
    expected: `${option} with one of ${listWords(columns, 30)}`,
    ...(what === "metric" && { remedy: "If rows are arms and columns are tasks, add --matrix." }),
  });
}

export function noRows({ where }: CompareRequest): UserError {
  return new UserError(`no row${where ? ` for which ${where} holds` : "s"}`);
}

export function cellOf(spec: string, columns: string[], option: string): Cell {
  const column = columnOf(spec, columns, option);
  return { ...column, index: columns.indexOf(column.name) };
}

/** The number that a cell holds; null where it is empty or says that there is none, undefined for other words. */
export function numberIn(text: string): number | null | undefined {
  const number = text === "" ? Number.NaN : Number(text);
  if (!Number.isNaN(number)) return number;
  const word = text.trim().toLowerCase();
  if (word === "true" || word === "false") return word === "true" ? 1 : 0;
  return NOTHING.has(word) ? null : undefined;
}

/** Only the columns that the condition names are read; numbers compare as numbers. */
export function conditionOf(source: string, columns: string[]): (row: CsvRow) => boolean {
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
