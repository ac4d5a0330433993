import type { Value } from "../../core/params.ts";
import type { RunRecord } from "../../core/run.ts";
import type { Study } from "../../core/study.ts";

/** What a report compares: which runs are an arm, what they are paired by, what splits them into facets. */
export interface Layout {
  /** The factor whose values are the arms: an axis, several, or "variant"; empty where nothing varies. */
  by: string[];
  arms: string[];
  /** The arm that the others are compared with; null with fewer than two arms. */
  baseline: string | null;
  /** Whether the study file names it. */
  isDeclared: boolean;
  /** Only runs of this variant are compared, where arms are not variants; null where there is one. */
  variant: string | null;
  facetBy: string[];
  facets: string[];
  /** Factors that are neither: each unit's value is its mean over them. */
  averaged: string[];
  /** What is counted: runs of one seed are not independent. */
  unit: "seed" | "task" | "repeat";
}

/** More panels than this are no picture. */
const MOST_FACETS = 8;
/** Axes of these names are what people compare; others are where they compare it. */
const COMPARED =
  /^(policy|arm|agent|model|method|algorithm|architecture|arch|condition|treatment|system|solver|scheduler|strategy)$/i;

type Shape = Pick<Study, "axes" | "variants" | "analysis">;

/** Looks at a study and its runs, and decides what a report compares. */
export function layoutOf(study: Shape, records: readonly RunRecord[]): Layout {
  const values = new Map(factorsOf(study, records).map((name) => [name, valuesOf(name, study, records)]));
  const varying = [...values].filter(([, found]) => found.length > 1).map(([name]) => name);
  const by = chooseBy(study, varying);
  const isVariants = by.includes("variant");
  const variant = !isVariants && varying.includes("variant") ? baseVariant(study, records) : null;
  const own = variant === null ? records : records.filter((record) => record.variant === variant);
  const rest = varying.filter((name) => !by.includes(name) && name !== "variant");
  const facetBy = chooseFacets(rest, own);
  const arms = inOrder(own, by, values);
  const declared = study.analysis.baseline;
  const wanted =
    declared && by.every((name) => name in declared) ? nameOf(by, (name) => declared[name]) : null;
  const isDeclared = wanted !== null && arms.includes(wanted);
  return {
    by,
    arms,
    baseline: arms.length < 2 ? null : isDeclared ? wanted : arms[0]!,
    isDeclared,
    variant,
    facetBy,
    facets: facetBy.length === 0 ? [""] : inOrder(own, facetBy, values, true),
    averaged: rest.filter((name) => !facetBy.includes(name)),
    unit: unitOf(own, study.analysis.pairBy),
  };
}

export function armOf(record: RunRecord, { by }: Pick<Layout, "by">): string {
  return nameOf(by, (name) => factorOf(record, name));
}

export function facetOf(record: RunRecord, { facetBy }: Pick<Layout, "facetBy">): string {
  return facetBy.length === 0 ? "" : facetName(facetBy, (name) => factorOf(record, name));
}

/** What makes a value independent of the others. */
export function unitKey({ seed, task, repeat }: RunRecord, { unit }: Pick<Layout, "unit">): string {
  return unit === "seed" ? String(seed) : unit === "task" ? (task ?? "") : String(repeat);
}

/** Runs that a comparison of arms is about. */
export function isCompared(record: RunRecord, { variant }: Pick<Layout, "variant">): boolean {
  return variant === null || record.variant === variant;
}

function factorsOf({ axes }: Shape, records: readonly RunRecord[]): string[] {
  const names = axes.flatMap((axis) => axis.names);
  return [...names, ...(records.some(({ variant }) => variant !== records[0]!.variant) ? ["variant"] : [])];
}

function chooseBy({ analysis }: Shape, varying: readonly string[]): string[] {
  const declared = Object.keys(analysis.baseline ?? {}).filter((name) => varying.includes(name));
  if (declared.length > 0) return declared;
  const named = varying.find((name) => COMPARED.test(name));
  const first = named ?? (varying.includes("variant") ? "variant" : varying[0]);
  return first === undefined ? [] : [first];
}

function baseVariant({ variants }: Shape, records: readonly RunRecord[]): string {
  const there = new Set(records.map(({ variant }) => variant));
  const planned = variants.map(({ name }) => name).filter((name) => there.has(name));
  return planned.find((name) => name === "baseline") ?? planned[0] ?? records[0]!.variant;
}

/** As many of the other factors as give panels enough to look at. */
function chooseFacets(rest: readonly string[], records: readonly RunRecord[]): string[] {
  const chosen: string[] = [];
  for (const name of rest) {
    const facets = new Set(records.map((record) => facetOf(record, { facetBy: [...chosen, name] })));
    if (facets.size <= MOST_FACETS) chosen.push(name);
  }
  return chosen;
}

/** Where a study pairs by task alone, its seeds are tries at a task. */
function unitOf(records: readonly RunRecord[], pairBy: readonly string[] = []): Layout["unit"] {
  const [first] = records;
  const isByTask = pairBy.includes("task") && !pairBy.includes("seed");
  if (first && isByTask && records.some(({ task }) => task !== first.task)) return "task";
  if (!first || records.some(({ seed }) => seed !== first.seed)) return "seed";
  if (records.some(({ task }) => task !== first.task)) return "task";
  return records.some(({ repeat }) => repeat !== first.repeat) ? "repeat" : "seed";
}

/** The values of a factor as the study file orders them; values that it doesn't have come after. */
function valuesOf(name: string, { axes, variants }: Shape, records: readonly RunRecord[]): string[] {
  const axis = axes.find(({ names }) => names.includes(name));
  const planned = axis
    ? axis.rows.map((row) => wordOf(row[axis.names.indexOf(name)]))
    : variants.map((variant) => variant.name);
  const there = new Set(records.map((record) => wordOf(factorOf(record, name))));
  return [...new Set([...planned.filter((word) => there.has(word)), ...there])];
}

function inOrder(
  records: readonly RunRecord[],
  names: readonly string[],
  values: ReadonlyMap<string, string[]>,
  isFacet = false,
): string[] {
  const found = new Map<string, number[]>();
  for (const record of records) {
    const pick = (name: string) => factorOf(record, name);
    const key = isFacet ? facetName(names, pick) : nameOf(names, pick);
    if (!found.has(key))
      found.set(
        key,
        names.map((name) => values.get(name)!.indexOf(wordOf(pick(name)))),
      );
  }
  return [...found]
    .sort(([, a], [, b]) => {
      const at = a.findIndex((rank, i) => rank !== b[i]);
      return at < 0 ? 0 : a[at]! - b[at]!;
    })
    .map(([key]) => key);
}

function nameOf(by: readonly string[], pick: (name: string) => Value | undefined): string {
  if (by.length === 0) return "all runs";
  const value = by.length === 1 ? pick(by[0]!) : undefined;
  // A text says what it is; "0.4" does not.
  return typeof value === "string" ? value : facetName(by, pick);
}

function facetName(names: readonly string[], pick: (name: string) => Value | undefined): string {
  return names.map((name) => `${name}=${wordOf(pick(name))}`).join(", ");
}

function factorOf({ variant, params }: RunRecord, name: string): Value | undefined {
  return name === "variant" ? variant : Object.hasOwn(params, name) ? params[name] : undefined;
}

function wordOf(value: Value | undefined): string {
  return typeof value === "string" ? value : value === undefined ? "(none)" : JSON.stringify(value);
}
