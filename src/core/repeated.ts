import { canonicalJson } from "./hash.ts";
import type { Axis } from "./study.ts";

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
