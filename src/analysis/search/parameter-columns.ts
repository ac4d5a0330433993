import { canonicalJson } from "../../core/hash.ts";
import type { Params, Value } from "../../core/params.ts";
import type { SpaceParameter } from "../../core/space.ts";

/** One searched parameter over all points, for forests and charts. */
export interface ParameterColumn {
  name: string;
  /** Categories have no order; their values are numbers of `labels`. */
  kind: "number" | "category";
  scale: "linear" | "log";
  /** What the space allows, or where it has no bounds what was tried. */
  domain: [number, number];
  labels: string[];
  /** null where the parameter is inactive: a value of its own. */
  values: (number | null)[];
}

/** The parameters that differ between the points; constants, and what only ever took one value, are left out. */
export function parameterColumns(
  space: readonly SpaceParameter[],
  points: readonly { params: Params }[],
): ParameterColumn[] {
  return space
    .map((parameter) => columnOf(parameter, points))
    .filter(({ values }) => values.some((value) => value !== values[0]));
}

function columnOf(parameter: SpaceParameter, points: readonly { params: Params }[]): ParameterColumn {
  const { name, distribution } = parameter;
  const raw = points.map(({ params }) => (Object.hasOwn(params, name) ? params[name] : undefined));
  const there = raw.filter((value) => value !== undefined);
  const listed = distribution.kind === "categorical" ? distribution.values : [];
  const isNumber = [...there, ...listed].every((value) => typeof value === "number");
  if (!isNumber) return categoryColumn(name, raw, listed);
  const values = raw.map((value) => (value === undefined ? null : (value as number)));
  const seen = [...(there as number[]), ...(listed as number[])];
  const bounds = "min" in distribution ? [distribution.min, distribution.max] : [];
  const domain = extentOf([...seen, ...bounds]);
  const isLog = "scale" in distribution && distribution.scale !== "linear" && domain[0] > 0;
  return { name, kind: "number", scale: isLog ? "log" : "linear", domain, labels: [], values };
}

function categoryColumn(
  name: string,
  raw: readonly (Value | undefined)[],
  listed: readonly Value[],
): ParameterColumn {
  const labels = new Map<string, string>();
  const keys = raw.map((value) => (value === undefined ? null : canonicalJson(value)));
  const seen = new Set(keys);
  for (const value of [...listed, ...raw]) {
    if (value === undefined) continue;
    const key = canonicalJson(value);
    if (seen.has(key) && !labels.has(key)) labels.set(key, typeof value === "string" ? value : key);
  }
  const order = new Map([...labels.keys()].map((key, i) => [key, i]));
  return {
    ...{ name, kind: "category", scale: "linear", labels: [...labels.values()] },
    domain: [0, Math.max(0, labels.size - 1)],
    values: keys.map((key) => (key === null ? null : order.get(key)!)),
  };
}

function extentOf(values: readonly number[]): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 1];
}
