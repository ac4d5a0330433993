import type { Comparison } from "../../analysis/compare/comparison.ts";
import type { FacetEstimate } from "../../analysis/facet-estimates.ts";
import type { LearningCurve } from "../../analysis/learning-curves.ts";
import { rounded } from "../../core/number-text.ts";
import type { Design, Source } from "../../design/design.ts";
import type { MetricFacts } from "../../design/metric.ts";
import type { Arm } from "../../plots/chart.ts";
import type { Call } from "../../plots/flame-chart.ts";

/** What the charts of a report are made from. */
export interface ChartContext {
  study: string;
  source: Source;
  design: Design;
  /** The metric the study is about. */
  metric: MetricFacts | null;
  /** All metrics that a good run has, in the order of the first. */
  metrics: readonly MetricFacts[];
  comparisons: readonly Comparison[];
  /** Of the series that were read: the steps at which runs are compared, an arm's mean and its band. */
  curves: readonly ArmCurves[];
  /** Of a benchmark: its iterations, start by start, and a profile of each arm where there is one. */
  measured?: { metric: MetricFacts | null; arms: ArmIterations[] } | undefined;
}

interface ArmIterations {
  name: string;
  starts: { name: string; values: number[] }[];
  profile: Call | null;
}

export interface ArmCurves {
  metric: MetricFacts;
  /** What the steps count, where the program defined it. */
  axis: string | null;
  window: { from: number; to: number };
  arms: LearningCurve[];
  /** Runs whose series were not read, since there are many. */
  left: number;
}

/** More dots than this are a smear. */
const MOST_DOTS = 60;
/** Rows beyond this make a list, not a picture. */
const MOST_ROWS = 24;

interface Setting {
  design: Design;
  metric?: MetricFacts | null;
  /** What the chart draws along its axis, and so does not average. */
  x?: string | null;
}

/** What is averaged, and which runs these are, for a subtitle. */
export function settingOf({ design, metric, x = null }: Setting): string {
  const { facetBy, averaged, blocks, variant, arms } = design;
  const mixed = [...blocks.filter((name) => name !== x && !facetBy.includes(name)), ...averaged];
  const parts: string[] = [];
  if (facetBy.length > 0) parts.push(`a panel for each value of ${facetBy.join(", ")}`);
  if (mixed.length > 0) parts.push(`mean over ${mixed.join(", ")}`);
  if (variant !== null) parts.push(`variant ${variant}`);
  if (metric?.goal) parts.push(`${metric.goal === "maximize" ? "more" : "less"} is better`);
  const text = parts.join("; ") || (arms.length > 1 ? `${arms.length} arms` : "all runs");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** The same numbers in a unit that people read: 4,398,600 ms are 4,399 s. */
export function inReadableUnit(
  metric: MetricFacts,
  values: readonly number[],
  isRate: boolean,
): { facts: MetricFacts; factor: number } {
  if (metric.unit === null && isRate) return { facts: { ...metric, unit: "share" }, factor: 1 };
  const most = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  const larger =
    metric.unit === "ms" && most >= 10_000
      ? { unit: "s", factor: 1e-3 }
      : metric.unit === "bytes" && most >= 1e6
        ? { unit: "MB", factor: 1e-6 }
        : undefined;
  if (!larger) return { facts: metric, factor: 1 };
  const name = metric.name.replace(new RegExp(`_${metric.unit}$`, "i"), "");
  return { facts: { ...metric, name, unit: larger.unit }, factor: larger.factor };
}

/** The values of all groups times a factor. */
export function scaled(groups: readonly FacetEstimate[], factor: number): FacetEstimate[] {
  if (factor === 1) return [...groups];
  return groups.map((group) => ({
    ...group,
    values: group.values.map((value) => value * factor),
    mean: group.mean === null ? null : group.mean * factor,
    interval: group.interval.known
      ? { ...group.interval, low: group.interval.low * factor, high: group.interval.high * factor }
      : group.interval,
  }));
}

/** The ends of an estimate's interval, with as many digits as a picture has. */
export function rangeOf({ interval }: Pick<FacetEstimate, "interval">): readonly [number, number] | null {
  return interval.known ? [short(interval.low), short(interval.high)] : null;
}

/** The arms that a chart shows, and a note where it can't show all. */
export function shownArms(design: Design): { arms: string[]; notes: string[] } {
  const arms = design.arms.map(({ name }) => name);
  if (arms.length <= MOST_ROWS) return { arms, notes: [] };
  return {
    arms: arms.slice(0, MOST_ROWS),
    notes: [`The first ${MOST_ROWS} of ${arms.length} arms; the table has all.`],
  };
}

/** Arms with their colours. */
export function rowsOf({ arms }: Design, names: readonly string[]): Arm[] {
  const colours = new Map(arms.map(({ name, colour }) => [name, colour]));
  return names.map((name) => ({ name, colour: colours.get(name)! }));
}

/** Dots of a picture: evenly picked where there are more than anybody could see. */
export function someOf(values: readonly number[]): number[] {
  const step = Math.ceil(values.length / MOST_DOTS);
  return values.filter((_, i) => i % step === 0).map(short);
}

/** Whether panels can share a scale: where one is more than five times another's, it would be a sliver. */
export function canShare(reaches: readonly number[]): boolean {
  const sizes = reaches.filter((reach) => reach > 0);
  return sizes.length < 2 || Math.max(...sizes) <= 5 * Math.min(...sizes);
}

/** Enough digits for a picture; all of them only make files large. */
export function short(value: number): number {
  return Number.isFinite(value) ? rounded(value, 6) : value;
}

/** A name that can be a file's: the letters, digits and dashes of a text. */
export function fileName(text: string): string {
  return (
    text
      .replaceAll(/[^A-Za-z0-9_.-]+/g, "_")
      .replaceAll(/^[._]+|_+$/g, "")
      .slice(0, 80) || "chart"
  );
}
