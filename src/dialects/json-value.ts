import * as z from "zod";
import type { Value } from "../core/params.ts";

/** Any value that JSON can say. (zod's own recursive schema costs 40 ms at every start.) */
export const jsonValue = z.custom<Value>(isJson, {
  error: "a text, a number, true, false, null, a list or named values",
});

function isJson(value: unknown): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return false;
  if (Array.isArray(value)) return value.every(isJson);
  const prototype = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isJson);
}
