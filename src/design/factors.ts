import { canonicalJson } from "../core/hash.ts";
import { ownName, type Value } from "../core/params.ts";
import type { RunRecord } from "../core/run.ts";
import type { Study } from "../core/study.ts";

/** What of a run says where it stands. */
export type Placement = Pick<RunRecord, "params" | "variant" | "seed" | "task" | "repeat">;

/** Of a study, what says which runs it has and how they are judged. */
export type Shape = Pick<Study, "axes" | "variants" | "analysis"> & Partial<Pick<Study, "order">>;

/** The level of a factor that takes no part in a run: an axis whose `when:` does not hold. */
export const ABSENT = "\0absent";

/** Longer texts, such as prompts, make no name. */
const LONGEST_WORD = 60;

/** Something that runs differ in: an axis' parameter, the variant. */
export interface Factor {
  name: string;
  /** Its levels among the runs, in the order of the study file; ABSENT among them where some runs lack it. */
  levels: string[];
  isNumeric: boolean;
  /** What each level is called: short, and never raw JSON. */
  words: ReadonlyMap<string, string>;
}

/** A run's value of a parameter, or its variant, seed, task or repeat. */
function factorOf(run: Placement, name: string): Value | undefined {
  if (name === "variant") return run.variant;
  if (name === "seed") return run.seed;
  if (name === "repeat") return run.repeat;
  if (name === "task" && run.task !== null) return run.task;
  return Object.hasOwn(run.params, name) ? run.params[name] : undefined;
}

/** Two runs have the same level exactly where they have the same value. */
export function levelOf(run: Placement, name: string): string {
  return levelText(factorOf(run, name));
}

export function levelText(value: Value | undefined): string {
  if (value === undefined) return ABSENT;
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? canonicalJson(value) : String(value);
}

/** What varies among the runs: of a study its axes and variants, of runs without one whatever differs. */
export function factorsOf(study: Shape | undefined, runs: readonly Placement[]): Factor[] {
  const names = study ? study.axes.flatMap((axis) => axis.names) : parameterNames(runs);
  return [...names, "variant"]
    .map((name) => factorNamed(name, study, runs))
    .filter(({ levels }) => levels.length > 1);
}

export function factorNamed(name: string, study: Shape | undefined, runs: readonly Placement[]): Factor {
  const values = new Map<string, Value | undefined>();
  for (const value of plannedValues(name, study)) values.set(levelText(value), value);
  const there = new Set<string>();
  for (const run of runs) {
    const value = factorOf(run, name);
    const level = levelText(value);
    there.add(level);
    if (!values.has(level)) values.set(level, value);
  }
  const levels = [...values.keys()].filter((level) => there.has(level));
  const present = levels.filter((level) => level !== ABSENT);
  return {
    name,
    levels,
    isNumeric: present.length > 0 && present.every((level) => typeof values.get(level) === "number"),
    words: wordsOf(new Map(levels.map((level) => [level, values.get(level)]))),
  };
}

function plannedValues(name: string, study: Shape | undefined): Value[] {
  if (name === "variant") return study?.variants.map((variant) => variant.name) ?? [];
  const axis = study?.axes.find(({ names }) => names.includes(name));
  return axis ? axis.rows.map((row) => row[axis.names.indexOf(name)]!) : [];
}

function parameterNames(runs: readonly Placement[]): string[] {
  const names = new Set<string>();
  for (const { params } of runs) for (const name in params) names.add(name);
  return [...names];
}

/** A word for each level; where short words would be alike, longer ones. */
export function wordsOf(values: ReadonlyMap<string, Value | undefined>): Map<string, string> {
  const levels = [...values.keys()];
  for (const shorten of [nameOf, differences, flatten]) {
    const words = levels.map((level) => clip(shorten(values.get(level), [...values.values()])));
    if (new Set(words).size === words.length && words.every((word) => word !== ""))
      return new Map(levels.map((level, i) => [level, words[i]!]));
  }
  return new Map(levels.map((level, i) => [level, `${clip(flatten(values.get(level)))} (${i + 1})`]));
}

function clip(word: string): string {
  const line = word.replaceAll(/\s+/g, " ").trim();
  return line.length <= LONGEST_WORD ? line : `${line.slice(0, LONGEST_WORD - 1)}…`;
}

/** A scalar as it is, an object by its own name, a command by its first words. */
function nameOf(value: Value | undefined): string {
  if (value === undefined) return "(none)";
  if (Array.isArray(value)) return value.slice(0, 2).map(flatten).join(" ");
  if (typeof value !== "object" || value === null) return String(value);
  return ownName(value) ?? "";
}

/** Of objects, only the entries in which they differ. */
function differences(value: Value | undefined, all: readonly (Value | undefined)[] = []): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return flatten(value);
  const objects = all.filter((one) => typeof one === "object" && one !== null && !Array.isArray(one));
  const differing = Object.keys(value).filter(
    (key) => new Set(objects.map((one) => levelText((one as Record<string, Value>)[key]))).size > 1,
  );
  return differing.map((key) => `${key} ${flatten(value[key])}`).join(" ");
}

function flatten(value: Value | undefined): string {
  if (value === undefined) return "(none)";
  if (Array.isArray(value)) return value.map(flatten).join(" ");
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([key, part]) => `${key} ${flatten(part)}`)
    .join(" ");
}
