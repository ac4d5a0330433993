import type { Design, PlacedRun } from "../design/design.ts";
import type { MetricFacts } from "../design/metric.ts";
import { observe, scalarReader } from "../design/observe.ts";
import { settleFailures } from "./compare/settle-failures.ts";
import { type ArmEstimate, estimateArm } from "./estimate-arm.ts";

/** One arm in one panel of a chart, or at one place of its axis. */
export interface FacetEstimate extends ArmEstimate {
  facet: string;
  /** null where values are not drawn over a numeric axis. */
  x: number | null;
}

export interface FacetEstimates {
  isRate: boolean;
  groups: FacetEstimate[];
}

/** Every arm of every panel that has runs; what a failure counts as is decided over all of them. */
export function facetEstimates(design: Design, metric: MetricFacts): FacetEstimates {
  return estimate(design, metric, () => null);
}

/** The same at every value of the design's numeric axis. */
export function axisEstimates(design: Design, metric: MetricFacts): FacetEstimates {
  return estimate(design, metric, ({ x }) => x);
}

function estimate(
  design: Design,
  metric: MetricFacts,
  xOf: (run: PlacedRun) => number | null,
): FacetEstimates {
  const [set] = observe(design, [scalarReader(metric)]);
  if (!set) return { isRate: false, groups: [] };
  const settled = settleFailures(set);
  const places = new Map(design.runs.map((run) => [run.record.id, { facet: run.facet, x: xOf(run) }]));
  const groups = settled.arms.flatMap(({ arm: { name, observations } }): FacetEstimate[] => {
    const here = new Map<string, { facet: string; x: number | null; observations: typeof observations }>();
    for (const observation of observations) {
      const { facet, x } = places.get(String(observation.id))!;
      const key = `${x} ${facet}`;
      const group = here.get(key) ?? here.set(key, { facet, x, observations: [] }).get(key)!;
      group.observations.push(observation);
    }
    return [...here.values()].map(({ facet, x, observations: own }) => {
      const missing: Record<string, number> = {};
      for (const { value, owner = "unknown" } of own)
        if (value === null) missing[owner] = (missing[owner] ?? 0) + 1;
      return { ...estimateArm({ arm: { name, observations: own }, missing, counted: 0 }, settled), facet, x };
    });
  });
  const order = (a: FacetEstimate, b: FacetEstimate) =>
    design.facets.indexOf(a.facet) - design.facets.indexOf(b.facet) || (a.x ?? 0) - (b.x ?? 0);
  return { isRate: settled.isRate, groups: groups.sort(order) };
}
