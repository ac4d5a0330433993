import type { ZodType } from "zod";
import * as z from "zod";
import { type Place, UserError } from "../core/errors.ts";
import { clearestIssue, explainIssue, shownValue } from "../core/explain-issue.ts";
import { firstRepeated, repeatedRow, repeatedSeed, type Value } from "../core/params.ts";
import type { Matrix } from "../core/study.ts";
import { suggestion } from "../core/suggest.ts";
import type { Declared, Dialect, Paths } from "./dialect.ts";
import type { Path, SourceFile } from "./source-file.ts";

/** Any value that JSON can say. (zod's own recursive schema costs 40 ms at every start.) */
export const jsonValue = z.custom<Value>(isJson, {
  error: "a text, a number, true, false, null, a list or named values",
});

/** A schema that is made when it is first needed: a start that reads one kind of file needs no other's, and they take a while. */
export function late<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

type Issue = z.core.$ZodIssue;

/** The file's data in the shape of a schema; else one message with place, expected, got and remedy. */
export function checkShape<S extends ZodType>(schema: S, file: SourceFile): z.output<S> {
  const result = schema.safeParse(file.data);
  if (result.success) return result.data;
  throw shapeError(clearestIssue(result.error.issues)!, {
    data: file.data,
    keysAt: (path) => keysOf(schema, path),
    place: (path) => file.locate(path),
  });
}

interface Setting {
  data: unknown;
  keysAt(path: (string | number)[]): string[];
  place(path: (string | number)[]): ReturnType<SourceFile["locate"]>;
}

/** Turns an issue of zod's into the project's form of a mistake. */
function shapeError(issue: Issue, { data, keysAt, place }: Setting): UserError {
  const path = issue.path.map((key) => (typeof key === "symbol" ? String(key) : key));
  if (issue.code === "unrecognized_keys") {
    const key = issue.keys[0]!;
    return new UserError(`unknown key "${key}"`, {
      place: place([...path, key]),
      remedy: suggestion(key, keysAt(path)),
    });
  }
  if (issue.code === "invalid_union") {
    const branch = deepest(issue);
    if (branch)
      return shapeError({ ...branch, path: [...issue.path, ...branch.path] }, { data, keysAt, place });
  }
  const got = valueAt(data, path);
  return new UserError("", {
    place: place(path),
    expected: explainIssue(issue),
    got: got === undefined ? "nothing" : shownValue(got),
    ...(issue.code === "custom" && issue.params?.remedy && { remedy: String(issue.params.remedy) }),
  });
}

/** Of a union's branches, the issue that got furthest into the value and knows most of its keys: what was meant. */
function deepest(issue: Extract<Issue, { code: "invalid_union" }>): Issue | undefined {
  let best: Issue | undefined;
  let depth = 0;
  let fewest = 0;
  for (const issues of issue.errors) {
    const first = clearestIssue(issues);
    const strays = first?.code === "unrecognized_keys" ? first.keys.length : 0;
    const reached = first ? first.path.length + Number(strays > 0) : 0;
    if (reached > depth || (reached === depth && strays < fewest))
      [best, depth, fewest] = [first, reached, strays];
  }
  return best;
}

function valueAt(data: unknown, path: (string | number)[]): unknown {
  let value = data;
  for (const key of path) value = (value as Record<string | number, unknown> | null | undefined)?.[key];
  return value;
}

/** The keys that an object schema knows at a path, seen through unions, defaults and options. */
function keysOf(schema: unknown, path: (string | number)[]): string[] {
  const found = new Set<string>();
  visit(schema as SchemaNode, path, found);
  return [...found];
}

interface SchemaNode {
  _zod?: { def: Record<string, unknown> & { type: string } };
}

function visit(schema: SchemaNode | undefined, path: (string | number)[], found: Set<string>): void {
  const def = schema?._zod?.def;
  if (!def) return;
  const inner = (def.innerType ?? def.in) as SchemaNode | undefined;
  if (inner) visit(inner, path, found);
  for (const option of (def.options as SchemaNode[] | undefined) ?? []) visit(option, path, found);
  if (def.type === "object") {
    const shape = def.shape as Record<string, SchemaNode>;
    if (path.length === 0) for (const key of Object.keys(shape)) found.add(key);
    else visit(shape[String(path[0])], path.slice(1), found);
  }
  if (path.length > 0) {
    if (def.type === "array") visit(def.element as SchemaNode, path.slice(1), found);
    if (def.type === "record") visit(def.valueType as SchemaNode, path.slice(1), found);
  }
}

/** Where the parts of a study stand in its file, for messages. */
export interface Places {
  at(path: Path): Place;
  target(): Place;
  /** Of a parameter, or of what is nested in it. */
  param(name: string, ...below: string[]): Place;
  /** By a path below `search:` of a native file. */
  search(...path: string[]): Place;
}

/** Of a study that comes from no file. */
export const NOWHERE: Places = {
  at: () => ({}),
  target: () => ({}),
  param: () => ({}),
  search: () => ({}),
};

const NATIVE: Paths = {
  target: ["target"],
  param: (name, { study: { axes, params, search } }) => {
    if (search?.space.some((parameter) => parameter.name === name)) return ["search", "space", name];
    if (axes.some(({ names }) => names.includes(name))) return ["matrix", name];
    return name in params ? ["params", name] : ["variants"];
  },
  search: (path) => ["search", ...path],
};

export function placesIn(declared: Declared, dialect: Dialect): Places {
  const { file } = declared;
  const paths = { ...NATIVE, ...dialect.paths };
  return {
    at: (path) => file.locate(path),
    target: () => file.locate(paths.target),
    param: (name, ...below) => file.locate([...paths.param(name, declared), ...below]),
    search: (...path) => file.locate(paths.search(path)),
  };
}

/** What is listed twice would be a run that exists twice: refused, since one of the two is a slip. */
export function checkRepeats({ axes, seeds, variants }: Matrix, file: SourceFile): void {
  for (const axis of axes) {
    const { names, rows } = axis;
    const twice = repeatedRow(axis);
    if (twice === undefined) continue;
    const row = rows[twice]!;
    throw new UserError(`${shownValue(row.length === 1 ? row[0] : row)} is listed twice`, {
      place: file.locate(names.length === 1 ? ["matrix", names[0]!] : ["zip"]),
      remedy: "Remove one; to repeat a measurement use seeds: or repeats:.",
    });
  }
  const seedTwice = repeatedSeed(seeds);
  if (seedTwice !== undefined) {
    throw new UserError(`seed ${seeds[seedTwice]} is listed twice`, {
      place: file.locate("seeds" in file.data ? ["seeds"] : ["matrix", "seeds"]),
      remedy: "Remove one; to repeat a seed use repeats:.",
    });
  }
  const variantTwice = firstRepeated(variants.map(({ name }) => name));
  if (variantTwice !== undefined) {
    const path = "variants" in file.data ? ["variants"] : ["matrix", "ablations"];
    throw new UserError(`the name "${variants[variantTwice]!.name}" is given twice`, {
      place: file.locate([...path, variantTwice]),
      remedy: "Give each its own name.",
    });
  }
}

function isJson(value: unknown): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return false;
  if (Array.isArray(value)) return value.every(isJson);
  const prototype = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isJson);
}
