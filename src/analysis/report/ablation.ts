import type { RunRecord } from "../../core/run.ts";
import { type Ask, type Design, designOf, type Source } from "../../design/design.ts";
import type { MetricFacts } from "../../design/metric.ts";
import { type Interval, type Result, ratioOfMeans, unknownBecause } from "../../stats/index.ts";
import { sharedUnits, valuesAt } from "../estimate-arm.ts";
import { type FacetEstimate, facetEstimates } from "../facet-estimates.ts";

/** Each variant against the baseline variant, within one arm. */
export interface Ablation {
  /** The arm that was ablated; null where variants are the only arms. */
  arm: string | null;
  baseline: string;
  variants: string[];
  unit: string;
  facets: { name: string; ratios: Result<Interval>[] }[];
}

/** Ratios of a metric's mean to the baseline variant's, paired by unit; undefined where nothing was ablated. */
export function ablationRatios(source: Source, design: Design, metric: MetricFacts): Ablation | undefined {
  const isVariants = design.by.length === 1 && design.by[0] === "variant";
  const baseline = isVariants ? design.baseline : design.variant;
  if (baseline === null) return undefined;
  const arm = isVariants ? null : ablatedArm(source, design);
  const records = arm === null ? source.records : arm.records;
  const ask: Ask = { by: ["variant"], baseline };
  const own = designOf([{ ...source, records }], ask);
  const variants = own.arms.map(({ name }) => name).filter((name) => name !== baseline);
  if (variants.length === 0) return undefined;
  const { groups } = facetEstimates(own, metric);
  const facets = own.facets.map((name) => {
    const of = (variant: string) => groups.find((group) => group.facet === name && group.name === variant);
    return { name, ratios: variants.map((variant) => pairedRatio(of(variant), of(baseline))) };
  });
  return { arm: arm?.name ?? null, baseline, variants, unit: own.unit, facets };
}

/** The arm with the most variants; of several, "full", which ablations take things from, else the last. */
function ablatedArm(source: Source, design: Design): { name: string; records: RunRecord[] } {
  const every = designOf([source], { by: [...design.by, "variant"] });
  const depth = design.by.length;
  const counts = new Map<string, number>();
  const nameOf = new Map(design.arms.map(({ levels, name }) => [levels.join("\x01"), name]));
  for (const { levels } of every.arms) {
    const arm = nameOf.get(levels.slice(0, depth).join("\x01"));
    if (arm !== undefined) counts.set(arm, (counts.get(arm) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  const able = design.arms.map(({ name }) => name).filter((name) => counts.get(name) === most);
  const chosen = able.find((name) => name === "full") ?? able.at(-1) ?? design.arms[0]!.name;
  const arms = new Map(
    every.arms.map(({ name, levels }) => [name, nameOf.get(levels.slice(0, depth).join("\x01"))]),
  );
  return {
    name: chosen,
    records: every.runs.filter((run) => arms.get(run.arm) === chosen).map(({ record }) => record),
  };
}

function pairedRatio(one: FacetEstimate | undefined, base: FacetEstimate | undefined): Result<Interval> {
  if (!one || !base) return unknownBecause("it has no runs here");
  const shared = sharedUnits([one, base]);
  if (!shared) return unknownBecause("fewer than two values can be paired, which show no spread");
  const [xs, ys] = [valuesAt(one, shared), valuesAt(base, shared)];
  if (xs.every((x, i) => x === ys[i])) return unknownBecause("the same values as the baseline");
  return ratioOfMeans(xs, ys, { paired: true });
}
