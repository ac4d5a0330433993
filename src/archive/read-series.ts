import { readText } from "../host/files.ts";

/** One metric along a run's steps. */
export interface Series {
  steps: number[];
  values: number[];
  /** What the steps count, where the program defined it: `global_step`. */
  axis?: string;
}

/**
 * One metric from a series.jsonl: one line per step, such as `{"step": 10, "reward": 0.4}`. Lines without it, or torn,
 * are passed over; without `step` (W&B: `_step`) the points are counted. Where a line defines axes for metrics
 * (`"_axes": {"val/*": "n_instances"}`), the steps are the values of the metric's axis. A step that comes again (a run
 * that went back to a checkpoint) replaces what came after it. What was reported as NaN or infinite is no point of a
 * curve. With `isEveryValue` it is there as NaN, and no value is left out because several share a point of their axis.
 * Undefined where there is no such file.
 */
export function readSeries(
  path: string,
  metric: string,
  { isEveryValue = false }: { isEveryValue?: boolean } = {},
): Series | undefined {
  const lines = readLines(path);
  return lines && seriesIn(lines, metric, isEveryValue);
}

/** The lines of a series.jsonl as they were reported; undefined where there is no such file. */
export function readLines(path: string): Record<string, unknown>[] | undefined {
  const text = read(path);
  return text === undefined ? undefined : [...objects(text)];
}

/** The lines without those that a run left behind when it went back to an earlier step. */
export function withoutReplaced(lines: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  const kept: Record<string, unknown>[] = [];
  for (const line of lines) {
    const step = stepOf(line);
    const last = kept.length > 0 ? stepOf(kept.at(-1)!) : undefined;
    if (step !== undefined && last !== undefined && step < last)
      while (kept.length > 0 && (stepOf(kept.at(-1)!) ?? step) >= step) kept.pop();
    kept.push(line);
  }
  return kept;
}

/** Every metric along its steps. */
export function allSeries(lines: readonly Record<string, unknown>[]): Map<string, Series> {
  return new Map(namesIn(lines).map((name) => [name, seriesIn(lines, name, false)]));
}

function seriesIn(lines: readonly Record<string, unknown>[], metric: string, isEveryValue: boolean): Series {
  const has = (line: Record<string, unknown>) =>
    typeof line[metric] === "number" || (isEveryValue && line[metric] === null);
  const rows = lines.filter(has);
  const defined = isEveryValue ? undefined : axisOf(metric, axesIn(lines));
  const axis = rows.some((row) => typeof row[defined ?? ""] === "number") ? defined : undefined;
  const series: Series = { ...(axis !== undefined && { axis }), steps: [], values: [] };
  for (const row of rows) {
    const step = axis === undefined ? (stepOf(row) ?? series.steps.length + 1) : row[axis];
    if (typeof step !== "number") continue;
    while (series.steps.length > 0 && series.steps.at(-1)! >= step) {
      series.steps.pop();
      series.values.pop();
    }
    series.steps.push(step);
    series.values.push((row[metric] as number | null) ?? Number.NaN);
  }
  return series;
}

/** By metric, or by how names begin (`train/*`): which column counts its steps. */
export type Axes = Readonly<Record<string, string>>;

/** What the lines of a series say last about their axes. */
export function axesIn(lines: readonly Record<string, unknown>[]): Axes {
  const told = lines.findLast(({ _axes }) => typeof _axes === "object" && _axes !== null)?._axes ?? {};
  const isName = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === "string";
  return Object.fromEntries(Object.entries(told).filter(isName));
}

/** A metric's own axis, else that of the longest beginning; none of its own is a metric's axis. */
export function axisOf(metric: string, axes: Axes): string | undefined {
  const covers = (name: string) =>
    name.endsWith("*") ? metric.startsWith(name.slice(0, -1)) : metric === name;
  const rank = (name: string) => (name.endsWith("*") ? name.length : Number.POSITIVE_INFINITY);
  const [name] = Object.keys(axes)
    .filter(covers)
    .sort((a, b) => rank(b) - rank(a));
  const axis = name === undefined ? undefined : axes[name];
  return axis === metric ? undefined : axis;
}

/** What a run's series has, the count of steps left out. */
export function seriesNames(path: string): string[] {
  return namesIn(readLines(path) ?? []);
}

function namesIn(lines: readonly Record<string, unknown>[]): string[] {
  const names = new Set<string>();
  for (const line of lines) {
    for (const [name, value] of Object.entries(line)) if (typeof value === "number") names.add(name);
  }
  const count = STEP_NAMES.find((name) => names.has(name));
  if (count !== undefined) names.delete(count);
  return [...names];
}

/** W&B's, which counts rows whatever the program calls a step, and ours. */
export const STEP_NAMES = ["_step", "step"];

export function stepOf(line: Record<string, unknown>): number | undefined {
  const name = STEP_NAMES.find((one) => typeof line[one] === "number");
  return name === undefined ? undefined : (line[name] as number);
}

function* objects(text: string): Generator<Record<string, unknown>> {
  for (const line of text.split("\n")) {
    if (!line.startsWith("{")) continue;
    const values = parsed(line) ?? parsed(line.replaceAll(NOT_JSON, "null"));
    // Else a line that a crash tore.
    if (values) yield values;
  }
}

/** Python writes them as they are, JavaScript as null. */
const NOT_JSON = /(?<=[:\s])(?:NaN|-?Infinity)(?=\s*[,}])/g;

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function read(path: string): string | undefined {
  try {
    return readText(path, { isForeign: true });
  } catch {
    return undefined;
  }
}
