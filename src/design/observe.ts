import type { RunRecord } from "../core/run.ts";
import type { Arm, ArmSet, Observation } from "./arm-set.ts";
import type { Design } from "./design.ts";
import { type MetricFacts, metricValue, summandsOf } from "./metric.ts";

/** A metric, and how a run's number for it is found. */
export interface MetricReader extends MetricFacts {
  read(record: RunRecord, dir: string): number | null;
}

/** A number among a run's metrics, or the sum of several; a run that lacks a part has no sum. */
export function scalarReader(facts: MetricFacts): MetricReader {
  const alone = facts.name.includes("+") ? null : [facts.name];
  return {
    ...facts,
    read: ({ metrics }) => {
      let total = 0;
      for (const name of alone ?? summandsOf(facts.name, (part) => Object.hasOwn(metrics, part))) {
        const value = metricValue(metrics, name);
        if (value === null) return null;
        total += value;
      }
      return total;
    },
  };
}

/** The runs of a design as what comparisons take: for each part and each metric its arms with their observations. */
export function observe(design: Design, metrics: readonly MetricReader[]): ArmSet[] {
  const parts = new Map<string | null, Map<string, Observation[][]>>();
  for (const { record, dir, arm, pair: unit, cluster, block: setting, part, owner } of design.runs) {
    const { id } = record;
    const block = cluster === undefined ? "" : setting;
    const arms = parts.get(part) ?? parts.set(part, new Map()).get(part)!;
    const lists =
      arms.get(arm) ??
      arms
        .set(
          arm,
          metrics.map(() => []),
        )
        .get(arm)!;
    // Whatever is asked of a study goes through here, once for every run.
    for (let i = 0; i < metrics.length; i++) {
      const value = owner === undefined ? metrics[i]!.read(record, dir) : null;
      lists[i]!.push({ id, unit, cluster, block, owner, value });
    }
  }
  return design.parts.flatMap((part) => {
    const arms = parts.get(part);
    if (!arms) return [];
    return metrics.map(
      ({ name, goal, range, failure, scale, isLeastTime }, i): ArmSet => ({
        metric: name,
        part,
        arms: design.arms.map(
          (arm): Arm => ({ name: arm.name, observations: arms.get(arm.name)?.[i] ?? [] }),
        ),
        keys: design.keys,
        noun: design.noun,
        hasRollouts: design.keys.length > 0 && design.unnamed.length === 0,
        isAsked: design.isAsked,
        unnamed: design.unnamed,
        clusterBy: design.clusterBy,
        ...(goal && { goal }),
        range,
        failure,
        scale,
        isLeastTime,
      }),
    );
  });
}
