import type { Params, Value } from "./params.ts";
import type { SpaceParameter } from "./space.ts";

/** Flat values by parameter name, put where a run's parameters have them. */
export function nestParams(point: Params, space: readonly SpaceParameter[]): Params {
  const nested: Params = {};
  for (const { name, path } of space) {
    const value = point[name];
    if (value === undefined) continue;
    let at: Record<string, Value> = nested;
    for (const key of path.slice(0, -1)) {
      if (!Object.hasOwn(at, key)) define(at, key, {});
      at = at[key] as Record<string, Value>;
    }
    define(at, path.at(-1)!, value);
  }
  return nested;
}

/** The other way round: what a run's parameters say of the searched ones. */
export function flattenParams(params: Params, space: readonly SpaceParameter[]): Params {
  const flat: Params = {};
  for (const { name, path } of space) {
    let at: Value | undefined = params;
    for (const key of path)
      at =
        typeof at === "object" && at !== null && !Array.isArray(at) && Object.hasOwn(at, key)
          ? at[key]
          : undefined;
    if (at !== undefined) define(flat, name, at);
  }
  return flat;
}

/** A key named __proto__ is a key like any other. */
function define(object: Record<string, Value>, key: string, value: Value): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** The number at a path of keys; undefined where there is none. */
export function numberAt(value: unknown, ...keys: string[]): number | undefined {
  const found = valueAt(value, ...keys);
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

export function valueAt(value: unknown, ...keys: string[]): unknown {
  let found = value;
  for (const key of keys)
    found = typeof found === "object" && found !== null ? (found as Record<string, unknown>)[key] : undefined;
  return found;
}
