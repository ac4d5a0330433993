import type { Covariate } from "../../analysis/compare/adjust-for.ts";
import { listWords } from "../../analysis/compare/list-words.ts";
import { scanCsv } from "../../archive/scan-csv.ts";
import { UserError } from "../../core/errors.ts";
import { numberIn, USUAL } from "./csv-columns.ts";

/** Where a covariate may be, besides a file of its own. */
interface Around {
  /** The CSV files that are compared. */
  tables?: readonly string[];
  /** Their column of tasks. */
  task?: string | undefined;
}

/** `baseline`, a file with a column of tasks (`difficulty.csv`, `difficulty.csv:solved_before`), or a column. */
export function readCovariate(spec: string, { tables = [], task }: Around = {}): Covariate {
  if (spec === "baseline") return { name: "the baseline's score", values: "baseline" };
  const file = /^(.+\.[ct]sv)(?::(.+))?$/.exec(spec);
  if (file) return valuesIn([file[1]!], { column: file[2], task, spec });
  if (tables.length > 0) return valuesIn(tables, { column: spec, task, spec });
  throw new UserError(`--covariate ${spec}`, {
    expected:
      "baseline, or a CSV file with a column of tasks and one of numbers: difficulty.csv, difficulty.csv:column",
  });
}

interface Wanted {
  column: string | undefined;
  task: string | undefined;
  spec: string;
}

function valuesIn(paths: readonly string[], { column, task, spec }: Wanted): Covariate {
  const values = new Map<string, number>();
  let name = column;
  for (const path of paths) {
    scanCsv(path, (columns) => {
      const key = task ?? [...USUAL.task, "seed"].find((usual) => columns.includes(usual)) ?? columns[0]!;
      const others = columns.filter((other) => other !== key);
      name ??= others.length === 1 ? others[0] : undefined;
      const [from, at] = [columns.indexOf(key), name === undefined ? -1 : columns.indexOf(name)];
      if (from < 0 || at < 0)
        throw new UserError(`--covariate ${spec}`, {
          expected: `a column of ${path}: ${listWords(others, 20)}`,
          got: from < 0 ? key : (column ?? "no name"),
          remedy: `Write ${path}:COLUMN.`,
        });
      return (row) => {
        const [unit, text] = [row.text(from), row.text(at)];
        const value = numberIn(text);
        if (value === undefined)
          throw new UserError(`${path}, row ${row.number}, column "${name}"`, {
            expected: "a number",
            got: `"${text}"`,
          });
        if (value === null) return;
        const before = values.get(unit);
        if (before !== undefined && before !== value)
          throw new UserError(`--covariate ${spec}`, {
            expected: `one number for each ${key}: what was known before the run is the same for all arms`,
            got: `${before} and ${value} for ${unit}`,
          });
        values.set(unit, value);
      };
    });
  }
  return { name: name!, values };
}
