import { countText } from "../../src/core/number-text.ts";
import type { RunLine, RunPoint } from "../../src/plots/run-chart.ts";
import type { ChartView } from "../../src/reporters/study-view.ts";
import { filterWord } from "../table/parse-filter.ts";
import type { Column, RunStore } from "../table/run-store.ts";

/** What a reader chose to see, as the address has it; "" is none. */
export interface Choice {
  metric: string;
  /** What lies along x; "" draws the cumulative share of the metric. */
  along: string;
  colour: string;
  facet: string;
  log: "" | "x" | "y" | "xy";
}

/** More dots are no picture, and a page has to draw each. */
const MOST_DOTS = 4000;
const MOST_COLOURS = 14;
const MOST_FACETS = 12;
/** Numbers with more values than this are no settings that runs share. */
const MOST_MEANS = 40;

function isMetric({ kind, role }: Column): boolean {
  return kind === "number" && (role === "metric" || role === "cost" || role === "time");
}

/** The columns that can be chosen: numbers for the metric, what tells runs apart for the rest. */
export function choices(store: RunStore): { metrics: Column[]; groups: Column[]; along: Column[] } {
  const groups = store.columns.filter(
    (column) =>
      !isMetric(column) && !["id", "started", "reason"].includes(column.role) && levels(store, column, 2) > 1,
  );
  const metrics = store.columns.filter(isMetric);
  return { metrics, groups, along: [...groups, ...metrics] };
}

/** What to show where nobody has chosen: the study's metric over what was varied. */
export function settled(store: RunStore, query: Record<string, string>, metric: string | null): Choice {
  const { metrics, groups, along } = choices(store);
  const params = groups.filter(({ role }) => role === "param" || role === "variant");
  const named = (list: readonly Column[], name: string | undefined) =>
    list.find((one) => one.name === name)?.name;
  const y = named(metrics, query.y) ?? named(metrics, metric ?? "") ?? metrics[0]?.name ?? "";
  const first = params.find(({ kind }) => kind === "number") ?? params[0] ?? groups[0];
  const x = query.x === "share" ? "" : (named(along, query.x) ?? first?.name ?? "");
  // What only some variants set says nothing that the variant's name does not.
  const texts = params
    .filter((column) => column.kind === "text" && isWhole(store, column))
    .sort((a, b) => Number(b.role === "variant") - Number(a.role === "variant"));
  const second = texts.find(({ name }) => name !== x) ?? texts[0];
  const colour = query.colour === "none" ? "" : (named(groups, query.colour) ?? second?.name ?? "");
  const log = ["x", "y", "xy"].includes(query.log ?? "") ? (query.log as Choice["log"]) : "";
  return { metric: y, along: x, colour, facet: named(groups, query.facet) ?? "", log };
}

/** A choice as the address has it. */
export function queryOf({ metric, along, colour, facet, log }: Choice): Record<string, string> {
  return { y: metric, x: along || "share", colour: colour || "none", facet, log };
}

/** What a chart of the study shows, as far as its words name columns of the table: where choosing begins. */
export function choiceOf({ title, ...chart }: ChartView, store: RunStore): Record<string, string> {
  const { metrics, groups } = choices(store);
  const labels = ["yLabel", "xLabel"].map((name) => String((chart as Record<string, unknown>)[name] ?? ""));
  const [y, other] = namedIn([title, ...labels], metrics);
  const [along] = namedIn([title, ...labels], groups);
  const isAgainst = chart.kind === "scatter" && other !== undefined;
  return {
    ...(y !== undefined && { y }),
    ...(isAgainst
      ? { x: other, ...(along !== undefined && { colour: along }) }
      : along !== undefined && { x: along }),
  };
}

/** The columns that texts name, in that order. */
function namedIn(texts: readonly string[], columns: readonly Column[]): string[] {
  const names = new Set(columns.map(({ name }) => name));
  return [...new Set(texts.flatMap((text) => text.split(/[\s,:()]+/)))].filter((word) => names.has(word));
}

function isWhole(store: RunStore, column: Column): boolean {
  for (let row = 0; row < store.count; row++) if (column.value(row) === null) return false;
  return true;
}

