import { UserError } from "./errors.ts";
import { parseExpression } from "./expression.ts";
import type { Params, Value } from "./params.ts";
import { RandomStream, shuffle } from "./random.ts";

/** Tasks with fields, from a file: which items of it a study takes. */
export interface Dataset {
  /** JSON lines, CSV or Parquet. */
  path: string;
  /** The field that names an item; without it `id`, and the number of its line where there is none. */
  id?: string;
  /** Only items for which this condition holds over their fields. */
  where?: string;
  /** So many of them, drawn from `sampleSeed`. */
  sample?: number;
  sampleSeed?: number;
}

/** One item of a dataset, and where it stands in its file, counted from 1. */
export interface Row {
  fields: Params;
  line: number;
}

/** The chosen items by their names, in the order of the file. */
export function chooseItems(rows: readonly Row[], dataset: Dataset): Map<string, Params> {
  const { where, sample } = dataset;
  const known = new Set(rows.flatMap(({ fields }) => Object.keys(fields)));
  const condition = where === undefined ? undefined : parseExpression(where, known);
  const meant = rows.filter(({ fields }) => condition?.holds(fields) ?? true);
  if (meant.length === 0)
    throw new UserError(where === undefined ? "no item" : `no item satisfies ${JSON.stringify(where)}`, {
      got: `${rows.length} items`,
    });
  return nameItems(sample === undefined ? meant : draw(meant, dataset), dataset);
}

function draw(rows: readonly Row[], { sample = 0, sampleSeed = 42 }: Dataset): Row[] {
  if (sample > rows.length)
    throw new UserError("sample", {
      expected: `at most ${rows.length}, as many as there are`,
      got: String(sample),
    });
  const drawn = shuffle(rows, new RandomStream(sampleSeed, "sample of items"), sample);
  return drawn.sort((a, b) => a.line - b.line);
}

function nameItems(rows: readonly Row[], { id }: Dataset): Map<string, Params> {
  const field = id ?? (rows.every(({ fields }) => isName(fields.id)) ? "id" : undefined);
  const items = new Map<string, Params>();
  const lines = new Map<string, number>();
  for (const { fields, line } of rows) {
    const name = field === undefined ? line : fields[field];
    if (!isName(name))
      throw new UserError(`item ${line} has no name`, {
        expected: `a text or number in the field "${field}"`,
        got: name === undefined ? `the fields ${Object.keys(fields).join(", ")}` : JSON.stringify(name),
      });
    const key = String(name);
    if (items.has(key))
      throw new UserError(`items ${lines.get(key)} and ${line} are both named "${key}"`, {
        remedy: "Name with `id:` a field that tells them apart.",
      });
    items.set(key, fields);
    lines.set(key, line);
  }
  return items;
}

function isName(value: Value | undefined): value is string | number {
  return typeof value === "number" || (typeof value === "string" && value !== "");
}
