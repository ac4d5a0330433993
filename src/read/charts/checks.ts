import { sharedUnits, valuesAt } from "../../analysis/estimate-arm.ts";
import { estimatesOf, type Measurements, withUnit } from "../../analysis/measurements.ts";
import { UserError } from "../../core/errors.ts";
import { countText, plural } from "../../core/number-text.ts";
import type { DistributionChart, QuantilesChart } from "../../plots/check-charts.ts";
import { betaQuantile, bootstrapDistribution, normalQuantile } from "../../stats/index.ts";
import { moments } from "../../stats/summaries/moments.ts";

/** Each arm's values against those of a normal distribution: where they leave the band, they are not normal. */
export function quantilesOf(measured: Measurements): QuantilesChart {
  const arms = estimatesOf(measured).filter(({ values }) => values.length >= 3);
  if (arms.length === 0)
    throw new UserError(`no arm has three ${measured.counted}s, and fewer show no shape`, {
      remedy: "Run more of them.",
    });
  return {
    kind: "quantiles",
    title: `Are the values normal? ${measured.metric} in ${measured.study}`,
    subtitle: measured.what === measured.metric ? `One dot per ${measured.counted}` : measured.what,
    xLabel: "normal quantile (standard deviations)",
    yLabel: withUnit(measured.metric, measured.unit),
    panels: arms.map(({ name, units, values }) => {
      const n = values.length;
      const { mean, variance } = moments(values);
      const sd = Math.sqrt(variance);
      const places = values.map((_, i) => i).sort((a, b) => values[a]! - values[b]!);
      const at = (k: number, share: number) => normalQuantile(betaQuantile(share, k + 1, n - k));
      return {
        title: name,
        colour: measured.colours[name]!,
        points: places.map((i, k) => ({ name: units[i]!, x: at(k, 0.5), y: values[i]! })),
        line: { slope: sd, intercept: mean },
        band: places.map((_, k) => ({
          x: at(k, 0.5),
          low: mean + sd * at(k, 0.025),
          high: mean + sd * at(k, 0.975),
        })),
      };
    }),
    notes: [
      `Dashed line: where normal values with this mean and spread would lie. Band: where 95 % of each such value would. Values that bend away have a long tail; no method is chosen by this picture.`,
    ],
  };
}

const BINS = 40;

/** How the difference of two arms, or one arm's mean, would have come out in other draws of the units. */
export function bootstrapOf(
  measured: Measurements,
  names: readonly string[],
  { resamples = 10_000, seed = 1 }: { resamples?: number; seed?: number } = {},
): DistributionChart {
  const all = estimatesOf(measured);
  const arms = names.map((name) => all.find((arm) => arm.name === name)!);
  const shared = arms.length === 2 ? sharedUnits(arms) : null;
  const [first, second] = arms.map((arm) => (shared ? valuesAt(arm, shared) : arm.values));
  const drawn = bootstrapDistribution(second ?? first!, second ? first : undefined, {
    ...{ resamples, seed, isPaired: shared !== null },
  });
  if (!drawn.known) throw new UserError(`nothing can be resampled, because ${drawn.why}`);
  const { values, estimate, low, high } = drawn;
  const what = second ? `${names[1]} − ${names[0]}` : names[0]!;
  return {
    kind: "distribution",
    title: `How sure is it? ${measured.metric} in ${measured.study}`,
    subtitle: `${what}: ${plural((shared ?? first!).length, measured.counted)}${second ? (shared ? ", paired" : ", not paired") : ""}, drawn again ${countText(resamples)} times`,
    xLabel: withUnit(second ? `difference of ${measured.metric}` : `mean ${measured.metric}`, measured.unit),
    yLabel: "share of resamples",
    panels: [
      {
        title: what,
        colour: measured.colours[names.at(-1)!]!,
        bins: binsOf(values),
        ...{ estimate, interval: [low, high] as const, reference: second ? 0 : null },
      },
    ],
    notes: [
      `Histogram: the ${second ? "mean difference" : "mean"} in each resample. Ring and bar: the estimate and the middle 95 % of the resamples, which below 20 ${measured.counted}s is too short an interval; \`assay compare\` chooses a better one.`,
    ],
  };
}

function binsOf(sorted: Float64Array): DistributionChart["panels"][number]["bins"] {
  const [low, high] = [sorted[0]!, sorted.at(-1)!];
  const width = (high - low) / BINS;
  const counts = new Array<number>(BINS).fill(0);
  for (const value of sorted) counts[Math.min(BINS - 1, Math.floor((value - low) / width))]!++;
  return counts.map((count, i) => ({
    ...{ from: low + i * width, to: low + (i + 1) * width },
    share: count / sorted.length,
  }));
}
