import { estimatesOf, type Measurements, withUnit } from "../../analysis/measurements.ts";
import { UserError } from "../../core/errors.ts";
import { numberText } from "../../core/number-text.ts";
import type { RadialChart } from "../../plots/radial-chart.ts";

/** Several metrics of each arm, each relative to the arm that is best at it, with the numbers beside. */
export function radialOf(all: readonly Measurements[]): RadialChart {
  const [first] = all;
  if (!first || all.length < 3)
    throw new UserError(`a radial plot of ${all.length} metrics`, {
      expected: "three or more, such as --metric a,b,c",
      remedy: "--kind arms shows one metric.",
    });
  const arms = first.arms.filter((name) => all.every(({ runs }) => runs.some(({ arm }) => arm === name)));
  if (arms.length === 0) throw new UserError("no arm has all of these metrics");
  const left = first.arms
    .filter((name) => !arms.includes(name))
    .map((name) => {
      const lacking = all
        .filter(({ runs }) => !runs.some(({ arm }) => arm === name))
        .map(({ metric }) => metric);
      return `${name} is not drawn: it has no ${lacking.join(", ")}.`;
    });
  const columns = all.map((measured) => columnOf(measured, arms));
  return {
    kind: "radial",
    title: `${arms.length} arm${arms.length === 1 ? "" : "s"} on ${all.length} metrics in ${first.study}`,
    subtitle: "Each spoke is one metric as a share of the best arm's mean; the edge is the best arm",
    metrics: all.map(({ metric, unit, goal }, i) => ({
      name: metric,
      label: withUnit(metric, unit),
      direction: `${goal === null ? "goal unknown: more drawn outside" : goal === "maximize" ? "more is better" : "less is better"}${columns[i]!.isRange ? "; worst to best" : ""}`,
    })),
    arms: arms.map((name, i) => ({
      ...{ name, colour: first.colours[name]! },
      shares: columns.map(({ shares }) => shares[i]!),
      cells: columns.map(({ cells }) => cells[i]!),
    })),
    notes: [
      `Table: mean ± half-width of its 95 % t interval over ${first.counted}s (number of ${first.counted}s). Read the table: the area of a radial plot depends on the order of the spokes, and a spoke without its interval shows differences that may be chance.`,
      ...left,
      ...(columns.some(({ sizes }) => new Set(sizes).size > 1)
        ? [
            `Arms differ in how many ${first.counted}s have a number: those that lack it are not a random part, so compare such a spoke with care.`,
          ]
        : []),
      ...(columns.some(({ isRange }) => isRange)
        ? [
            "Worst to best: this metric has values of 0 or of both signs, so its spoke runs from the worst arm (a tenth of the way) to the best.",
          ]
        : []),
    ],
  };
}

function columnOf(measured: Measurements, arms: string[]) {
  const all = estimatesOf(measured);
  const estimates = arms.map((name) => all.find((arm) => arm.name === name)!);
  const means = estimates.map(({ mean }) => mean ?? Number.NaN);
  const isLess = measured.goal === "minimize";
  const best = isLess ? Math.min(...means) : Math.max(...means);
  const worst = isLess ? Math.max(...means) : Math.min(...means);
  const isRange = Math.min(...means) <= 0;
  const share = (value: number) => {
    if (isRange) return best === worst ? 1 : 0.1 + (0.9 * (value - worst)) / (best - worst);
    return isLess ? best / value : value / best;
  };
  const cells = estimates.map(({ interval, units }, i) => {
    const spread = interval.known ? ` ± ${numberText((interval.high - interval.low) / 2, 2)}` : "";
    return `${numberText(means[i]!)}${spread} (${units.length})`;
  });
  return { shares: means.map(share), cells, isRange, sizes: estimates.map(({ units }) => units.length) };
}
