import { readText } from "../host/files.ts";

/** One metric along a run's steps. */
export interface Series {
  steps: number[];
  values: number[];
}

/**
 * One metric from a series.jsonl: one line per step, such as `{"step": 10, "reward": 0.4}`. Lines without it, or torn,
 * are passed over; without `step` (W&B: `_step`) the points are counted. A step that comes again (a run that went back to a
 * checkpoint) replaces what came after it. What was reported as NaN or infinite is no point of a curve; with
 * `keepNaN` it is there as NaN. Undefined where there is no such file.
 */
export function readSeries(
  path: string,
  metric: string,
  { keepNaN = false }: { keepNaN?: boolean } = {},
): Series | undefined {
  const text = read(path);
  if (text === undefined) return undefined;
  const series: Series = { steps: [], values: [] };
  for (const line of objects(text)) {
    const value = keepNaN && line[metric] === null ? Number.NaN : line[metric];
    if (typeof value !== "number") continue;
    const step = stepOf(line) ?? series.steps.length + 1;
    while (series.steps.length > 0 && series.steps.at(-1)! >= step) {
      series.steps.pop();
      series.values.pop();
    }
    series.steps.push(step);
    series.values.push(value);
  }
  return series;
}

/** What a run's series has, `step` left out. */
export function seriesNames(path: string): string[] {
  const names = new Set<string>();
  for (const line of objects(read(path) ?? "")) {
    for (const [name, value] of Object.entries(line)) if (typeof value === "number") names.add(name);
  }
  for (const name of STEP_NAMES) names.delete(name);
  return [...names];
}

/** Ours, and W&B's. */
export const STEP_NAMES = ["step", "_step"];

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
