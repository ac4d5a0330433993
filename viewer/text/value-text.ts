import type { Value } from "../../src/core/params.ts";

/** A parameter's value as one would write it. */
export function valueText(value: Value | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