/** How many values a column has, counted up to `most`. */
function levels(store: RunStore, column: Column, most: number): number {
  const seen = new Set<string>();
  for (let row = 0; row < store.count && seen.size < most; row++) seen.add(String(column.value(row) ?? ""));
  return seen.size;
}

/** The runs of a table as a chart; null where the metric has no value among them. */
export function exploreChart(
  store: RunStore,
  rows: Uint32Array,
  choice: Choice,
): (ChartView & { kind: "runs" }) | null {
  const y = store.column(choice.metric);
  if (!y) return null;
  const x = choice.along === "" ? undefined : store.column(choice.along);
  const notes: string[] = [];
  const log = {
    x: choice.log.includes("x") && x?.kind !== "text",
    y: choice.log.includes("y") && x !== undefined,
  };
  const kept = [...rows].filter((row) => {
    const [across, up] = [x ? x.key(row) : 0, y.key(row)];
    return (
      Number.isFinite(up) && !Number.isNaN(across) && (!log.y || up > 0) && (!log.x || (x ? across : up) > 0)
    );
  });
  if (kept.length === 0) return null;
  if (kept.length < rows.length)
    notes.push(
      `${countText(rows.length - kept.length)} of ${countText(rows.length)} runs have no place here.`,
    );
  // A colour stands for the same, whatever a filter leaves of the others.
  const all = Array.from({ length: store.count }, (_, row) => row);
  const colours = grouping(store, all, store.column(choice.colour), MOST_COLOURS, notes);
  const facets = grouping(store, kept, store.column(choice.facet), MOST_FACETS, notes);
  const names = x?.kind === "text" ? wordsInOrder(x, kept) : undefined;
  const place = (row: number) => (names ? names.indexOf(x!.text(row)) : x!.key(row));
  const step = Math.max(1, Math.ceil(kept.length / MOST_DOTS));
  if (step > 1)
    notes.push(`One in ${step} of ${countText(kept.length)} runs is a dot; lines are over all of them.`);
  const shown = [y, x, store.column(choice.colour), store.column(choice.facet)];
  const told = [...new Set([...shown.filter((column) => column !== undefined), ...placesOf(store)])];
  const panels = facets.names.map((title, facet) => {
    const inPanel = kept.filter((row) => facets.of(row) === facet);
    const points: RunPoint[] = [];
    const lines: RunLine[] = [];
    for (const [colour, name] of colours.names.entries()) {
      const own = inPanel.filter((row) => colours.of(row) === colour);
      if (own.length === 0) continue;
      const about = { name, colour };
      const tip = (row: number) => tipOf(store, row, told);
      const dots = (list: readonly number[], at: (row: number, i: number) => { x: number; y: number }) => {
        for (let i = 0; i < list.length; i += step)
          points.push({ ...about, ...at(list[i]!, i), run: store.idOf(list[i]!), tip: tip(list[i]!) });
      };
      if (!x) {
        const sorted = own.toSorted((a, b) => y.key(a) - y.key(b));
        dots(sorted, (row, i) => ({ x: y.key(row), y: (i + 1) / sorted.length }));
        lines.push({
          ...about,
          shape: "stairs",
          x: sorted.map((row) => y.key(row)),
          y: sorted.map((_, i) => (i + 1) / sorted.length),
        });
      } else {
        dots(own, (row) => ({ x: place(row), y: y.key(row) }));
        const means = meansOver(own, place, (row) => y.key(row));
        if (names) lines.push({ ...about, ...means, shape: "rings" });
        else if (!isMetric(x) && means.x.length > 1 && means.x.length <= MOST_MEANS)
          lines.push({ ...about, ...means, shape: "line" });
      }
    }
    return { title: choice.facet === "" || title === "" ? "" : `${choice.facet} ${title}`, points, lines };
  });
  if (panels.some(({ lines }) => lines.some(({ shape }) => shape !== "stairs")))
    notes.unshift(`A ring is the mean of the runs ${names ? "above its name" : "at one value"}.`);
  return {
    ...{
      kind: "runs",
      id: "explore",
      title: x ? `${y.name} over ${x.name}` : `${y.name}: share of runs at or below`,
    },
    subtitle: `${countText(kept.length)} runs${choice.colour === "" ? "" : `, coloured by ${choice.colour}`}`,
    ...{ xLabel: labelOf(x ?? y), yLabel: x ? labelOf(y) : "share of runs", notes, panels },
    ...(names && { xNames: shortNames(names) }),
    ...(log.x && { xScale: "log" as const }),
    ...(log.y && { yScale: "log" as const }),
    ...(!x && { isPercent: true }),
  };
}

