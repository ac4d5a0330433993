import { compareArms } from "../../analysis/compare/compare-arms.ts";
import { settleFailures } from "../../analysis/compare/settle-failures.ts";
import type { Measurements } from "../../analysis/measurements.ts";
import { UserError } from "../../core/errors.ts";
import type { PairedChart } from "../../plots/chart.ts";
import { pairsOf } from "../../reporters/charts/difference-charts.ts";

/** Two arms, pair by pair, with the difference and the interval that `compare` gives them. */
export function pairedOf(measured: Measurements, names: readonly [string, string]): PairedChart {
  const { set, metric, unit, goal, what, study, counted } = measured;
  // Two of the arms are compared as they would be among all.
  const { scale, centre } = settleFailures(set);
  const arms = set.arms.filter(({ name }) => names.includes(name));
  const [one] = compareArms([{ ...set, scale, centre, arms }], {
    baseline: names[0],
    withPower: false,
  }).comparisons;
  const chart = one && pairsOf(one, { metric: { name: metric, unit, goal }, where: ` in ${study}` });
  if (!chart)
    throw new UserError(
      `${names.join(" and ")} share fewer than two ${counted}s, so there are no pairs to draw`,
      { remedy: "--chart arms shows them side by side." },
    );
  return { ...chart, subtitle: `${chart.subtitle}${what === metric ? "" : `; ${what}`}` };
}
