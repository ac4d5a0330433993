import { extent } from "./curves-chart.ts";
import { percentText } from "./number-text.ts";
import { page } from "./page.ts";
import { axes } from "./panel.ts";
import { scaleOf } from "./scale.ts";
import { bandPath, element, linePath } from "./svg.ts";
import { lookOf } from "./theme.ts";

export interface ProfileSpec {
  title: string;
  subtitle: string;
  xLabel: string;
  yLabel: string;
  arms: ProfileArm[];
  notes: string[];
}

export interface ProfileArm {
  name: string;
  thresholds: readonly number[];
  shares: readonly number[];
  low: readonly number[];
  high: readonly number[];
}

const WIDTH = 760;
const HEIGHT = 380;
/** With more arms than this, bands hide each other. */
export const FEW = 4;

/** Performance profiles: for each threshold the share of an arm's runs that do at least as well. */
export function profileChart(spec: ProfileSpec): string {
  const draw = (top: number) => {
    const box = { left: 88, top: top + 12, width: WIDTH - 88 - 36, height: HEIGHT - 80 };
    const x = scaleOf(extent(spec.arms.flatMap((arm) => arm.thresholds)), [box.left, box.left + box.width], {
      nice: false,
      ticks: 7,
    });
    const y = scaleOf([0, 1], [box.top + box.height, box.top]);
    const at = (arm: ProfileArm, ys: readonly number[]) => stairs(arm.thresholds.map(x), ys.map(y));
    const bands = (spec.arms.length > FEW ? [] : spec.arms).map((arm, i) =>
      element("path", {
        ...{ class: "band", d: bandPath(at(arm, arm.high), at(arm, arm.low)) },
        ...{ fill: lookOf(i).colour, "fill-opacity": 0.14 },
      }),
    );
    const lines = spec.arms.map((arm, i) =>
      element("path", {
        ...{ class: "profile", d: linePath(at(arm, arm.shares)), fill: "none", stroke: lookOf(i).colour },
        ...{ "stroke-width": 2.2, "stroke-dasharray": lookOf(i).dash },
      }),
    );
    const frame = axes(box, {
      x: { scale: x, label: spec.xLabel },
      y: { scale: y, label: spec.yLabel, format: percentText },
    });
    return [frame, ...bands, ...lines].join("");
  };
  const legend = spec.arms.map((arm, i) => ({ name: arm.name, look: lookOf(i) }));
  return page({ ...spec, legend }, { width: WIDTH, height: HEIGHT, draw });
}

/** A share holds until the next threshold: steps, not slopes. */
function stairs(xs: readonly number[], ys: readonly number[]): [number, number][] {
  return xs.flatMap((x, i): [number, number][] =>
    i === 0
      ? [[x, ys[0]!]]
      : [
          [x, ys[i - 1]!],
          [x, ys[i]!],
        ],
  );
}
