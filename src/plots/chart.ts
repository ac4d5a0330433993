import type { DistributionChart, QuantilesChart } from "./check-charts.ts";
import type { FlameChart } from "./flame-chart.ts";
import type { IterationChart } from "./iteration-charts.ts";
import type { RadialChart } from "./radial-chart.ts";
import type { RunsChart } from "./run-chart.ts";

/** Every chart is one of these: plain data that goes through JSON, in which what is no number becomes null. */
export type Chart =
  | ArmsChart
  | BarsChart
  | ContourChart
  | CurvesChart
  | DistributionChart
  | FlameChart
  | ForestChart
  | HistoryChart
  | IterationChart
  | PairedChart
  | ParallelChart
  | PrecisionChart
  | QuantilesChart
  | RadialChart
  | RunsChart
  | ScatterChart
  | SliceChart
  | StackChart
  | StepsChart;

/** What stands around every chart. */
export interface ChartText {
  title: string;
  subtitle: string;
  /** What bars, bands and points mean; below the chart. */
  notes: string[];
}

export interface AxesText extends ChartText {
  xLabel: string;
  yLabel: string;
}

/** Rows below each other, panels side by side. */
interface RowsText extends ChartText {
  xLabel: string;
  /** One scale for all panels. */
  isShared: boolean;
}

/** Whoever makes the charts of a study gives each arm one colour slot, so that it looks the same in all of them. */
export interface Arm {
  name: string;
  colour: number;
}

export type Range = readonly [low: number, high: number];
export type Goal = "minimize" | "maximize";
export type Verdict = "better" | "worse" | "none";

/** Arms below each other, facets side by side: every value as a dot, the mean and its interval above them. */
export interface ArmsChart extends RowsText {
  kind: "arms";
  /** Arms that share a letter can't be told apart. */
  rows: (Arm & { letters?: string })[];
  panels: { title: string; cells: (ArmCell | null)[] }[];
}

/** One arm in one facet. */
export interface ArmCell {
  /** Some of them, where there are many. */
  values: readonly number[];
  n: number;
  mean: number;
  interval: Range | null;
  /** Why there is no interval. */
  remark?: string;
}

/** Rows of bars from zero with an interval at their end and the number beside. */
export interface BarsChart extends RowsText {
  kind: "bars";
  rows: Arm[];
  /** What the bars of one row are: p50, p95, p99. One bar has no legend. */
  series: string[];
  /** `bars[row][series]`. */
  panels: { title: string; bars: (Bar | null)[][] }[];
}

export interface Bar {
  value: number;
  interval: Range | null;
  n: number;
}

/** What a whole is made of: exits, tokens, money, as pieces of one bar per row. */
export interface StackChart extends RowsText {
  kind: "stack";
  rows: string[];
  series: string[];
  /** `parts[row][series]`, none negative. */
  panels: { title: string; parts: number[][] }[];
  /** The parts are shares of one. */
  isShare: boolean;
}

/** Differences or ratios against one arm: a point, its interval, and the line where nothing differs. */
export interface ForestChart extends RowsText {
  kind: "forest";
  /** Where nothing differs: 0 for differences, 1 for ratios. */
  reference: number;
  rows: string[];
  panels: { title: string; cells: (ForestCell | { why: string })[] }[];
  /** Ticks in percent. */
  isPercent?: boolean;
}

export interface ForestCell {
  value: number;
  low: number;
  high: number;
  /** `+12 % [3, 21]`, beside the row. */
  text: string;
  verdict: Verdict;
}

/** A number against another, one line per arm with its band: learning curves, profiles, a metric over a setting. */
export interface CurvesChart extends AxesText {
  kind: "curves";
  xScale?: "linear" | "log";
  yScale?: "linear" | "log";
  /** Stairs: a value holds until the next x. */
  shape?: "line" | "stairs";
  /** Each value has a dot, and the x axis a tick for it: settings that were tried, not steps of a run. */
  hasDots?: boolean;
  /** Values of y are shares of one. */
  isPercent?: boolean;
  panels: { title: string; curves: Curve[] }[];
}

/** Curves may begin and end at different x. */
export interface Curve extends Arm {
  x: readonly number[];
  y: readonly number[];
  /** The band; no number where there is none. */
  low?: readonly number[];
  high?: readonly number[];
  /** Each run's own curve on the same x, drawn thin. */
  runs?: readonly (readonly number[])[];
}

