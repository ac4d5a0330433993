import type { Metrics, RunRecord } from "../core/run.ts";
import { type MetricSources, metricFacts, primaryMetrics, quantileFamilies } from "./metric.ts";
import { byPlace } from "./unit.ts";

/** What a run's record says of a metric over its iterations; the mean stands under the bare name. */
const ENDING = /^(.+)_(mean|min|p05|p25|p50|p95|sd|n)$/;
const TIMES = new Set(["ns", "us", "ms", "s", "min", "h"]);
/** The share of its time in which a body neither computed nor waited for a core. */
export const WAITING = "waiting_share";
/** A body that waits for longer than this is not one that other programs can only slow down. */
const MOSTLY = 0.5;

/** Which metric a name is a statistic of, and which one; undefined where it is a metric by itself. */
function statisticIn(
  name: string,
  isKnown: (name: string) => boolean,
): { of: string; statistic: string } | undefined {
  const [, of, statistic] = ENDING.exec(name) ?? [];
  if (of === undefined || statistic === undefined || !isKnown(of) || !isKnown(`${of}_sd`)) return undefined;
  return { of, statistic };
}

/** A run's number by its name. Where all iterations were alike, every statistic of them is that one value. */
export function metricValue(metrics: Metrics, name: string): number | null {
  const own = Object.hasOwn(metrics, name) ? metrics[name] : undefined;
  if (own !== undefined) return own;
  const [, of, statistic] = ENDING.exec(name) ?? [];
  if (of === undefined || !Object.hasOwn(metrics, of) || statistic === "sd" || statistic === "n") return null;
  return statistic === "mean" || !Object.hasOwn(metrics, `${of}_sd`) ? metrics[of]! : null;
}

/** The number that stands for a run when a metric is compared, and why it is that one. */
export interface ComparedAs {
  name: string;
  /** In words, where it is not simply the metric. */
  why: string | null;
}

/**
 * By which number of each run a metric is compared. Of a time over several iterations it is the fastest one where the
 * body computes, since what else the machine does can only add to it, and the median where the body mostly waits, since
 * a fast answer is then luck. All else is compared by its mean. `NAME_mean`, `NAME_p50` and so on ask for another one.
 * docs/benchmarks.md has the measurements behind it.
 * Source: J. Chen and J. Revels, "Robust benchmarking in noisy environments", arXiv:1608.04295 (2016).
 */
export function comparedAs(
  metric: string,
  records: readonly Pick<RunRecord, "metrics">[],
  sources: MetricSources = {},
): ComparedAs {
  const { unit, goal } = metricFacts(metric, sources);
  const isSpread = records.some(({ metrics }) => typeof metrics[`${metric}_min`] === "number");
  if (!isSpread || unit === null || !TIMES.has(unit) || goal === "maximize")
    return { name: metric, why: null };
  const shares = records.flatMap(({ metrics }) => metrics[WAITING] ?? []).sort((a, b) => a - b);
  const waiting = shares[Math.floor(shares.length / 2)] ?? 0;
  if (waiting > MOSTLY)
    return {
      name: `${metric}_p50`,
      why: `${metric} of a run is the median over its iterations, since the body waits ${Math.round(100 * waiting)} % of its time.`,
    };
  return {
    name: `${metric}_min`,
    why: `${metric} of a run is that of its fastest iteration: other programs can only slow down a body that computes. ${metric}_mean and ${metric}_p50 are there, too.`,
  };
}

/**
 * What a study is about, for everything that answers: the metric that its file names, else the target's main one, else the
 * first; where that is one of several summaries of the same thing, the 95th percentile of it. Null where no run has any.
 */
export function mainMetric(
  records: readonly RunRecord[],
  sources: MetricSources,
): { name: string | null; why: string | null } {
  const { analysis, infos = {} } = sources;
  if (analysis?.metric !== undefined) return comparedAs(analysis.metric, records, sources);
  const good = records.filter(({ outcome }) => outcome.status === "ok").toSorted(byPlace);
  const names = withoutStatistics([...new Set(good.flatMap(({ metrics }) => Object.keys(metrics)))]);
  const primary = primaryMetrics(names, infos)[0];
  const first = primary ?? names[0];
  if (first === undefined) return { name: null, why: null };
  if (primary !== undefined) return comparedAs(primary, records, sources);
  const family = quantileFamilies(names).find(({ stem }) => first === stem || first.startsWith(`${stem}_`));
  const tail = family?.members.find(({ quantile }) => quantile === "p95")?.name;
  return tail === undefined ? comparedAs(first, records, sources) : { name: tail, why: null };
}

/** Metrics without the statistics of others, in their order; those of `kept` stay. */
export function withoutStatistics(names: readonly string[], kept: readonly (string | null)[] = []): string[] {
  const known = new Set(names);
  return names.filter(
    (name) => kept.includes(name) || statisticIn(name, (other) => known.has(other)) === undefined,
  );
}
