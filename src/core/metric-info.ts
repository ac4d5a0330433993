import { isPattern, parsePattern } from "./metric-pattern.ts";
import type { Params } from "./params.ts";

/** What a target says of one of its metrics. study.json repeats it, so that readers need not load the target. */
export interface MetricInfo {
  unit: string;
  /** Which way is better. */
  direction: "minimize" | "maximize" | "none";
  description?: string;
  /** The least and the most that it can be: no interval leaves it. */
  range?: readonly [number, number];
  /**
   * What a run counts as that the measured thing itself failed (owner: agent): the end of `range` that is worse, or
   * missing, which is the default.
   */
  failure?: "worst" | "missing";
  /** What the study is about unless its file says otherwise; those that are stand first. */
  primary?: true;
  /** Of a pattern: what the metric is called, where its name without the braces says too little. */
  label?: string;
  /** Of a pattern: the setting that the others are compared with, such as `{ mode: "disk" }`. */
  baseline?: Params;
}

/**
 * By name; `rubric/*` stands for every name that begins with `rubric/`, `build_us.{algorithm}.n{agents}` for names such as
 * `build_us.quadtree.n100`, whose parts are then settings like any other.
 */
export type MetricInfos = Record<string, MetricInfo>;

export function findMetricInfo(infos: MetricInfos, metric: string): MetricInfo | undefined {
  const family = metric.includes("/") ? [`${metric.split("/")[0]}/*`] : [];
  // build_ms.quadtree is a build_ms.
  const names = [metric, metric.split(".")[0]!, ...family];
  const known =
    names.find((name) => Object.hasOwn(infos, name)) ??
    Object.keys(infos).find((key) => isPattern(key) && parsePattern(key).read(metric)?.statistic === "");
  return known === undefined ? undefined : infos[known];
}
