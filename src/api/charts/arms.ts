import { type Measurements, withUnit } from "../../analysis/measurements.ts";
import type { Ranking } from "../../analysis/rank/rank-arms.ts";
import { seedValues } from "../../analysis/seed-values.ts";
import type { ArmCell, ArmsChart } from "../../plots/chart.ts";
import { mean, tInterval } from "../../stats/index.ts";

const BASIC =
  "Bar: 95 % t interval of the mean over seeds. Ring: mean. Dots: one per seed, shifted to be seen.";

/** Arms with their intervals and every seed's value. */
export function armsOf(measured: Measurements): ArmsChart {
  const arms = seedValues(measured).arms.filter(({ values }) => values.length > 0);
  const cells = arms.map(({ values }) => {
    const average = mean(values);
    return cellOf(values, average.known ? average.value : Number.NaN, tInterval(values));
  });
  return {
    ...{ kind: "arms", title: `${measured.metric} in ${measured.study}`, ...texts(measured) },
    rows: arms.map(({ name }) => ({ name, colour: measured.arms.indexOf(name) })),
    ...{ panels: [{ title: "", cells }], isShared: true, notes: [BASIC] },
  };
}

function cellOf(values: readonly number[], average: number, interval: ReturnType<typeof tInterval>): ArmCell {
  return {
    ...{
      values,
      n: values.length,
      mean: average,
      interval: interval.known ? [interval.low, interval.high] : null,
    },
    ...(!interval.known && { remark: `no interval: ${interval.why}` }),
  };
}

/** The same, best first, with the groups that can't be told apart. */
export function rankingOf(measured: Measurements, ranking: Ranking): ArmsChart {
  const { goal, alpha, method, arms } = ranking;
  const cells = arms.map(({ values, mean: average, interval }) => cellOf(values, average, interval));
  return {
    ...{ kind: "arms", title: `${measured.metric} in ${measured.study}, best first`, ...texts(measured) },
    rows: arms.map(({ name, letters }) => ({ name, letters, colour: measured.arms.indexOf(name) })),
    ...{ panels: [{ title: "", cells }], isShared: true },
    notes: [
      BASIC,
      `Group: arms that share a letter can't be told apart at ${alpha} (${method}). ${goal === "maximize" ? "More" : "Less"} is better.`,
    ],
  };
}

function texts(measured: Measurements): { subtitle: string; xLabel: string } {
  const { what, metric, unit, by, goal } = measured;
  const better = goal === null ? "" : `; ${goal === "maximize" ? "more" : "less"} is better`;
  return {
    subtitle: `${what === metric ? "One value a seed" : what}${by.length > 0 ? `, by ${by.join(", ")}` : ""}${better}`,
    xLabel: withUnit(metric, unit),
  };
}
