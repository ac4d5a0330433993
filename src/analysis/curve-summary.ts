import {
  areaUnderCurve,
  type Curve,
  type CurveWindow,
  curveWindow,
  lastMean,
  type Result,
  slope,
  unknownBecause,
  type Value,
} from "../stats/index.ts";

const MOST = 0.75;

/** How a curve becomes one number. */
export type CurveSummary = "auc" | "last_n" | "final" | "slope";

export interface SummaryOptions {
  summary: CurveSummary;
  /** Steps, the same for all runs. */
  from?: number;
  to?: number;
  /** The part of these steps that counts; for `auc` the last quarter unless told. */
  share?: number;
  end?: "first" | "last";
  /** Points for `last_n`. */
  lastN?: number;
}

/** One number of a learning curve, at steps that are the same for every run; declined where the run ended before. */
export function summariseCurve(curve: Curve, options: SummaryOptions): Result<Value> {
  const { summary, lastN = 5 } = options;
  const window = windowOf(options);
  if (summary === "auc") {
    const area = areaUnderCurve(curve.steps, curve.values, window);
    return area.known ? { known: true, value: area.mean } : area;
  }
  const cut = curveWindow(curve.steps, curve.values, window);
  if (!cut.known) return cut;
  if (summary === "slope") return slope(cut.steps, cut.values);
  if (summary === "last_n" && cut.values.length < lastN)
    return unknownBecause(`the window has ${cut.values.length} points and last_n asks for ${lastN}`);
  return lastMean(cut.values, summary === "final" ? 1 : lastN);
}

/** What the number is, for titles and tables. */
export function summaryText({
  summary,
  lastN = 5,
  share,
  end,
  from,
  to,
  axis,
}: SummaryOptions & { axis?: string | undefined }): string {
  const part = share ?? (summary === "auc" ? 0.25 : 1);
  const where = stepsText({ from, to, part, end, axis });
  if (summary === "auc") return `AUC over its width, ${where}`;
  if (summary === "slope") return `slope a step, ${where}`;
  if (summary === "last_n")
    return `mean of the last ${lastN} points${to === undefined ? "" : ` to ${axis ?? "step"} ${to}`}`;
  return `value at ${axis ?? "step"} ${to ?? "the last"}`;
}

function stepsText({
  from,
  to,
  part,
  end,
  axis = "steps",
}: {
  from?: number | undefined;
  to?: number | undefined;
  part: number;
  end?: string | undefined;
  axis?: string | undefined;
}): string {
  if (from === undefined || to === undefined)
    return part < 1 ? `${end ?? "last"} ${part * 100} %` : "whole curve";
  const width = (to - from) * part;
  const [first, last] = end === "first" ? [from, from + width] : [to - width, to];
  return `${axis} ${Math.round(first)} to ${Math.round(last)}`;
}

function windowOf({ summary, from, to, share, end }: SummaryOptions): CurveWindow {
  const window: CurveWindow = { share: share ?? (summary === "auc" ? 0.25 : 1), end: end ?? "last" };
  if (from !== undefined) window.from = from;
  if (to !== undefined) window.to = to;
  return window;
}

/**
 * The steps at which runs are compared: from the latest first step to the last step that three quarters of the
 * runs reach. A run that crashed early is then missing, and is not compared at other steps than the rest.
 */
export function commonWindow(curves: readonly Curve[]): { from: number; to: number } | undefined {
  const whole = curves.filter(({ steps }) => steps.length >= 2);
  if (whole.length === 0) return undefined;
  const lasts = whole.map(({ steps }) => steps.at(-1)!).sort((a, b) => b - a);
  const to = lasts[Math.ceil(MOST * lasts.length) - 1]!;
  const firsts = whole.map(({ steps }) => steps[0]!).filter((step) => step < to);
  return { from: Math.max(...firsts), to };
}
