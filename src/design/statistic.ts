import type { RunRecord } from "../core/run.ts";
import {
  type MetricSources,
  metricFacts,
  primaryMetrics,
  quantileFamilies,
  TIMES,
  withoutStatistics,
} from "./metric.ts";
import { byPlace } from "./unit.ts";

/** The share of its time in which a body neither computed nor waited for a core. */
export const WAITING = "waiting_share";
/** What the kernel counted of a run's body or program, beside its duration. */
const CPU = "cpu_ms";
/** The least that the kernel's count, in milliseconds for programs, tells apart. */
const SHORTEST_MS = 1;
/** A body that waits for longer than this is not one that other programs can only slow down. */
const MOSTLY = 0.5;

/** The number that stands for a run when a metric is compared, and why it is that one. */
export interface ComparedAs {
  name: string;
  /** In words, where it is not simply the metric. */
  why: string | null;
}

/**
 * By which number of each run a metric is compared. Of a time over several iterations it is the fastest one where the
 * body computes, since what else the machine does can only add to it, and the median where the body mostly waits, since
 * a fast answer is then luck. Where the kernel counted the processor time of a body that hardly waits, that stands for
 * its duration: time in the queue for a core is no part of it. All else is compared by its mean. `NAME_mean`, `NAME_p50`
 * and so on ask for another one. docs/benchmarks.md has the measurements behind it.
 * Source: J. Chen and J. Revels, "Robust benchmarking in noisy environments", arXiv:1608.04295 (2016).
 */
export function comparedAs(
  metric: string,
  records: readonly Pick<RunRecord, "metrics">[],
  sources: MetricSources = {},
): ComparedAs {
  const { unit, goal } = metricFacts(metric, sources);
  if (unit === null || !TIMES.has(unit) || goal === "maximize") return { name: metric, why: null };
  const shares = records.flatMap(({ metrics }) => metrics[WAITING] ?? []).sort((a, b) => a - b);
  const waiting = shares[Math.floor(shares.length / 2)];
  const isSpread = records.some(({ metrics }) => typeof metrics[`${metric}_min`] === "number");
  const counted = waiting === undefined || !isBusy(waiting) ? null : countedAs(metric, records, isSpread);
  if (counted) return counted;
  if (!isSpread) return { name: metric, why: null };
  if (waiting !== undefined && waiting > MOSTLY)
    return {
      name: `${metric}_p50`,
      why: `${metric} of a run is the median over its iterations, since the body waits ${Math.round(100 * waiting)} % of its time.`,
    };
  return {
    name: `${metric}_min`,
    why: `${metric} of a run is that of its fastest iteration: other programs can only slow down a body that computes. ${metric}_mean and ${metric}_p50 are there, too.`,
  };
}

/** One thread that computes nearly all the time; a program's helpers (collectors, compilers) may add to it. */
export const isBusy = (waiting: number): boolean => waiting <= 0.15 && waiting >= -0.35;

/** The processor time in place of a duration, where every run that has the one has the other. */
function countedAs(
  metric: string,
  records: readonly Pick<RunRecord, "metrics">[],
  isSpread: boolean,
): ComparedAs | null {
  if (metric !== "duration_ms" && metric !== "duration_s") return null;
  const timed = records.filter(({ metrics }) => typeof metrics[metric] === "number");
  if (timed.some(({ metrics }) => typeof metrics[CPU] !== "number" || metrics[CPU] < SHORTEST_MS))
    return null;
  const what = isSpread ? "the least processor time of its iterations" : "its processor time";
  return {
    name: isSpread ? `${CPU}_min` : CPU,
    why: `${metric} of a run is ${what}, since it hardly waits: what it waited for a core doesn't count. ${metric}${isSpread ? "_min" : "_mean"} asks for the time by the clock.`,
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
