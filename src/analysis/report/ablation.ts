import type { RunRecord } from "../../core/run.ts";
import { type Ask, type Design, designOf, type Source } from "../../design/design.ts";
import type { MetricFacts } from "../../design/metric.ts";
import { observe, scalarReader } from "../../design/observe.ts";
import { known, type Result, unknownBecause } from "../../stats/index.ts";
import { compareArms } from "../compare/compare-arms.ts";
import type { Comparison, Range, Verdict } from "../compare/comparison.ts";

/** Each variant against the baseline variant, within one arm. */
export interface Ablation {
  /** The arm that was ablated; null where variants are the only arms. */
  arm: string | null;
  baseline: string;
  variants: string[];
  unit: string;
  facets: { name: string; ratios: Ratio[] }[];
}

export interface Ratio {
  verdict: Verdict;
  ratio: Result<Range>;
}

/** What `compare` says of the variants against the baseline variant, as ratios; undefined where nothing was ablated. */
export function ablationRatios(source: Source, design: Design, metric: MetricFacts): Ablation | undefined {
  const isVariants = design.by.length === 1 && design.by[0] === "variant";
  const baseline = isVariants ? design.baseline : design.variant;
  if (baseline === null) return undefined;
  const arm = isVariants ? null : ablatedArm(source, design);
  const records = arm === null ? source.records : arm.records;
  const ask: Ask = { by: ["variant"], baseline };
  const all = designOf([{ ...source, records }], ask);
  const variants = all.arms.map(({ name }) => name).filter((name) => name !== baseline);
  if (variants.length === 0 || variants.length === all.arms.length) return undefined;
  const [per, ...more] = all.facetBy;
  const own =
    per === undefined || more.length > 0 ? all : designOf([{ ...source, records }], { ...ask, per });
  const sets = observe(own, [scalarReader(metric)]);
  const { comparisons } = compareArms(sets, { baseline, withPower: false, withCheck: false });
  const facets = sets.map(({ part }) => ({
    name: part === null ? "" : `${per}=${part}`,
    ratios: variants.map((variant) =>
      ratioOf(comparisons.find((one) => one.part === part && one.candidate.name === variant)),
    ),
  }));
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

/** How many times the baseline's, as the comparison judged it. */
function ratioOf(one: Comparison | undefined): Ratio {
  if (!one) return { verdict: "unknown", ratio: unknownBecause("it has no runs here") };
  const { verdict, relative, difference, isExact } = one;
  if (isExact && difference.known && difference.value === 0)
    return { verdict, ratio: unknownBecause("the same values as the baseline") };
  if (!relative.known) return { verdict, ratio: relative };
  const { value, low, high } = relative;
  return { verdict, ratio: known({ value: 1 + value, low: 1 + low, high: 1 + high }) };
}
