import type { Outcome, Owner, RunRecord } from "../core/run.ts";
import type { Arm, ArmSet, Observation } from "./arm-set.ts";
import type { Design } from "./design.ts";
import { type MetricFacts, metricValue, summandsOf } from "./metric.ts";

/** A metric, and how a run's number for it is found. */
export interface MetricReader extends MetricFacts {
  read(record: RunRecord, dir: string): number | null;
}

/** A number among a run's metrics, or the sum of several; a run that lacks a part has no sum. */
export function scalarReader(facts: MetricFacts): MetricReader {
  return {
    ...facts,
    read: ({ metrics }) => {
      let total = 0;
      for (const name of summandsOf(facts.name, (part) => Object.hasOwn(metrics, part))) {
        const value = metricValue(metrics, name);
        if (value === null) return null;
        total += value;
      }
      return total;
    },
  };
}

/** Whose fault it is that a run has no numbers; undefined where it ended well. */
export function faultOf({ status, owner }: Outcome): Owner | "unknown" | undefined {
  if (status === "ok") return undefined;
  return owner ?? (status === "failed" || status === "timeout" ? "agent" : "unknown");
}

/** The runs of a design as what comparisons take: for each part and each metric its arms with their observations. */
export function observe(design: Design, metrics: readonly MetricReader[]): ArmSet[] {
  const parts = new Map<string | null, Map<string, Observation[][]>>();
  for (const { record, dir, arm, pair, cluster, block, part, owner } of design.runs) {
    const place = {
      id: record.id,
      unit: pair,
      cluster,
      block: cluster === undefined ? "" : block,
      owner,
    };
    const arms = parts.get(part) ?? parts.set(part, new Map()).get(part)!;
    const lists =
      arms.get(arm) ??
      arms
        .set(
          arm,
          metrics.map(() => []),
        )
        .get(arm)!;
    for (const [i, metric] of metrics.entries())
      lists[i]!.push({ ...place, value: owner === undefined ? metric.read(record, dir) : null });
  }
  return design.parts.flatMap((part) => {
    const arms = parts.get(part);
    if (!arms) return [];
    return metrics.map(
      ({ name, goal, range, failure, scale }, i): ArmSet => ({
        metric: name,
        part,
        arms: design.arms.map(
          (arm): Arm => ({ name: arm.name, observations: arms.get(arm.name)?.[i] ?? [] }),
        ),
        keys: design.keys,
        noun: design.unit,
        hasRollouts: design.keys.length > 0 && design.unnamed.length === 0,
        isAsked: design.isAsked,
        unnamed: design.unnamed,
        clusterBy: design.clusterBy,
        ...(goal && { goal }),
        range,
        failure,
        scale,
      }),
    );
  });
}
