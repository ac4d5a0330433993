import type { RunRecord } from "../../core/run.ts";
import { armOf, facetOf, isCompared, type Layout, unitKey } from "./layout.ts";

/** The values of one arm in one facet: one a unit, the mean of what else varied. */
export interface UnitValues {
  facet: string;
  arm: string;
  units: string[];
  values: number[];
  /** Runs of it that have no number for the metric, failed ones included. */
  missing: number;
}

/** One value a unit (a seed, mostly) for every facet and arm, in the layout's order. */
export function unitValues(records: readonly RunRecord[], layout: Layout, metric: string): UnitValues[] {
  const groups = new Map<string, { sums: Map<string, { total: number; n: number }>; missing: number }>();
  for (const record of records) {
    if (!isCompared(record, layout)) continue;
    const key = keyOf(facetOf(record, layout), armOf(record, layout));
    let group = groups.get(key);
    if (!group) {
      group = { sums: new Map(), missing: 0 };
      groups.set(key, group);
    }
    const value = numberOf(record, metric);
    if (value === null) {
      group.missing++;
      continue;
    }
    const unit = unitKey(record, layout);
    const sum = group.sums.get(unit) ?? { total: 0, n: 0 };
    sum.total += value;
    sum.n++;
    group.sums.set(unit, sum);
  }
  return layout.facets.flatMap((facet) =>
    layout.arms.flatMap((arm) => {
      const group = groups.get(keyOf(facet, arm));
      if (!group) return [];
      return [
        {
          ...{ facet, arm, missing: group.missing },
          units: [...group.sums.keys()],
          values: [...group.sums.values()].map(({ total, n }) => total / n),
        },
      ];
    }),
  );
}

/** A run's number, if it ended well and has one. */
function numberOf({ outcome, metrics }: RunRecord, metric: string): number | null {
  if (outcome.status !== "ok" || !Object.hasOwn(metrics, metric)) return null;
  const value = metrics[metric];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function keyOf(facet: string, arm: string): string {
  return `${facet.length}:${facet}${arm}`;
}
