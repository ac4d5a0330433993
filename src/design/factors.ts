import { UserError } from "../core/errors.ts";
import { parseExpression } from "../core/expression.ts";
import { canonicalJson } from "../core/hash.ts";
import { ownName, type Value } from "../core/params.ts";
import type { RunRecord } from "../core/run.ts";
import type { Study } from "../core/study.ts";
import { suggestion } from "../core/suggest.ts";

/** What of a run says where it stands. */
export type Placement = Pick<RunRecord, "params" | "variant" | "seed" | "task" | "repeat">;

/** Of a study, what says which runs it has and how they are judged. */
export type Shape = Pick<Study, "axes" | "variants" | "analysis"> &
  Partial<Pick<Study, "order" | "easiness">>;

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

/** More of one factor are counted. */
const MOST_LISTED = 4;

/** What the study plans and no run has, in words: "arm new", "rate 0.1, 0.3". */
export function absentLevels(study: Shape | undefined, runs: readonly Placement[]): string[] {
  const names = [...(study?.axes ?? []).map((axis) => axis.names[0]!), "variant"];
  return names.flatMap((name) => {
    const planned = new Map(plannedValues(name, study).map((value) => [levelText(value), value]));
    const words = wordsOf(planned);
    for (const run of runs) planned.delete(levelOf(run, name));
    const absent = [...planned.keys()].map((level) => words.get(level)!);
    if (absent.length === 0) return [];
    const rest = absent.length > MOST_LISTED ? ` and ${absent.length - MOST_LISTED} more` : "";
    return [`${name} ${absent.slice(0, MOST_LISTED).join(", ")}${rest}`];
  });
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

/** A column, or the part of it that a pattern finds: `experiment~^(.+?)-agent`. */
export interface Column {
  name: string;
  /** What the pattern's first group (or the whole match) is; "" where it does not match. */
  of(text: string): string;
  /** The same for people, with the column's name where the value alone says little. */
  label(text: string): string;
}

/** Reads a column's name with an optional pattern; the name must be known. */
export function columnOf(spec: string, known: readonly string[], option: string): Column {
  const tilde = known.includes(spec) ? -1 : spec.indexOf("~");
  const name = tilde < 0 ? spec : spec.slice(0, tilde);
  if (!known.includes(name)) {
    throw new UserError(`${option} ${name}`, {
      expected: `one of ${known.slice(0, 30).join(", ")}`,
      remedy: suggestion(name, known),
    });
  }
  if (tilde < 0) return { name, of: (text) => text, label: (text) => `${name} ${text}` };
  const pattern = patternOf(spec.slice(tilde + 1), option);
  const seen = new Map<string, string>();
  const of = (text: string): string => {
    let found = seen.get(text);
    if (found === undefined) {
      const match = pattern.exec(text);
      found = match ? (match[1] ?? match[0]) : "";
      seen.set(text, found);
    }
    return found;
  };
  return { name, of, label: of };
}

function patternOf(source: string, option: string): RegExp {
  try {
    return new RegExp(source);
  } catch {
    throw new UserError(`${option}: "${source}" is no regular expression`);
  }
}

/** Columns whose names need no check. */
export function columnsOf(specs: readonly string[]): Column[] {
  return specs.map((spec) => columnOf(spec, [spec.split("~")[0]!, spec], "--by"));
}

/** What runs can be told apart by. */
export function knownNames(records: readonly RunRecord[]): string[] {
  const names = new Set(["seed", "variant", "task", "repeat"]);
  for (const { params } of records) for (const name in params) names.add(name);
  return [...names];
}

export function checkName(name: string, known: readonly string[]): void {
  if (!known.includes(name))
    throw new UserError(`there is no parameter "${name}"`, {
      expected: "a parameter, variant or task",
      remedy: suggestion(name, known),
    });
}

/** The runs for which a condition of the user's holds. */
export function chooseRuns(
  all: readonly RunRecord[],
  where: string | undefined,
  known: readonly string[],
): readonly RunRecord[] {
  if (where === undefined) return all;
  const condition = parseExpression(where, known);
  return all.filter(({ params, variant, seed, task, repeat }) =>
    condition.holds({ ...params, variant, seed, task, repeat }),
  );
}
