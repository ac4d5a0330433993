import { type Measurements, withUnit } from "../../analysis/measurements.ts";
import type { Ranking } from "../../analysis/rank/rank-arms.ts";
import { seedValues } from "../../analysis/seed-values.ts";
import { armsChart } from "../../plots/arms-chart.ts";
import { mean, tInterval } from "../../stats/index.ts";

const BASIC =
  "Bar: 95 % t interval of the mean over seeds. Ring: mean. Dots: one a seed, shifted to be seen.";

/** Arms with their intervals and every seed's value. */
export function armsOf(measured: Measurements): string {
  const arms = seedValues(measured).arms.filter(({ values }) => values.length > 0);
  return armsChart({
    title: `${measured.metric} in ${measured.study}`,
    ...texts(measured),
    arms: arms.map(({ name, values }) => {
      const average = mean(values);
      const interval = tInterval(values);
      return {
        ...{ name, values, mean: average.known ? average.value : Number.NaN },
        interval: interval.known ? interval : null,
        ...(!interval.known && { remark: `no interval: ${interval.why}` }),
      };
    }),
    notes: [BASIC],
  });
}

/** The same, best first, with the groups that can't be told apart. */
export function rankingOf(measured: Measurements, ranking: Ranking): string {
  const { goal, alpha, method } = ranking;
  return armsChart({
    title: `${measured.metric} in ${measured.study}, best first`,
    ...texts(measured),
    arms: ranking.arms.map(({ name, values, mean, interval, letters }) => ({
      ...{ name, values, mean, letters },
      interval: interval.known ? interval : null,
      ...(!interval.known && { remark: `no interval: ${interval.why}` }),
    })),
    notes: [
      BASIC,
      `Group: arms that share a letter can't be told apart at ${alpha} (${method}). ${goal === "maximize" ? "More" : "Less"} is better.`,
    ],
  });
}

function texts(measured: Measurements): { subtitle: string; xLabel: string } {
  const { what, metric, unit, by, goal } = measured;
  const better = goal === null ? "" : `; ${goal === "maximize" ? "more" : "less"} is better`;
  return {
    subtitle: `${what === metric ? "One value a seed" : what}${by.length > 0 ? `, by ${by.join(", ")}` : ""}${better}`,
    xLabel: withUnit(metric, unit),
  };
}
