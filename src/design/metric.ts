import { findMetricInfo, isPattern, type MetricInfos, type Metrics, parsePattern } from "../core/run.ts";
import type { Analysis } from "../core/study.ts";
import type { Scale } from "./arm-set.ts";

export type Goal = "minimize" | "maximize";

/** What is known of a metric besides its name. */
export interface MetricFacts {
  name: string;
  /** null where nobody said. */
  unit: string | null;
  goal: Goal | null;
  /** The least and the most that it can be, where that is known: no interval leaves it. */
  range?: readonly [number, number] | undefined;
  /** What a run that the agent broke counts as; undefined: the worst value where all values are 0 or 1, else missing. */
  failure?: "worst" | "missing" | undefined;
  /** How arms are compared on it, where the study says so. */
  scale?: Scale | undefined;
  /** Whether it is the least time over a run's iterations, or its processor time: what only the machine adds to. */
  isLeastTime?: boolean | undefined;
  /** Why it is this number of each run that is compared, where another one was asked for by the metric's plain name. */
  why?: string;
}

/** What a user asks of metrics: a goal for each, before one for all. */
export interface AskedGoals {
  goals?: Record<string, Goal> | undefined;
  goal?: Goal | undefined;
}

/**
 * Which way a metric is better and what it can be. The user's word goes first; the study's `analysis.goal` is about its
 * own metric alone; then what the target declares. Nothing is guessed but the unit, and that what is measured in
 * time, money or bytes is never below zero.
 */
export function metricFacts(
  name: string,
  { asked = {}, analysis, infos = {} }: MetricSources = {},
): MetricFacts {
  const parts = summandsOf(name, (part) => findMetricInfo(infos, part) !== undefined);
  if (parts.length > 1) {
    const facts = parts.map((part) => metricFacts(part, { analysis, infos }));
    return sumFacts(name, facts, asked.goals?.[name] ?? asked.goal);
  }
  const declared = findMetricInfo(infos, name);
  // What is said of a duration holds for its median over iterations, unless somebody says more.
  const whole = declared || name === analysis?.metric ? name : (LEVEL.exec(name)?.[1] ?? name);
  // Processor time stands for the duration that somebody asked about.
  const about =
    whole === "cpu_ms" && /^duration_m?s$/.test(analysis?.metric ?? "") ? analysis!.metric! : whole;
  const own =
    about === analysis?.metric ? analysis.goal : analysis?.also?.find(({ metric }) => metric === about)?.goal;
  const info = declared ?? findMetricInfo(infos, whole) ?? findMetricInfo(TIMED, whole);
  const direction = info === undefined || info.direction === "none" ? null : info.direction;
  const unit = info?.unit ?? unitFromName(whole);
  const decide = name === analysis?.metric ? analysis.decide : undefined;
  const range = decide?.range ?? info?.range;
  const isBounded = range?.every(Number.isFinite) === true;
  return {
    name,
    unit,
    goal: asked.goals?.[name] ?? asked.goals?.[whole] ?? asked.goal ?? own ?? direction,
    range: range ?? (unit !== null && AMOUNTS.has(unit) ? [0, Number.POSITIVE_INFINITY] : undefined),
    // Who decides as runs come in must know it before all values are there, and every other answer follows.
    failure: info?.failure ?? (decide && isBounded ? "worst" : undefined),
    isLeastTime: isLeastTime(name, infos),
    ...(about === analysis?.metric && { scale: analysis.scale }),
  };
}

function isLeastTime(name: string, infos: MetricInfos): boolean {
  const stem = name.replace(/_min$/, "");
  if (stem === name) return /^cpu_m?s$/.test(name);
  return TIMES.has(
    (findMetricInfo(infos, stem) ?? findMetricInfo(TIMED, stem))?.unit ?? unitFromName(stem) ?? "",
  );
}

/** Of these metrics, what the target calls its results, in the order in which it declares them. */
export function primaryMetrics(names: readonly string[], infos: MetricInfos): string[] {
  const declared = Object.entries(infos).filter(([, { primary }]) => primary === true);
  return declared.flatMap(([family, info]) => {
    if (!isPattern(family))
      return names.filter((name) => name === family || findMetricInfo(infos, name) === info);
    const { read } = parsePattern(family);
    // A single one needs no axis.
    return names.filter((name) => read(name)?.statistic === "").length > 1 ? [family] : [];
  });
}

/** The names that `cost+summary_cost` adds up; one name where nothing is added. */
export function summandsOf(name: string, isKnown: (name: string) => boolean): string[] {
  return name.includes("+") && !isKnown(name) ? name.split("+").map((part) => part.trim()) : [name];
}

/** What is known of a sum: what its parts agree on. */
function sumFacts(name: string, parts: readonly MetricFacts[], asked: Goal | undefined): MetricFacts {
  const shared = <T>(of: (facts: MetricFacts) => T): T | undefined =>
    parts.every((part) => of(part) === of(parts[0]!)) ? of(parts[0]!) : undefined;
  const ranges = parts.flatMap(({ range }) => (range ? [range] : []));
  const total = (end: 0 | 1) => ranges.reduce((sum, range) => sum + range[end], 0);
  return {
    name,
    unit: shared(({ unit }) => unit) ?? null,
    goal: asked ?? shared(({ goal }) => goal) ?? null,
    range: ranges.length === parts.length ? [total(0), total(1)] : undefined,
    failure: shared(({ failure }) => failure),
    isLeastTime: parts.every((part) => part.isLeastTime),
  };
}

