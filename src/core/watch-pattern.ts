import type { Params } from "./params.ts";

const NAMED = /\$\{([^}]*)\}/g;

/** What a watched path names of a run: `configs/${model}.json` names the parameter `model`. */
export function namesInPattern(path: string): string[] {
  return [...path.matchAll(NAMED)].map(([, name]) => name!);
}

/** The path for one run; undefined where the run has no such parameter. */
export function fillPattern(path: string, values: Params): string | undefined {
  let isWhole = true;
  const filled = path.replace(NAMED, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : null;
    isWhole &&= value !== null && value !== undefined;
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  });
  return isWhole ? filled : undefined;
}
