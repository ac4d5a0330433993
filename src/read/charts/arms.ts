import { compareArms } from "../../analysis/compare/compare-arms.ts";
import { settleFailures } from "../../analysis/compare/settle-failures.ts";
import { type ArmEstimate, intervalWords } from "../../analysis/estimate-arm.ts";
import { learningCurves, wholeWindow } from "../../analysis/learning-curves.ts";
import { estimatesOf, ITERATIONS, type Measurements, withUnit } from "../../analysis/measurements.ts";
import type { PerformanceProfile } from "../../analysis/rank/performance-profile.ts";
import type { Ranking } from "../../analysis/rank/rank-arms.ts";
import { UserError } from "../../core/errors.ts";
import type { ArmCell, ArmsChart, CurvesChart, PairedChart } from "../../plots/chart.ts";
import { MOST_BANDS, MOST_RUNS } from "../../plots/line-charts.ts";
import { pairsOf } from "../../reporters/charts/difference-charts.ts";

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

/** Learning curves with the interval of the mean over seeds. */
export function curvesOf(
  measured: Measurements,
  { stepMin, stepMax }: { stepMin?: number; stepMax?: number } = {},
): CurvesChart {
  const { metric, unit, study, missing } = measured;
  if (!measured.window)
    throw new UserError(`"${metric}" is one number per run, not a series`, {
      remedy: "--kind arms shows such numbers.",
    });
  const whole = wholeWindow(measured.runs.flatMap(({ curve }) => (curve ? [curve] : [])));
  const window = { from: stepMin ?? whole.from, to: stepMax ?? whole.to };
  const arms = learningCurves({ ...measured, window }).filter(({ runs }) => runs.length > 0);
  const total = arms.reduce((sum, { runs }) => sum + runs.length, 0);
  const counts = [...new Set(arms.map(({ runs }) => runs.length))].sort((a, b) => a - b);
  const left = missing.length > 0 ? ` ${missing.length} runs are left out: ${missing[0]!.why}.` : "";
  return {
    kind: "curves",
    title: `${measured.axis === ITERATIONS ? "Iterations" : "Learning curves"}: ${metric} in ${study}`,
    subtitle: `${measured.axis ?? "Steps"} ${window.from} to ${window.to}, ${counts.join(" to ")} runs per arm`,
    xLabel: measured.axis ?? "step",
    yLabel: withUnit(metric, unit),
    panels: [
      {
        title: "",
        curves: arms.map(({ name, steps, mean, low, high, runs }) => ({
          ...{ name, colour: measured.colours[name]!, x: steps, y: mean, low, high, runs },
        })),
      },
    ],
    notes: [
      `Thick line: mean over runs. Band: 95 % t interval of that mean, at each ${measured.axis === ITERATIONS ? ITERATIONS : "step"} on its own.${total > MOST_RUNS ? "" : " Thin lines: single runs."}`,
      ...(left ? [left.trim()] : []),
    ],
  };
}

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

/** Performance profiles: the share of runs that reach each threshold. */
export function profileOf(
  { metric, unit, study, what, arms: order }: Measurements,
  arms: PerformanceProfile[],
  goal: "minimize" | "maximize",
): CurvesChart {
  const sign = goal === "maximize" ? "at least" : "at most";
  const hasBands = arms.length <= MOST_BANDS;
  return {
    ...{ kind: "curves", shape: "stairs", isPercent: true },
    title: `Performance profile: ${metric} in ${study}`,
    subtitle: `${what === metric ? "All runs of an arm" : what}; ${goal === "maximize" ? "more" : "less"} is better, and so is the higher curve`,
    xLabel: `threshold of ${withUnit(metric, unit)}`,
    yLabel: `share of runs with ${sign} the threshold (%)`,
    panels: [
      {
        title: "",
        curves: arms.map(({ name, thresholds, shares, low, high }) => ({
          ...{ name, colour: order.indexOf(name), x: thresholds, y: shares },
          ...(hasBands && { low, high }),
        })),
      },
    ],
    notes: [
      `${hasBands ? "Band: 95 % percentile bootstrap over seeds, at each threshold on its own." : `Bands are left out with more than ${MOST_BANDS} arms (--where draws fewer).`} Where curves cross, which arm is better depends on the threshold.`,
    ],
  };
}
