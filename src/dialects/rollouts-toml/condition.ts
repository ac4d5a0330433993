import type { Value } from "../../core/params.ts";
import type { Cells } from "./read-cells.ts";

/**
 * The condition that leaves out what no entry asks for: undefined where every cell has all tasks, each with all
 * rollouts. Tasks with the same number of rollouts stand together, so that it grows with the cells, not with the runs.
 */
export function conditionOf(
  { names, rows, entries }: Cells,
  { tasks, most }: { tasks: readonly string[]; most: number },
): string | undefined {
  const counts = rows.map(() => new Map<string, number>());
  for (const { task, cell, first, count } of entries) counts[cell]!.set(task, first + count - 1);
  const isFull = counts.every(
    (ofTask) => ofTask.size === tasks.length && [...ofTask.values()].every((count) => count === most),
  );
  if (isFull) return undefined;
  const parts = counts.flatMap((ofTask, cell) => {
    const byCount = new Map<number, string[]>();
    for (const [task, count] of ofTask) byCount.set(count, [...(byCount.get(count) ?? []), task]);
    return [...byCount].map(([count, chosen]) =>
      [
        ...names.map((name, column) => equals(name, rows[cell]![column]!, column, rows)),
        ...(count < most ? [`seed <= ${count}`] : []),
        ...(chosen.length < tasks.length ? [`task in ${literal(chosen)}`] : []),
      ].join(" && "),
    );
  });
  return parts.length === 1 ? parts[0] : parts.map((part) => `(${part})`).join(" || ");
}

/** Named values are told apart key by key, since the language has no literal for them. */
function equals(name: string, value: Value, column: number, rows: readonly Value[][]): string {
  if (!rows.some((row) => isNamed(row[column]!))) return `${name} == ${literal(value)}`;
  const keys = new Set(rows.flatMap((row) => (isNamed(row[column]!) ? Object.keys(row[column]!) : [])));
  const ofKey = (from: Value, key: string): Value => (isNamed(from) ? (from[key] ?? null) : null);
  const parts = [...keys].map((key) =>
    equals(
      `${name}.${key}`,
      ofKey(value, key),
      0,
      rows.map((row) => [ofKey(row[column]!, key)]),
    ),
  );
  return [...(isNamed(value) ? [] : [`${name} == ${literal(value)}`]), ...parts].join(" && ");
}

function isNamed(value: Value): value is Record<string, Value> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The language takes what follows a backslash as it is. */
function literal(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "string") return String(value);
  return `'${value.replaceAll(/[\\']/g, "\\$&")}'`;
}
