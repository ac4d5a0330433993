import type { Column, RunStore } from "./run-store.ts";

const MOST_METRICS = 6;

/** The columns that a reader sees first: what varies, how it ended, the study's metric and a few more. */
export function firstColumns(store: RunStore, metric: string | null): string[] {
  const varies = (column: Column): boolean => hasSeveral(store, column);
  const variants = store.columns.find(({ role }) => role === "variant");
  const hasVariants = variants !== undefined && varies(variants);
  /** What only some variants set says nothing that the variant's name does not. */
  const isVariants = (column: Column): boolean => {
    for (let row = 0; row < store.count; row++) if (Number.isNaN(column.key(row))) return hasVariants;
    return false;
  };
  let metrics = 0;
  const shown = store.columns.filter((column) => {
    switch (column.role) {
      case "id":
      case "status":
      case "time":
      case "label":
        return true;
      case "started":
      case "repeat":
      case "owner":
        return false;
      case "metric":
        return column.name === metric || (varies(column) && ++metrics <= MOST_METRICS);
      case "param":
        return varies(column) && !isVariants(column);
      default:
        return varies(column);
    }
  });
  return shown.map(({ name }) => name);
}

function hasSeveral(store: RunStore, column: Column): boolean {
  const first = column.key(0);
  for (let row = 1; row < store.count; row++) if (!Object.is(column.key(row), first)) return true;
  return false;
}

/** The parameters that every run has with the same value; none where there is one run to tell from. */
export function sharedParams(store: RunStore): string[] {
  if (store.count < 2) return [];
  return store.columns
    .filter((column) => column.role === "param" && !hasSeveral(store, column))
    .map(({ name }) => name);
}

/** The chosen columns: what names the run first, the study's metric first of the metrics (of a search, of all), reasons last. */
export function chosenColumns(
  store: RunStore,
  names: readonly string[],
  { metric, isSearch = false }: { metric: string | null; isSearch?: boolean },
): Column[] {
  const wanted = new Set(names);
  const { ids } = store;
  const others = store.columns.filter((column) => column !== ids && wanted.has(column.name));
  const metrics = isSearch ? 0 : others.findIndex(({ role }) => role === "metric");
  const own = others.findIndex(({ name }) => name === metric);
  if (own > metrics) others.splice(metrics, 0, ...others.splice(own, 1));
  // Reasons are long and few: they must not push the numbers out of sight.
  others.sort((a, b) => Number(a.role === "reason") - Number(b.role === "reason"));
  return ids ? [ids, ...others] : others;
}

/** Room for a column, in pixels, after its name and some of its cells. */
export function columnWidth(column: Column, count: number): number {
  const head = (column.name.length + (column.unit?.length ?? 0)) * 8.9 + 60;
  let longest = 0;
  const step = Math.max(1, Math.floor(count / 60));
  for (let row = 0; row < count; row += step) longest = Math.max(longest, column.text(row).length);
  return Math.round(Math.max(72, Math.min(340, head), Math.min(280, longest * 7.4 + 28)));
}
