import { learningCurves, wholeWindow } from "../analysis/learning-curves.ts";
import type { RunRecord } from "../core/run.ts";
import type { Design } from "../design/design.ts";
import type { MetricFacts } from "../design/metric.ts";
import type { ArmCurves } from "../reporters/charts/chart-context.ts";
import type { Curve } from "../stats/index.ts";
import { factsOf } from "./metric-info.ts";
import { runFolder } from "./read-inside.ts";
import { readSteps } from "./read-steps.ts";
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