/** The condition that keeps what lies between the least and the greatest of some runs. */
export function brushFilter(store: RunStore, ids: readonly string[], { metric, along }: Choice): string {
  const rows = ids.flatMap((id) => store.rowOf(id) ?? []);
  const between = (column: Column) => {
    const values = rows.map((row) => column.key(row));
    const word = filterWord(column.name);
    return `${word}>=${Math.min(...values)} ${word}<=${Math.max(...values)}`;
  };
  const [y, x] = [store.column(metric), store.column(along)];
  const clauses = y ? [between(y)] : [];
  if (x?.kind === "number") clauses.push(between(x));
  else if (x)
    clauses.push(
      `${filterWord(x.name)}=${[...new Set(rows.map((row) => filterWord(x.text(row))))].join(",")}`,
    );
  return rows.length === 0 ? "" : clauses.join(" ");
}

interface Grouping {
  names: string[];
  of(row: number): number;
}

/** The values of a column as groups; one group where nothing is chosen, or there are too many to tell apart. */
function grouping(
  store: RunStore,
  rows: readonly number[],
  column: Column | undefined,
  most: number,
  notes: string[],
): Grouping {
  if (!column) return { names: [""], of: () => 0 };
  if (levels(store, column, most + 1) > most) {
    notes.push(`${column.name} has more than ${most} values, too many to tell apart.`);
    return { names: [""], of: () => 0 };
  }
  const names = wordsInOrder(column, rows);
  const places = new Map(names.map((name, i) => [name, i]));
  return {
    names: shortNames(names).map((name) => name || "(none)"),
    of: (row) => places.get(column.text(row)) ?? 0,
  };
}

/** An object, such as an agent with its command, goes by its own name where that tells it from the others. */
function shortNames(words: readonly string[]): string[] {
  const short = words.map((word) => {
    if (!word.startsWith("{")) return word;
    try {
      const { name } = JSON.parse(word) as { name?: unknown };
      return typeof name === "string" && name !== "" ? name : word;
    } catch {
      return word;
    }
  });
  return new Set(short).size === words.length ? short : [...words];
}

function wordsInOrder(column: Column, rows: readonly number[]): string[] {
  const keys = new Map<string, number>();
  for (const row of rows) keys.set(column.text(row), column.key(row));
  const order = ([, a]: [string, number], [, b]: [string, number]) =>
    Number.isNaN(a) ? 1 : Number.isNaN(b) ? -1 : a - b;
  return [...keys].sort(order).map(([name]) => name);
}

function meansOver(rows: readonly number[], place: (row: number) => number, value: (row: number) => number) {
  const sums = new Map<number, { sum: number; n: number }>();
  for (const row of rows) {
    const at = sums.get(place(row)) ?? { sum: 0, n: 0 };
    sums.set(place(row), { sum: at.sum + value(row), n: at.n + 1 });
  }
  const sorted = [...sums].sort(([a], [b]) => a - b);
  return { x: sorted.map(([at]) => at), y: sorted.map(([, { sum, n }]) => sum / n) };
}

function labelOf({ name, unit }: Column): string {
  return unit ? `${name} (${unit})` : name;
}

/** The run, its values with their units, and what places it. */
function tipOf(store: RunStore, row: number, shown: readonly Column[]): string {
  const facts = shown.flatMap((column) =>
    column.text(row) === ""
      ? []
      : [`${column.name}: ${column.text(row)}${column.unit ? ` ${column.unit}` : ""}`],
  );
  return [store.idOf(row), ...facts, "click to open it"].join("\n");
}

/** What tells a run apart from the others: its arm, task and seed. */
function placesOf(store: RunStore): Column[] {
  return store.columns.filter(
    (column) =>
      ["variant", "task", "seed"].includes(column.role) ||
      (column.role === "param" && levels(store, column, 2) > 1),
  );
}
