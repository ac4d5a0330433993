import { axesIn, axisOf, STEP_NAMES, stepOf } from "../archive/read-series.ts";
import { rounded } from "../core/number-text.ts";
import { parsePythonJson } from "../core/python-text.ts";
import { RUN_FILES } from "../core/study-folder.ts";
import type { RunView } from "../reporters/study-view.ts";
import { readInside } from "./read-inside.ts";

const MOST_BYTES = 64 << 20;

/**
 * A run's series by column, thinned to at most `most` steps. A step that comes again (a run that went back to a
 * checkpoint) replaces what came after it; columns of one step may stand on several lines.
 */
export function readSteps(dir: string, most: number): RunView["series"] {
  const text = readInside(dir, RUN_FILES.series, { first: MOST_BYTES })?.text;
  if (text === undefined) return null;
  const steps: number[] = [];
  const rows: Record<string, unknown>[] = [];
  for (const line of text.split("\n")) {
    const values = parse(line);
    if (!values) continue;
    const step = stepOf(values) ?? steps.length + 1;
    while (steps.length > 0 && steps.at(-1)! > step) {
      steps.pop();
      rows.pop();
    }
    if (steps.at(-1) === step) Object.assign(rows.at(-1)!, values);
    else {
      steps.push(step);
      rows.push(values);
    }
  }
  if (steps.length === 0) return null;
  const kept = thin(steps.length, most);
  const names = new Set(
    rows.flatMap((row) => Object.keys(row).filter((name) => typeof row[name] === "number")),
  );
  const count = STEP_NAMES.find((name) => names.has(name));
  if (count !== undefined) names.delete(count);
  const told = axesIn(rows);
  const axes = [...names].flatMap((name) => {
    const axis = axisOf(name, told);
    return axis !== undefined && names.has(axis) ? [[name, axis]] : [];
  });
  const columns = [...names].map((name) => [name, kept.map((i) => numberAt(rows[i]!, name))] as const);
  return {
    step: kept.map((i) => steps[i]!),
    columns: Object.fromEntries(columns),
    ...(axes.length > 0 && { axes: Object.fromEntries(axes) }),
    isThinned: kept.length < steps.length,
  };
}

/** Evenly spaced, the first and the last among them. */
function thin(count: number, most: number): number[] {
  if (count <= most) return Array.from({ length: count }, (_, i) => i);
  return Array.from({ length: most }, (_, i) => Math.round((i * (count - 1)) / (most - 1)));
}

function numberAt(row: Record<string, unknown>, name: string): number | null {
  const value = Object.hasOwn(row, name) ? row[name] : null;
  return typeof value === "number" ? rounded(value, 7) : null;
}

function parse(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return parsePythonJson(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
