import { settleFailures } from "../../analysis/compare/settle-failures.ts";
import { type ArmEstimate, intervalWords } from "../../analysis/estimate-arm.ts";
import { estimatesOf, type Measurements, withUnit } from "../../analysis/measurements.ts";
import type { Ranking } from "../../analysis/rank/rank-arms.ts";
import type { ArmCell, ArmsChart } from "../../plots/chart.ts";

function basics({ set, counted }: Measurements): string {
  return `Bar: ${intervalWords(settleFailures(set), counted)}. Ring: mean. Dots: one per ${counted}, spread out to be visible.`;
}

/** Arms with their intervals and the value of every seed, task or what else is counted. */
export function armsOf(measured: Measurements): ArmsChart {
  const arms = estimatesOf(measured).filter(({ values }) => values.length > 0);
  return {
    ...{ kind: "arms", title: `${measured.metric} in ${measured.study}`, ...texts(measured) },
    rows: arms.map(({ name }) => ({ name, colour: measured.colours[name]! })),
    ...{ panels: [{ title: "", cells: arms.map(cellOf) }], isShared: true, notes: [basics(measured)] },
  };
}

/** The same, best first, with the groups that can't be told apart. */
export function rankingOf(measured: Measurements, { goal, alpha, method, arms }: Ranking): ArmsChart {
  return {
    ...{ kind: "arms", title: `${measured.metric} in ${measured.study}, best first`, ...texts(measured) },
    rows: arms.map(({ name, letters }) => ({ name, letters, colour: measured.colours[name]! })),
    ...{ panels: [{ title: "", cells: arms.map(cellOf) }], isShared: true },
    notes: [
      basics(measured),
      `Group: arms that share a letter can't be told apart at ${alpha} (${method}). ${goal === "maximize" ? "More" : "Less"} is better.`,
    ],
  };
}

function cellOf({ values, mean, interval }: Pick<ArmEstimate, "values" | "mean" | "interval">): ArmCell {
  return {
    ...{
      values,
      n: values.length,
      mean: mean!,
      interval: interval.known ? [interval.low, interval.high] : null,
    },
    ...(!interval.known && { remark: `no interval: ${interval.why}` }),
  };
}

function texts(measured: Measurements): { subtitle: string; xLabel: string } {
  const { what, metric, unit, by, goal, counted } = measured;
  const better = goal === null ? "" : `; ${goal === "maximize" ? "more" : "less"} is better`;
  return {
    subtitle: `${what === metric ? `One value per ${counted}` : what}${by.length > 0 ? `, by ${by.join(", ")}` : ""}${better}`,
    xLabel: withUnit(metric, unit),
  };
}
