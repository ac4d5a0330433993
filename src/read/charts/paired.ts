import { sharedUnits, valuesAt } from "../../analysis/estimate-arm.ts";
import { estimatesOf, type Measurements, withUnit } from "../../analysis/measurements.ts";
import { UserError } from "../../core/errors.ts";
import type { PairedChart } from "../../plots/chart.ts";
import { differences, mean, pairedInterval } from "../../stats/index.ts";

/** Two arms, unit by unit: the pairs, their differences and the interval of the mean difference. */
export function pairedOf(measured: Measurements, names: readonly [string, string]): PairedChart {
  const { counted } = measured;
  const all = estimatesOf(measured);
  const arms = names.map((name) => all.find((arm) => arm.name === name)!);
  const shared = sharedUnits(arms);
  if (!shared)
    throw new UserError(
      `${names.join(" and ")} share fewer than two ${counted}s, so there are no pairs to draw`,
      {
        remedy: "--kind arms shows them side by side.",
      },
    );
  const [first, second] = arms.map((arm) => valuesAt(arm, shared)) as [number[], number[]];
  const interval = pairedInterval(second, first);
  const difference = mean(differences(second, first));
  const [base, other] = names;
  const left = arms.reduce((total, { units }) => total + units.length - shared.length, 0);
  const lost =
    left > 0
      ? ` ${left} ${counted}${left === 1 ? " has" : "s have"} no partner and ${left === 1 ? "is" : "are"} left out.`
      : "";
  return {
    kind: "paired",
    goal: measured.goal,
    title: `${other} against ${base}: ${measured.metric} in ${measured.study}`,
    subtitle: `${shared.length} pairs of the same ${counted}${measured.what === measured.metric ? "" : `; ${measured.what}`}`,
    yLabel: withUnit(measured.metric, measured.unit),
    differenceLabel: withUnit(`difference of ${measured.metric}`, measured.unit),
    names,
    pairs: shared.map((name, i) => ({ name, first: first[i]!, second: second[i]! })),
    difference: difference.known ? difference.value : Number.NaN,
    interval: interval.known ? [interval.low, interval.high] : null,
    notes: [
      interval.known
        ? `Bar: 95 % paired t interval of the mean difference. Dots: one per ${counted}. Green: better, orange: worse, grey: the study doesn't say which way is better.${lost}`
        : `No interval: ${interval.why}. Dots: one per ${counted}.${lost}`,
    ],
  };
}
