import { BrokenTrajectory } from "./reader.ts";

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of an own key: what a file calls `constructor` or `__proto__` is data as any other. */
export function field(value: unknown, key: string, ...path: string[]): unknown {
  let at = own(value, key);
  for (let i = 0; i < path.length; i++) at = own(at, path[i]!);
  return at;
}

function own(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function textAt(value: unknown, key: string, ...path: string[]): string | null {
  const found = field(value, key, ...path);
  return typeof found === "string" ? found : null;
}

/** A count or an amount; anything else is as good as absent. */
export function numberAt(value: unknown, key: string, ...path: string[]): number | undefined {
  const found = field(value, key, ...path);
  return typeof found === "number" && Number.isFinite(found) && found >= 0 ? found : undefined;
}

export function booleanAt(value: unknown, key: string, ...path: string[]): boolean | undefined {
  const found = field(value, key, ...path);
  return typeof found === "boolean" ? found : undefined;
}

export function listAt(value: unknown, key: string): unknown[] | undefined {
  const found = field(value, key);
  return Array.isArray(found) ? found : undefined;
}

/** A list whose items must be objects: a file with others in it is broken, and says where. */
export function objectsAt(value: unknown, key: string): JsonObject[] {
  return asObjects(listAt(value, key) ?? [], key);
}

export function asObjects(list: readonly unknown[], name: string): JsonObject[] {
  const wrong = list.findIndex((item) => !isObject(item));
  if (wrong >= 0)
    throw new BrokenTrajectory(`${name}[${wrong}]: expected an object, got ${kindOf(list[wrong])}`);
  return list as JsonObject[];
}

/** A text, or the texts of a list of parts. */
export function contentText(content: unknown): string | null {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return null;
  const texts = content.flatMap((part) => {
    const text = typeof part === "string" ? part : textAt(part, "text");
    return text === null ? [] : [text];
  });
  return texts.length === 0 ? null : texts.join("\n");
}

/** Without the keys whose values are unknown. */
export function known<T extends object>(facts: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const found: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const key in facts) {
    const value = facts[key];
    if (value !== undefined) found[key] = value as Exclude<T[typeof key], undefined>;
  }
  return found;
}

export function isNone(facts: object): boolean {
  for (const _ in facts) return false;
  return true;
}

/** The sum; unknown as soon as one part is, or where there is none. */
export function sumOf(values: readonly (number | undefined)[]): number | undefined {
  if (values.length === 0) return undefined;
  let sum = 0;
  for (const value of values) {
    if (value === undefined) return undefined;
    sum += value;
  }
  return sum;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
