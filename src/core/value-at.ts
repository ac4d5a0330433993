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
