import { page } from "./page.ts";
import { axes } from "./panel.ts";
import { scaleOf } from "./scale.ts";
import { bandPath, element, linePath } from "./svg.ts";
import { lookOf } from "./theme.ts";

export interface CurvesSpec {
  title: string;
  subtitle: string;
  xLabel: string;
  yLabel: string;
  arms: CurvesArm[];
  /** What the band is. */
  notes: string[];
}

export interface CurvesArm {
  name: string;
  steps: readonly number[];
  mean: readonly number[];
  /** The band; NaN where there is none. */
  low: readonly number[];
  high: readonly number[];
  /** Each run's own curve on the same steps, drawn thin. */
  runs: readonly (readonly number[])[];
}

const WIDTH = 760;
const HEIGHT = 380;
/** Beyond this many thin lines nothing can be seen. */
export const MOST_RUNS = 60;

/** Learning curves: the mean of an arm's runs at each step, a band that says what it is, the runs behind. */
export function curvesChart(spec: CurvesSpec): string {
  const looks = spec.arms.map((_, i) => lookOf(i));
  const shown = spec.arms.reduce((total, arm) => total + arm.runs.length, 0) <= MOST_RUNS;
  const values = spec.arms
    .flatMap((arm) => [arm.mean, arm.low, arm.high, ...(shown ? arm.runs : [])])
    .flat()
    .filter(Number.isFinite);
  const steps = spec.arms.flatMap((arm) => arm.steps);
  const draw = (top: number) => {
    const box = { left: 96, top: top + 12, width: WIDTH - 96 - 36, height: HEIGHT - 80 };
    const x = scaleOf(extent(steps), [box.left, box.left + box.width], { nice: false, ticks: 7 });
    const y = scaleOf(extent(values), [box.top + box.height, box.top]);
    // What was NaN is null after JSON, which would count as zero.
    const at = (arm: CurvesArm, ys: readonly number[]) =>
      ys.map((v, i) => [x(arm.steps[i]!), Number.isFinite(v) ? y(v) : Number.NaN] as const);
    return [
      axes(box, { x: { scale: x, label: spec.xLabel }, y: { scale: y, label: spec.yLabel } }),
      ...spec.arms.map((arm, i) =>
        element(
          "g",
          { class: "arm", "data-series": arm.name },
          ...(shown ? arm.runs : []).map((run) =>
            element("path", {
              ...{ class: "run", d: linePath(at(arm, run)), fill: "none" },
              ...{ stroke: looks[i]!.colour, "stroke-width": 0.8, "stroke-opacity": 0.22 },
            }),
          ),
          ...bandPieces(arm).map(([from, to]) =>
            element("path", {
              class: "band",
              d: bandPath(at(arm, arm.high).slice(from, to), at(arm, arm.low).slice(from, to)),
              ...{ fill: looks[i]!.colour, "fill-opacity": 0.2 },
            }),
          ),
        ),
      ),
      ...spec.arms.map((arm, i) =>
        element("path", {
          ...{ class: "mean", "data-series": arm.name, d: linePath(at(arm, arm.mean)) },
          ...{ fill: "none", stroke: looks[i]!.colour },
          ...{ "stroke-width": 2.2, "stroke-dasharray": looks[i]!.dash, "stroke-linejoin": "round" },
        }),
      ),
    ].join("");
  };
  const legend = spec.arms.length > 1 ? spec.arms.map((arm, i) => ({ name: arm.name, look: looks[i]! })) : [];
  return page({ ...spec, legend }, { width: WIDTH, height: HEIGHT, draw });
}

/** The stretches in which a band is known: a run may have ended early, or all runs may agree at a step. */
function bandPieces({ low, high }: CurvesArm): [number, number][] {
  const pieces: [number, number][] = [];
  let from = -1;
  for (let i = 0; i <= low.length; i++) {
    const isKnown = i < low.length && Number.isFinite(low[i]!) && Number.isFinite(high[i]!);
    if (isKnown && from < 0) from = i;
    if (!isKnown && from >= 0) {
      if (i - from > 1) pieces.push([from, i]);
      from = -1;
    }
  }
  return pieces;
}

/** The smallest and the largest of some numbers. */
export function extent(values: readonly number[]): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}
