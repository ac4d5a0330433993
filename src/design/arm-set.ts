import type { Outcome, Owner, RunRecord } from "../core/run.ts";
import type { Design } from "./design.ts";
import { type MetricFacts, metricValue, summandsOf } from "./metric.ts";

/** One measured value of one arm, or the lack of one. */
export interface Observation {
  /** The run, or the row of a file. */
  id: string | number;
  /** null where there is none; `owner` says whose fault that is. */
  value: number | null;
  /** What it is paired by ("3", "seed 3, workflows 50"); null where the source names nothing. */
  unit: string | null;
  /** The value is the share of passes among so many tries; absent where it is one value. */
  tries?: number | undefined;
  /** What several units share and are therefore not independent by, such as a seed over several workloads. */
  cluster?: string | undefined;
  /** Where in an arm it was measured: the settings that all arms share ("workflows 50"), "" where there is one. */
  block?: string | undefined;
  owner?: Owner | "unknown" | undefined;
}

export interface Arm {
  name: string;
  observations: Observation[];
}

/** Whether arms are compared by how much more, or by how many times as much. */
export type Scale = "difference" | "ratio";

/** What of the values is compared: their mean, or that of what is left without the highest and the lowest. */
export type Centre = "mean" | "trimmed";

/** What the values of one metric are compared by. */
export interface ArmSet {
  metric: string;
  /** The part of the data that this is about, where a column splits it; null for all of it. */
  part: string | null;
  arms: Arm[];
  /** Names of what makes a unit: ["seed"], ["instance_id"], ["seed", "workflows"]; empty where nothing does. */
  keys: string[];
  /** What is counted, in one word, where it is not the name of the one key. */
  noun?: string | undefined;
  /** Whether several observations of one unit in one arm are averaged, or make the pairing none. */
  hasRollouts: boolean;
  /** Whether the user asked for this pairing: then a pairing that isn't one is an error, else unpaired will do. */
  isAsked: boolean;
  /** What the observations of one unit differ in, for the message about duplicates. */
  unnamed?: string[];
  /** The key whose value several units share: they are not independent then. */
  clusterBy?: string | undefined;
  /** What to mind about how the observations were put together. */
  cautions?: string[];
  goal?: "minimize" | "maximize";
  /** By how much more, or by how many times as much, arms are compared; chosen by the values where nobody said. */
  scale?: Scale | undefined;
  /** Chosen by the values where nobody said. */
  centre?: Centre | undefined;
  /** The least and the most that the metric can be: no interval leaves it. */
  range?: readonly [number, number] | undefined;
  /** What a run that the agent broke counts as; decided by the values where nobody declared it. */
  failure?: "worst" | "missing" | undefined;
}

/** The values are passes and failures if all that are known are 0 or 1. */
export function isRate(arms: readonly Arm[]): boolean {
  let seen = false;
  for (const { observations } of arms) {
    for (const { value } of observations) {
      if (value === null) continue;
      if (value !== 0 && value !== 1) return false;
      seen = true;
    }
  }
  return seen;
}

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
  for (const { record, dir, arm, pair, cluster, block, part } of design.runs) {
    const owner = faultOf(record.outcome);
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
