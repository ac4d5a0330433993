import { canonicalJson } from "../core/hash.ts";
import type { RunRecord } from "../core/run.ts";
import type { StudyFile } from "../core/study-folder.ts";

/** What one side of a comparison was measured with, besides its code. */
export interface Circumstances {
  /** Which state of the code; comparing two is a question by itself. */
  code: string;
  machine: Record<string, unknown>;
  setup: Record<string, unknown>;
  /** By name, the values that its runs have. */
  params: Record<string, readonly string[]>;
}

/** Something that differs between the sides and was not asked about: a rival cause of what is found. */
export interface Confounder {
  what: string;
  /** Of each side, in their order. */
  values: string[];
}

/** A newer node has another v8: that is one difference. */
const IMPLIED: Record<string, string> = { v8: "node", memoryBytes: "hostname", platform: "os" };
const NONE = "none";

/**
 * What differs between sides that were measured apart. Of code that differs, or else of a single parameter, the comparison
 * itself asks; everything beyond that may be the cause as well.
 */
export function confoundersOf(sides: readonly Circumstances[]): Confounder[] {
  if (sides.length < 2) return [];
  const machine = differing(sides.map((side) => texts(side.machine)));
  const around = machine.filter(({ what }) => !machine.some((other) => other.what === IMPLIED[what]));
  const setup = differing(sides.map((side) => texts(side.setup)));
  const params = apart(sides);
  const isCode = new Set(sides.map(({ code }) => code)).size > 1;
  return [...around, ...setup, ...(!isCode && params.length === 1 ? [] : params)];
}

function differing(sides: readonly Record<string, string>[]): Confounder[] {
  const names = new Set(sides.flatMap((side) => Object.keys(side)));
  return [...names]
    .map((what) => ({ what, values: sides.map((side) => side[what] ?? NONE) }))
    .filter(({ values }) => new Set(values).size > 1);
}

/** Parameters of which a side has no value in common with the first: shared values pair. */
function apart(sides: readonly Circumstances[]): Confounder[] {
  const [first, ...rest] = sides;
  const names = new Set(sides.flatMap(({ params }) => Object.keys(params)));
  return [...names]
    .filter((name) => {
      const known = new Set(first!.params[name] ?? [NONE]);
      return rest.some(({ params }) => !(params[name] ?? [NONE]).some((value) => known.has(value)));
    })
    .map((what) => ({ what, values: sides.map(({ params }) => (params[what] ?? [NONE]).join(", ")) }));
}

function texts(facts: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      typeof value === "string" ? value : (JSON.stringify(value) ?? NONE),
    ]),
  );
}

/** Of a study and the runs that are compared. */
export function circumstancesOf(
  { environment, program, study }: StudyFile,
  records: readonly RunRecord[],
): Circumstances {
  const { iterations, limits } = study;
  const params: Record<string, Set<string>> = {};
  for (const record of records) {
    for (const [key, value] of Object.entries(record.params)) {
      params[key] ??= new Set();
      params[key].add(typeof value === "string" ? value : canonicalJson(value));
    }
  }
  return {
    ...{ code: program, machine: environment },
    setup: { iterations, timeoutMs: limits.timeoutMs },
    params: Object.fromEntries(Object.entries(params).map(([key, values]) => [key, [...values].sort()])),
  };
}
