import type { RunRecord } from "../../core/run.ts";
import { type Interval, type Result, ratioOfMeans, unknownBecause } from "../../stats/index.ts";
import { type UnitValues, unitValues } from "./arm-values.ts";
import { armOf, type Layout } from "./layout.ts";

/** Each variant against the baseline variant, within one arm. */
export interface Ablation {
  /** The arm that was ablated; null where variants are the only arms. */
  arm: string | null;
  baseline: string;
  variants: string[];
  facets: { name: string; ratios: Result<Interval>[] }[];
}

/** Ratios of a metric's mean to the baseline variant's, paired by unit; undefined where nothing was ablated. */
export function ablationRatios(
  records: readonly RunRecord[],
  layout: Layout,
  metric: string,
): Ablation | undefined {
  const isVariants = layout.by.length === 1 && layout.by[0] === "variant";
  if (layout.variant === null && !isVariants) return undefined;
  const baseline = isVariants ? layout.baseline : layout.variant;
  if (baseline === null) return undefined;
  const arm = isVariants ? null : ablatedArm(records, layout);
  const own = arm === null ? records : records.filter((record) => armOf(record, layout) === arm);
  const names = [...new Set(own.map(({ variant }) => variant))].filter((name) => name !== baseline);
  if (names.length === 0) return undefined;
  const arms = [baseline, ...names];
  const groups = unitValues(own, { ...layout, by: ["variant"], arms, variant: null }, metric);
  const facets = layout.facets.map((name) => {
    const of = (variant: string) => groups.find((group) => group.facet === name && group.arm === variant);
    return { name, ratios: names.map((variant) => pairedRatio(of(variant), of(baseline))) };
  });
  return { arm, baseline, variants: names, facets };
}

/** The arm with the most variants; of several, "full", which ablations take things from, else the last. */
function ablatedArm(records: readonly RunRecord[], layout: Layout): string {
  const counts = new Map<string, Set<string>>();
  for (const record of records) {
    const arm = armOf(record, layout);
    const seen = counts.get(arm) ?? new Set();
    counts.set(arm, seen.add(record.variant));
  }
  const most = Math.max(...[...counts.values()].map(({ size }) => size));
  const able = layout.arms.filter((arm) => counts.get(arm)?.size === most);
  return able.find((arm) => arm === "full") ?? able.at(-1) ?? layout.arms[0]!;
}

function pairedRatio(one: UnitValues | undefined, base: UnitValues | undefined): Result<Interval> {
  if (!one || !base) return unknownBecause("it has no runs here");
  const shared = one.units.filter((unit) => base.units.includes(unit));
  if (shared.length < 2)
    return unknownBecause(`${shared.length === 0 ? "no" : "one"} value to pair shows no spread`);
  const at = (group: UnitValues) => shared.map((unit) => group.values[group.units.indexOf(unit)]!);
  const [xs, ys] = [at(one), at(base)];
  if (xs.every((x, i) => x === ys[i])) return unknownBecause("the same values as the baseline");
  return ratioOfMeans(xs, ys, { paired: true });
}
