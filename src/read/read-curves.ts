import { learningCurves, wholeWindow } from "../analysis/learning-curves.ts";
import { axesIn, axisOf, STEP_NAMES, stepOf } from "../archive/read-series.ts";
import { rounded } from "../core/number-text.ts";
import { parsePythonJson } from "../core/python-text.ts";
import type { RunRecord } from "../core/run.ts";
import { RUN_FILES } from "../core/study-folder.ts";
import type { Design } from "../design/design.ts";
import type { MetricFacts } from "../design/metric.ts";
import type { ArmCurves } from "../reporters/charts/chart-context.ts";
import type { RunView } from "../reporters/study-view.ts";
import type { Curve } from "../stats/index.ts";
import { factsOf } from "./metric-info.ts";
import { readInside, runFolder } from "./read-inside.ts";
import type { ReadStudy } from "./view-study.ts";

const MOST_RUNS = 240;
const MOST_CURVES = 3;
const MOST_STEPS = 2000;

/** Learning curves of a study's series: that of its metric, or the first ones. Of many runs, some of each arm. */
export async function readCurves(
  { studyDir, study }: ReadStudy,
  design: Design,
  metric: MetricFacts | null,
): Promise<ArmCurves[]> {
  // What iterations gave is no course over steps: they are tries of one thing.
  if (study.study.iterations.measured > 1) return [];
  const armOf = new Map(design.runs.map(({ record, arm }) => [record.id, arm]));
  const own = design.runs.map(({ record }) => record).filter(({ outcome }) => outcome.status === "ok");
  const chosen = fairly(own, { armOf, arms: design.arms.length });
  const first = chosen[0] && stepsOf(studyDir, chosen[0]);
  if (!first) return [];
  const runs = chosen.flatMap((record) => {
    const series = stepsOf(studyDir, record);
    return series ? [{ record, series }] : [];
  });
  // Counts of steps, such as instance/step, would only be drawn against themselves.
  const axes = new Set(Object.values(first.axes ?? {}));
  const isAxis = (name: string) => axes.has(name) || /(^|[_/])step$/i.test(name);
  const names = Object.keys(first.columns).filter(
    (name) => !isAxis(name) && first.columns[name]!.filter(Number.isFinite).length > 1,
  );
  const main = names.filter((name) => name === metric?.name || metric?.name.startsWith(`${name}_`));
  const wanted = [...new Set([...main, ...names])].slice(0, MOST_CURVES);
  return Promise.all(
    wanted.map(async (name) => {
      const curves = runs.flatMap(({ record, series }) => {
        const curve = curveOf(series, name);
        return curve.steps.length > 1 ? [{ record, curve }] : [];
      });
      const window = wholeWindow(curves.map(({ curve }) => curve));
      const measured = {
        arms: design.arms.map((arm) => arm.name),
        runs: curves.map(({ record, curve }) => ({ arm: armOf.get(record.id)!, curve })),
        window,
      };
      return {
        metric: await factsOf(study, name),
        axis: first.axes?.[name] ?? null,
        window,
        arms: learningCurves(measured),
        left: own.length - chosen.length,
      };
    }),
  );
}

/** The same number of runs of each arm, so that no arm is left out. */
function fairly(
  records: readonly RunRecord[],
  { armOf, arms }: { armOf: ReadonlyMap<string, string>; arms: number },
): RunRecord[] {
  if (records.length <= MOST_RUNS) return [...records];
  const each = Math.max(1, Math.floor(MOST_RUNS / arms));
  const taken = new Map<string, number>();
  return records
    .filter((record) => {
      const arm = armOf.get(record.id)!;
      const count = taken.get(arm) ?? 0;
      taken.set(arm, count + 1);
      return count < each;
    })
    .slice(0, MOST_RUNS);
}

function stepsOf(studyDir: string, { id }: RunRecord) {
  const dir = runFolder(studyDir, id);
  return dir === undefined ? null : readSteps(dir, MOST_STEPS);
}

function curveOf(
  { step, columns, axes = {} }: NonNullable<ReturnType<typeof readSteps>>,
  name: string,
): Curve {
  const steps: number[] = [];
  const values: number[] = [];
  const along = columns[axes[name] ?? ""] ?? step;
  for (const [i, value] of (Object.hasOwn(columns, name) ? columns[name]! : []).entries()) {
    const at = along[i];
    if (value === null || typeof at !== "number") continue;
    // A point of the axis that comes again replaces what came after it.
    while (steps.length > 0 && steps.at(-1)! >= at) {
      steps.pop();
      values.pop();
    }
    steps.push(at);
    values.push(value);
  }
  return { steps, values };
}

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
