import type { Observation } from "../design/arm-set.ts";
import type { Design, PlacedRun } from "../design/design.ts";
import type { MetricFacts } from "../design/metric.ts";
import { observe, scalarReader } from "../design/observe.ts";
import { settleValues } from "./compare/settle-failures.ts";
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

/** Charts ask for the same metric again: its bars, and its place against another one. */
const known = new WeakMap<Design, Map<MetricFacts, FacetEstimates>>();

/** Every arm of every panel that has runs; what a failure counts as is decided over all of them. */
export function facetEstimates(design: Design, metric: MetricFacts): FacetEstimates {
  const before = known.get(design) ?? new Map<MetricFacts, FacetEstimates>();
  known.set(design, before);
  const found = before.get(metric) ?? estimate(design, metric, null);
  before.set(metric, found);
  return found;
}

/** The same at every value of the design's numeric axis. */
export function axisEstimates(design: Design, metric: MetricFacts): FacetEstimates {
  return estimate(design, metric, ({ x }) => x);
}

function estimate(
  design: Design,
  metric: MetricFacts,
  xOf: ((run: PlacedRun) => number | null) | null,
): FacetEstimates {
  const [set] = observe(design, [scalarReader(metric)]);
  if (!set) return { isRate: false, groups: [] };
  const settled = settleValues(set);
  const isWhole = xOf === null && design.facetBy.length === 0;
  const places = isWhole ? null : placesOf(design, set.part);
  const groups = settled.arms.flatMap((whole): FacetEstimate[] => {
    const { name, observations } = whole.arm;
    if (!places)
      return observations.length === 0
        ? []
        : [{ ...estimateArm(whole, settled), counted: 0, facet: "", x: null }];
    const runs = places.get(name)!;
    const here = new Map<number | null, Map<string, Group>>();
    const own: Group[] = [];
    for (const [i, observation] of observations.entries()) {
      const run = runs[i]!;
      const x = xOf ? xOf(run) : null;
      const facets = here.get(x) ?? here.set(x, new Map()).get(x)!;
      let group = facets.get(run.facet);
      if (!group) {
        group = { facet: run.facet, x, observations: [] };
        facets.set(run.facet, group);
        own.push(group);
      }
      group.observations.push(observation);
    }
    return own.map(({ facet, x, observations: those }) => {
      const missing: Record<string, number> = {};
      for (const { value, owner = "unknown" } of those)
        if (value === null) missing[owner] = (missing[owner] ?? 0) + 1;
      const arm = { name, observations: those };
      return { ...estimateArm({ arm, missing, counted: 0 }, settled), facet, x };
    });
  });
  const order = (a: FacetEstimate, b: FacetEstimate) =>
    design.facets.indexOf(a.facet) - design.facets.indexOf(b.facet) || (a.x ?? 0) - (b.x ?? 0);
  return { isRate: settled.isRate, groups: groups.sort(order) };
}

interface Group {
  facet: string;
  x: number | null;
  observations: Observation[];
}

/** The runs of each arm, in the order of its observations. */
function placesOf({ runs, arms }: Design, part: string | null): Map<string, PlacedRun[]> {
  const places = new Map<string, PlacedRun[]>(arms.map(({ name }) => [name, []]));
  for (const run of runs) if (run.part === part) places.get(run.arm)!.push(run);
  return places;
}
