import type { RunRecord } from "../core/run.ts";
import type { ColumnRole, RunColumn, RunRow, RunTable } from "./study-view.ts";

/** Gives a run's cell of one column; undefined or null where it has none. */
interface Reader {
  name: string;
  role: ColumnRole;
  unit: string | null;
  read(record: RunRecord): unknown;
}

type UnitOf = (metric: string) => string | null;

/** All runs by column. Numbers stay numbers; a column with anything else in it is text, "" where a run has nothing. */
export function runTableOf(records: readonly RunRecord[], unitOf: UnitOf = () => null): RunTable {
  const columns = readersOf(records, unitOf).map((reader) => columnOf(reader, records));
  return { count: records.length, columns };
}

/** One run as the cells of that table, for a page that has the rest. */
export function runRowOf(record: RunRecord): RunRow {
  const row: [string, string | number | null][] = readersOf([record], () => null).map(({ name, read }) => [
    name,
    cellOf(read(record)),
  ]);
  return Object.fromEntries(row);
}

function readersOf(records: readonly RunRecord[], unitOf: UnitOf): Reader[] {
  const params = namesIn(records, ({ params }) => params);
  const metrics = namesIn(records, ({ metrics }) => metrics);
  const readers: Reader[] = [
    plain("run", "id", ({ id }) => id),
    ...params.map((name) => plain(name, "param", (record) => own(record.params, name))),
    plain("variant", "variant", ({ variant }) => variant),
    plain("seed", "seed", ({ seed }) => seed),
  ];
  if (records.some(({ task }) => task !== null)) readers.push(plain("task", "task", ({ task }) => task));
  if (records.some(({ repeat }) => repeat !== 0))
    readers.push(plain("repeat", "repeat", ({ repeat }) => repeat));
  readers.push(
    plain("status", "status", ({ outcome }) => outcome.status),
    plain("owner", "owner", ({ outcome }) => outcome.owner ?? ""),
    plain("reason", "reason", ({ outcome }) => outcome.reason ?? ""),
    ...metrics.map(
      (name): Reader => ({
        ...{ name, role: "metric", unit: unitOf(name) },
        read: (record) => own(record.metrics, name),
      }),
    ),
  );
  if (records.some(({ costUsd }) => costUsd !== undefined))
    readers.push({ name: "cost", role: "cost", unit: "USD", read: ({ costUsd }) => costUsd });
  readers.push(
    { name: "wall_time", role: "time", unit: "s", read: ({ wallMs }) => wallMs / 1000 },
    { name: "started", role: "started", unit: "ms since 1970", read: ({ startedAtMs }) => startedAtMs },
  );
  return distinct(readers);
}

/** Two columns of one name could not be told apart: the later one says what it is. */
function distinct(readers: Reader[]): Reader[] {
  const seen = new Set<string>();
  return readers.map((reader) => {
    let { name } = reader;
    while (seen.has(name)) name = `${name}_${reader.role}`;
    seen.add(name);
    return { ...reader, name };
  });
}

function plain(name: string, role: ColumnRole, read: Reader["read"]): Reader {
  return { name, role, unit: null, read };
}

function columnOf({ name, role, unit, read }: Reader, records: readonly RunRecord[]): RunColumn {
  const cells = records.map((record) => cellOf(read(record)));
  const isNumbers = cells.every((cell) => typeof cell !== "string") && cells.some((cell) => cell !== null);
  const isAlwaysNumber = role === "metric" || role === "cost" || role === "time" || role === "started";
  if (isNumbers || isAlwaysNumber)
    return {
      name,
      role,
      kind: "number",
      unit,
      values: cells.map((cell) => (typeof cell === "number" ? cell : null)),
    };
  const codes = new Map<string, number>();
  return {
    ...{ name, role, kind: "text" },
    codes: cells.map((cell) => {
      const word = cell === null ? "" : String(cell);
      const code = codes.get(word) ?? codes.size;
      codes.set(word, code);
      return code;
    }),
    words: [...codes.keys()],
  };
}

function cellOf(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function namesIn(records: readonly RunRecord[], of: (record: RunRecord) => object): string[] {
  const names = new Set<string>();
  for (const record of records) for (const name in of(record)) names.add(name);
  return [...names];
}

function own(values: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
