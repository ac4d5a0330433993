import { canonicalJson } from "../../core/hash.ts";
import type { CellHistory } from "./history.ts";

/** What tells each cell from the others: `memory_db: mode=disk`; the target alone where there is one cell. */
export function nameCells(cells: readonly CellHistory[]): string[] {
  const keys = [...new Set(cells.flatMap(({ params }) => Object.keys(params)))];
  const varying = keys.filter((key) => differ(cells.map(({ params }) => canonicalJson(params[key] ?? null))));
  const hasVariants = differ(cells.map(({ variant }) => variant));
  return cells.map(({ target, params, variant }) => {
    const words = varying
      .filter((key) => key in params)
      .map((key) => `${key}=${typeof params[key] === "string" ? params[key] : JSON.stringify(params[key])}`);
    if (hasVariants) words.push(`variant=${variant}`);
    return [target, words.join(", ")].filter(Boolean).join(": ");
  });
}

function differ(texts: readonly string[]): boolean {
  return new Set(texts).size > 1;
}