/** Precision against the number of seeds, a panel for each summary, with the threshold and the n that reaches it. */
export interface PrecisionChart extends AxesText {
  kind: "precision";
  threshold: number;
  panels: { title: string; arms: PrecisionArm[] }[];
}

export interface PrecisionArm extends Arm {
  n: readonly number[];
  middle: readonly number[];
  low: readonly number[];
  high: readonly number[];
  /** Seeds that there are; the curve beyond is a projection. */
  pilot: number;
  /** The n that is enough, if it is on the curve. */
  enough: number | null;
  /** In place of a curve: why there is none. */
  why?: string;
}

/** A metric over the states of the code, a panel for each cell: every point, the levels, the steps between them. */
export interface StepsChart extends AxesText {
  kind: "steps";
  panels: StepsPanel[];
}

export interface StepsPanel {
  title: string;
  points: { label: string; mean: number; interval: Range | null }[];
  /** The first point of each new level, with what is said of it. */
  steps: { at: number; label: string; verdict: Verdict }[];
  /** One level more than there are steps. */
  levels: number[];
}

/** Pairs as lines from arm to arm, and beside them their differences with the mean difference's interval. */
export interface PairedChart extends ChartText {
  kind: "paired";
  yLabel: string;
  differenceLabel: string;
  goal: Goal | null;
  /** The arm that is subtracted, and the other one. */
  names: readonly [string, string];
  pairs: { name: string; first: number; second: number }[];
  /** In percent of the first where `isRatio`. */
  difference: number;
  interval: Range | null;
  isRatio?: boolean;
}

/** One point per arm with intervals both ways, and the line of those that nothing beats. */
export interface ScatterChart extends AxesText {
  kind: "scatter";
  panels: {
    title: string;
    points: ScatterPoint[];
    /** Indices of the points that no other beats on both axes, from left to right; empty where no goal is known. */
    front: number[];
  }[];
}

export interface ScatterPoint extends Arm {
  x: number;
  y: number;
  xInterval: Range | null;
  yInterval: Range | null;
  /** Written beside the point, also where there are too many to name all. */
  label?: string;
  tip?: string;
  /** One of a cloud that others stand out from. */
  isFaint?: boolean;
}

/** Every point of a search in the order in which it came, and the best so far. */
export interface HistoryChart extends AxesText {
  kind: "history";
  goal: Goal;
  points: HistoryPoint[];
  /** Beyond this, towards worse, values are drawn at the edge; null where none is. */
  fence: number | null;
}

export interface HistoryPoint {
  number: number;
  /** null where it failed. */
  value: number | null;
  interval: Range | null;
  /** "missed": it does not keep the constraints. */
  state: "ok" | "missed" | "stopped" | "unfinished" | "failed";
  tip: string;
}

/** How the values of one parameter lie along an axis; where it is inactive, its value is null. */
export interface ParameterAxis {
  name: string;
  kind: "number" | "category";
  scale: "linear" | "log";
  domain: Range;
  /** Of categories; a value is a place in this list. */
  labels: readonly string[];
  hasAbsent: boolean;
  /** The values themselves where they are few. */
  ticks?: readonly number[];
}

/** What the colours from worst to best stand for. */
export interface RampText {
  label: string;
  worst: number;
  middle: number;
  best: number;
}

/** One line per point through its value on every axis, coloured by how good it is. */
export interface ParallelChart extends ChartText {
  kind: "parallel";
  /** The objective's comes last. */
  axes: ParameterAxis[];
  lines: { values: (number | null)[]; share: number; isBest: boolean; tip: string }[];
  ramp: RampText;
}

/** The objective against each parameter, one panel per parameter, all with the same height. */
export interface SliceChart extends ChartText {
  kind: "slice";
  yLabel: string;
  goal: Goal;
  fence: number | null;
  panels: { axis: ParameterAxis; values: (number | null)[] }[];
  /** In the order of the panels' values. */
  points: (SearchedPoint & { value: number })[];
}

interface SearchedPoint {
  isFull: boolean;
  isBest: boolean;
  tip: string;
}

/** Two parameters against each other: what a model expects as colour, and the points that were tried. */
export interface ContourChart extends ChartText {
  kind: "contour";
  x: ParameterAxis;
  y: ParameterAxis;
  /** What a model expects, from 0 for the worst cell to 1 for the best: rows from the y axis's beginning. */
  cells: { across: (number | null)[]; up: (number | null)[]; shares: number[][] };
  points: (SearchedPoint & { x: number | null; y: number | null; share: number })[];
  ramp: RampText;
}
