/** What is wrong with a value that was read from a file, such as `seed: expected a number, got "x"`; undefined where nothing is. */
export type Shape = (value: unknown) => string | undefined;

const MOST_SHOWN = 60;

/** The value, if it has the shape: for files that may be damaged and can be done without. */
export function fitting<T>(value: unknown, shape: Shape): T | undefined {
  return value !== undefined && shape(value) === undefined ? (value as T) : undefined;
}

function expecting(what: string, isFine: (value: unknown) => boolean): Shape {
  return (value) => (isFine(value) ? undefined : `expected ${what}, got ${shown(value)}`);
}

export const text: Shape = expecting("a text", (value) => typeof value === "string");
export const number: Shape = expecting("a number", (value) => typeof value === "number");
export const anything: Shape = () => undefined;

export function oneOf(words: readonly string[]): Shape {
  const known = new Set<unknown>(words);
  return expecting(`one of ${words.join(", ")}`, (value) => known.has(value));
}

/** It may also be absent. */
export function optional(shape: Shape): Shape {
  return (value) => (value === undefined ? undefined : shape(value));
}

export function orNull(shape: Shape): Shape {
  return (value) => (value === null ? undefined : shape(value));
}

export function listOf(shape: Shape): Shape {
  return (value) => {
    if (!Array.isArray(value)) return `expected a list, got ${shown(value)}`;
    for (let i = 0; i < value.length; i++) {
      const problem = shape(value[i]);
      if (problem !== undefined) return within(String(i), problem);
    }
    return undefined;
  };
}

/** An object whose keys are anybody's. */
export function tableOf(shape: Shape): Shape {
  return (value) => {
    if (!isObject(value)) return `expected an object, got ${shown(value)}`;
    for (const key in value) {
      const problem = shape(value[key]);
      if (problem !== undefined) return within(key, problem);
    }
    return undefined;
  };
}

/** An object that has these keys; others are none of our business: later versions add some. */
export function objectWith(keys: Record<string, Shape>): Shape {
  const shapes = Object.entries(keys);
  return (value) => {
    if (!isObject(value)) return `expected an object, got ${shown(value)}`;
    for (const [key, shape] of shapes) {
      const problem = shape(value[key]);
      if (problem !== undefined) return within(key, problem);
    }
    return undefined;
  };
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
