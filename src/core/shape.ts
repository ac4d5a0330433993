/** What is wrong with a value that was read from a file, such as `seed: expected a number, got "x"`; undefined where nothing is. */
export interface Shape {
  (value: unknown): string | undefined;
  /** The same as JSON Schema, as far as that can say it; absent where it can't. */
  schema?: JsonSchema;
}

export type JsonSchema = Record<string, unknown>;

/** A check that also says what it asks for as JSON Schema. */
export function withSchema(check: (value: unknown) => string | undefined, schema: JsonSchema): Shape {
  return Object.assign((value: unknown) => check(value), { schema });
}

const MOST_SHOWN = 60;

/** The value, if it has the shape: for files that may be damaged and can be done without. */
export function fitting<T>(value: unknown, shape: Shape): T | undefined {
  return value !== undefined && shape(value) === undefined ? (value as T) : undefined;
}

function expecting(what: string, isFine: (value: unknown) => boolean, schema: JsonSchema): Shape {
  return withSchema((value) => (isFine(value) ? undefined : `expected ${what}, got ${shown(value)}`), schema);
}

function schemaOf({ schema = {} }: Shape): JsonSchema {
  return schema;
}

export const text: Shape = expecting("a text", (value) => typeof value === "string", { type: "string" });
export const number: Shape = expecting("a number", (value) => typeof value === "number", { type: "number" });
export const anything: Shape = () => undefined;

export function oneOf(words: readonly string[]): Shape {
  const known = new Set<unknown>(words);
  return expecting(`one of ${words.join(", ")}`, (value) => known.has(value), { enum: words });
}

/** It may also be absent. */
export function optional(shape: Shape): Shape {
  return withSchema((value) => (value === undefined ? undefined : shape(value)), schemaOf(shape));
}

export function orNull(shape: Shape): Shape {
  return withSchema((value) => (value === null ? undefined : shape(value)), {
    anyOf: [schemaOf(shape), { type: "null" }],
  });
}

/** It has one of several shapes. */
export function eitherOf(...shapes: Shape[]): Shape {
  const check = (value: unknown) => {
    const problems = shapes.map((shape) => shape(value));
    return problems.includes(undefined) ? undefined : problems.at(-1);
  };
  return withSchema(check, { anyOf: shapes.map(schemaOf) });
}

export function listOf(shape: Shape): Shape {
  const check = (value: unknown) => {
    if (!Array.isArray(value)) return `expected a list, got ${shown(value)}`;
    for (let i = 0; i < value.length; i++) {
      const problem = shape(value[i]);
      if (problem !== undefined) return within(String(i), problem);
    }
    return undefined;
  };
  return withSchema(check, { type: "array", items: schemaOf(shape) });
}

/** An object whose keys are anybody's. */
export function tableOf(shape: Shape): Shape {
  const check = (value: unknown) => {
    if (!isObject(value)) return `expected an object, got ${shown(value)}`;
    for (const key in value) {
      const problem = shape(value[key]);
      if (problem !== undefined) return within(key, problem);
    }
    return undefined;
  };
  return withSchema(check, { type: "object", additionalProperties: schemaOf(shape) });
}

/** An object that has these keys; others are none of our business: later versions add some. */
export function objectWith(keys: Record<string, Shape>): Shape {
  const shapes = Object.entries(keys);
  const check = (value: unknown) => {
    if (!isObject(value)) return `expected an object, got ${shown(value)}`;
    for (const [key, shape] of shapes) {
      const problem = shape(value[key]);
      if (problem !== undefined) return within(key, problem);
    }
    return undefined;
  };
  return withSchema(check, {
    type: "object",
    properties: Object.fromEntries(shapes.map(([key, shape]) => [key, schemaOf(shape)])),
    // What fits nothing at all may be absent.
    required: shapes.filter(([, shape]) => shape(undefined) !== undefined).map(([key]) => key),
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function within(key: string, problem: string): string {
  return problem.startsWith("expected ") ? `${key}: ${problem}` : `${key}.${problem}`;
}

function shown(value: unknown): string {
  const json = value === undefined ? "nothing" : JSON.stringify(value);
  return json.length > MOST_SHOWN ? `${json.slice(0, MOST_SHOWN)}...` : json;
}
