type Cell = string | number | null;

/** Rows as CSV with a header; null is an empty cell. */
export function csvText(rows: readonly object[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) =>
    columns.map((name) => cellText((row as Record<string, Cell>)[name]!)).join(","),
  );
  return [columns.join(","), ...lines, ""].join("\n");
}

function cellText(cell: Cell): string {
  if (cell === null) return "";
  const text = String(cell);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
