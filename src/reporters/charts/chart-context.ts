import type { Comparison } from "../../analysis/compare/comparison.ts";
import type { LearningCurve } from "../../analysis/learning-curves.ts";
import type { UnitValues } from "../../analysis/report/arm-values.ts";
import type { Layout } from "../../analysis/report/layout.ts";
import type { MetricFacts } from "../../analysis/report/metric-facts.ts";
import type { RunRecord } from "../../core/run.ts";

/** What the charts of a report are made from. */
export interface ChartContext {
  study: string;
  records: readonly RunRecord[];
  layout: Layout;
  /** The metric that the study is about. */
  metric: MetricFacts | null;
  /** All metrics that a good run has, in the order of the first. */
  metrics: readonly MetricFacts[];
  comparisons: readonly Comparison[];
  /** Of the series that were read: the steps at which runs are compared, an arm's mean and its band. */
  curves: readonly ArmCurves[];
}

export interface ArmCurves {
  metric: MetricFacts;
  window: { from: number; to: number };
  arms: LearningCurve[];
  /** Runs whose series were not read, since there are many. */
  left: number;
}

/** More dots than this are a smear. */
const MOST_DOTS = 60;
/** Rows beyond this make a list, not a picture. */
const MOST_ROWS = 24;

/** What is averaged, and which runs these are, for a subtitle. */
export function settingOf({ layout, metric }: { layout: Layout; metric?: MetricFacts | null }): string {
  const parts: string[] = [];
  if (layout.facetBy.length > 0) parts.push(`a panel for each value of ${layout.facetBy.join(", ")}`);
  if (layout.averaged.length > 0) parts.push(`mean over ${layout.averaged.join(", ")}`);
  if (layout.variant !== null) parts.push(`variant ${layout.variant}`);
  if (metric?.goal) parts.push(`${metric.goal === "maximize" ? "more" : "less"} is better`);
  const text = parts.join("; ") || `${layout.arms.length > 1 ? `${layout.arms.length} arms` : "all runs"}`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** The same numbers in a unit that people read: 4,398,600 ms are 4,399 s. */
export function inReadableUnit(
  metric: MetricFacts,
  values: readonly number[],
): { facts: MetricFacts; factor: number } {
  if (metric.unit === null && values.every((value) => value === 0 || value === 1))
    return { facts: { ...metric, unit: "share" }, factor: 1 };
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
export function scaled(groups: readonly UnitValues[], factor: number): UnitValues[] {
  if (factor === 1) return [...groups];
  return groups.map((group) => ({ ...group, values: group.values.map((value) => value * factor) }));
}

/** The arms that a chart shows, and a note where it can't show all. */
export function shownArms({ arms }: Layout): { arms: string[]; notes: string[] } {
  if (arms.length <= MOST_ROWS) return { arms, notes: [] };
  return {
    arms: arms.slice(0, MOST_ROWS),
    notes: [`The first ${MOST_ROWS} of ${arms.length} arms; the table has all.`],
  };
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
  return Number.isFinite(value) ? Number(value.toPrecision(6)) : value;
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
