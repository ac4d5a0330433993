import type { Design } from "../design/design.ts";
import type { MetricFacts } from "../design/metric.ts";
import { growthExponent, type Interval, type Result } from "../stats/index.ts";
import { axisEstimates } from "./facet-estimates.ts";

/** How one arm's metric grows with the design's numeric axis, in one panel. */
export interface Growth {
  arm: string;
  facet: string;
  /** b in metric = a · axis^b. */
  exponent: Result<Interval>;
}

/** One exponent per arm and panel, fitted to the means at each value of the axis. Empty where there is no such axis. */
export function growthOf(design: Design, metric: MetricFacts): Growth[] {
  if (design.x === null || design.by.includes(design.x)) return [];
  const { groups } = axisEstimates(design, metric);
  return design.facets.flatMap((facet) =>
    design.arms.map(({ name }): Growth => {
      const own = groups.filter((one) => one.facet === facet && one.name === name && one.mean !== null);
      return {
        ...{ arm: name, facet },
        exponent: growthExponent(
          own.map(({ x }) => x!),
          own.map(({ mean }) => mean!),
        ),
      };
    }),
  );
}
