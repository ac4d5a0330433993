import { extname, relative } from "node:path";
import { chooseItems, type Dataset, type Row } from "../core/dataset.ts";
import { causeText, errorCode, type Place, UserError } from "../core/errors.ts";
import { parseCsv, withoutMark } from "../core/escape.ts";
import type { Params, Value } from "../core/params.ts";
import { nearFile, readText } from "../host/files.ts";

const READERS: Record<string, (path: string) => Row[] | Promise<Row[]>> = {
  ".jsonl": (path) => readLines(readText(path)),
  ".ndjson": (path) => readLines(readText(path)),
  ".csv": (path) => readTable(readText(path)),
  ".parquet": readParquet,
};

/** The items that a study takes from a file, by name; mistakes are told with the line. */
export async function openDataset(dataset: Dataset, place: Place): Promise<Map<string, Params>> {
  const shown = relative(process.cwd(), dataset.path);
  const read = READERS[extname(dataset.path).toLowerCase()];
  if (!read)
    throw new UserError(`${shown} can't be read as a dataset`, {
      place,
      expected: `a file that ends with ${Object.keys(READERS).join(", ")}`,
    });
  try {
    return chooseItems(await read(dataset.path), dataset);
  } catch (error) {
    if (error instanceof UserError) throw new UserError(`${shown}: ${error.message}`, { place });
    if (errorCode(error) !== "ENOENT")
      throw new UserError(`${shown} can't be read: ${causeText(error)}`, { place });
    const near = nearFile(dataset.path);
    throw new UserError(`the dataset ${shown} does not exist`, {
      place,
      remedy: near === undefined ? "Paths are relative to the study file." : `Did you mean "${near}"?`,
    });
  }
}

function readLines(text: string): Row[] {
  return withoutMark(text)
    .split("\n")
    .flatMap((written, i) => {
      if (written.trim() === "") return [];
      return [{ line: i + 1, fields: parseItem(written, i + 1) }];
    });
}

function parseItem(text: string, line: number): Params {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UserError(`line ${line} is no JSON (${causeText(error)})`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Params;
  throw new UserError(`line ${line}`, { expected: "an object with fields", got: text.slice(0, 40) });
}

/** A cell that is written as a number would be is one; `007` is a text. */
function readTable(text: string): Row[] {
  const asValue = (cell: string): Value => (String(Number(cell)) === cell ? Number(cell) : cell);
  return parseCsv(text).map((cells, i) => ({
    line: i + 2,
    fields: Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, asValue(cell)])),
  }));
}

async function readParquet(path: string): Promise<Row[]> {
  // So that a missing file is told as any other.
  readText(path, { mostBytes: Number.POSITIVE_INFINITY });
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    const table = `read_parquet('${path.replaceAll("'", "''")}')`;
    const rows = (await connection.runAndReadAll(`SELECT to_json(item) FROM ${table} AS item`)).getRows();
    return rows.map(([json], i) => ({ line: i + 1, fields: JSON.parse(String(json)) as Params }));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
