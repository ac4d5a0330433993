import { canonicalJson } from "./hash.ts";
import type { Axis } from "./study.ts";

export type Scalar = string | number | boolean | null;
export type Value = Scalar | Value[] | { [key: string]: Value };
/** Named values that a target is called with. Only what JSON can say. */
export type Params = Record<string, Value>;

/** Whether two values are the same JSON, whatever the order of their keys. */
export function sameValue(a: Value | undefined, b: Value | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const keysA = Object.keys(a);
  if (Array.isArray(a) !== Array.isArray(b) || keysA.length !== Object.keys(b).length) return false;
  const left = a as Record<string, Value>;
  const right = b as Record<string, Value>;
  return keysA.every((key) => Object.hasOwn(right, key) && sameValue(left[key], right[key]));
}

/** A value in a word: an object by its own name where it has one, a list or another object as JSON. */
export function nameOf(value: Value): string {
  if (typeof value !== "object" || value === null) return String(value);
  return ownName(value) ?? JSON.stringify(value);
}

/** What an object calls itself: its `name`, or the `preset` that it starts from. */
export function ownName(value: object): string | undefined {
  const { name, preset } = value as { name?: unknown; preset?: unknown };
  return [name, preset].find((one) => typeof one === "string") as string | undefined;
}

/** The place of the first item that is there before; undefined where all differ. */
export function firstRepeated(items: readonly unknown[]): number | undefined {
  const seen = new Set<unknown>();
  for (let i = 0; i < items.length; i++) {
    if (seen.has(items[i])) return i;
    seen.add(items[i]);
  }
  return undefined;
}

/** The same for the values of an axis, which are equal when their JSON is. */
export function repeatedRow({ rows }: Axis): number | undefined {
  return firstRepeated(rows.map((row) => canonicalJson(row)));
}

/** The same for seeds, of which there may be millions, mostly in order. */
export function repeatedSeed(seeds: readonly number[]): number | undefined {
  const isRising = seeds.every((seed, i) => i === 0 || seed > seeds[i - 1]!);
  return isRising ? undefined : firstRepeated(seeds);
}