/** Who may know something of a metric. */
export interface MetricSources {
  asked?: AskedGoals;
  analysis?: Analysis | undefined;
  /** What the target declares. */
  infos?: MetricInfos;
}

/** A statistic over iterations that is on the scale of the metric itself. */
const LEVEL = /^(.+)_(?:mean|min|p05|p25|p50|p95)$/;
/** What the instrument `timing` measures. */
const TIMED: MetricInfos = {
  duration_ms: { unit: "ms", direction: "minimize" },
  duration_s: { unit: "s", direction: "minimize" },
  cpu_ms: { unit: "ms", direction: "minimize" },
};

/** Units of time. */
export const TIMES: ReadonlySet<string> = new Set(["ns", "us", "ms", "s", "min", "h"]);
const AMOUNTS = new Set([...TIMES, "USD", "$", "bytes", "KB", "MB", "GB"]);
const ENDINGS: [RegExp, string][] = [
  [/(^|_)ms$/, "ms"],
  [/(^|_)(s|seconds)$/, "s"],
  [/(^|_)usd$/, "USD"],
  [/(^|_)bytes$/, "bytes"],
];
/** What a summary of something adds to its name: `duration_ms_p95`. */
const SUMMARY = /_(p\d+|mean|sd|min|max|total)$/;

/** `makespan_p95_ms` and `duration_ms_p95` say their unit themselves. */
function unitFromName(metric: string): string | null {
  const bare = metric.replace(SUMMARY, "");
  return ENDINGS.find(([ending]) => ending.test(metric) || ending.test(bare))?.[1] ?? null;
}

const PLAIN = new Set(["", "1"]);
const SHARES = /(^|_|\/)(share|rate|ratio|utilization|utilisation|accuracy|success|fraction)(_|$)/;
const COUNTS =
  /(^|_|\/)(count|n|num|turns|steps|tokens|calls|retries|timeouts|events|episodes|states|runs|errors|attempts|exits?)(_|$|\/)/;

/** A metric's name for an axis, with its unit; where there is none it says what the number is, or that nobody said. */
export function axisLabel({ name, unit }: Pick<MetricFacts, "name" | "unit">): string {
  if (unit !== null && !PLAIN.has(unit)) {
    const ending = `_${unit.toLowerCase()}`;
    return `${name.toLowerCase().endsWith(ending) ? name.slice(0, -ending.length) : name} (${unit})`;
  }
  if (SHARES.test(name)) return `${name} (ratio)`;
  if (COUNTS.test(name)) return `${name} (count)`;
  return `${name} (${unit === null ? "unit not declared" : "no unit"})`;
}

/** The end of a name such as `makespan_p95_ms`. */
const QUANTILE = /^(.+)_p(50|90|95|99|999)(_[a-z]+)?$/;

/** Metrics that are quantiles of one thing. */
export interface MetricFamily {
  /** `makespan` of `makespan_p50_ms`, `makespan_p95_ms`. */
  stem: string;
  /** Sorted by quantile. */
  members: { name: string; quantile: string }[];
}

/** Two or more quantiles of the same thing, found by their names. */
export function quantileFamilies(names: readonly string[]): MetricFamily[] {
  const families = new Map<string, MetricFamily>();
  for (const name of names) {
    const match = QUANTILE.exec(name);
    if (!match) continue;
    const key = JSON.stringify([match[1], match[3] ?? ""]);
    const family = families.get(key) ?? { stem: match[1]!, members: [] };
    family.members.push({ name, quantile: `p${match[2]}` });
    families.set(key, family);
  }
  const found = [...families.values()].filter(({ members }) => members.length > 1);
  for (const { members } of found) members.sort((a, b) => shareOf(a.quantile) - shareOf(b.quantile));
  return found;
}

/** `p95` of `makespan_p95_ms`; the whole name where there is no quantile in it. */
export function shortName(metric: string): string {
  const match = QUANTILE.exec(metric);
  return match ? `p${match[2]}` : metric;
}

/** `cost` of `cost_mean`, `latency` of `latency_mean_ms`. */
export function stemOf(metric: string): string {
  return metric.replace(/_(mean|avg|average)(_[a-z]+)?$/, "");
}

function shareOf(quantile: string): number {
  return Number(`0.${quantile.slice(1)}`);
}

/** What a run's record says of a metric over its iterations; the mean stands under the bare name. */
const ENDING = /^(.+)_(mean|min|p05|p25|p50|p95|sd|n)$/;
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

/** Metrics without the statistics of others, in their order; those of `kept` stay. */
export function withoutStatistics(names: readonly string[], kept: readonly (string | null)[] = []): string[] {
  const known = new Set(names);
  return names.filter(
    (name) => kept.includes(name) || statisticIn(name, (other) => known.has(other)) === undefined,
  );
}
