import { numberText, percentText } from "../src/core/number-text.ts";
import type { RunView } from "../src/reporters/study-view.ts";
import { valueText } from "./text/value-text.ts";

export interface ComparedRow {
  name: string;
  a: string;
  b: string;
  isDifferent: boolean;
}

/** What two runs were called with, the differences first. */
export function compareParams(a: RunView, b: RunView): ComparedRow[] {
  const facts = (run: RunView): Record<string, string> => ({
    variant: [run.variant, ...run.flags].join(" "),
    seed: String(run.seed),
    ...(run.task === null ? {} : { task: run.task }),
    repeat: String(run.repeat),
    ...Object.fromEntries(Object.entries(run.params).map(([name, value]) => [name, valueText(value)])),
  });
  const [left, right] = [facts(a), facts(b)];
  const rows = [...new Set([...Object.keys(left), ...Object.keys(right)])].map((name) => ({
    name,
    a: left[name] ?? "",
    b: right[name] ?? "",
    isDifferent: left[name] !== right[name],
  }));
  return rows.toSorted((x, y) => Number(y.isDifferent) - Number(x.isDifferent));
}

export interface ComparedMetric extends ComparedRow {
  unit: string;
  /** b minus a, and as a share of a; empty where one is unknown. */
  difference: string;
}

export function compareMetrics(a: RunView, b: RunView): ComparedMetric[] {
  const [left, right] = [a, b].map((run) => new Map(run.metrics.map((metric) => [metric.name, metric])));
  return [...new Set([...left!.keys(), ...right!.keys()])].map((name) => {
    const [first, second] = [left!.get(name), right!.get(name)];
    const [from, to] = [first?.value ?? null, second?.value ?? null];
    return {
      name,
      unit: (first?.unit ?? second?.unit ?? "").replace(/^1$/, ""),
      a: from === null ? "unknown" : numberText(from),
      b: to === null ? "unknown" : numberText(to),
      isDifferent: from !== to,
      difference: from === null || to === null ? "" : differenceText(from, to),
    };
  });
}

function differenceText(from: number, to: number): string {
  const gap = to - from;
  if (gap === 0) return "0";
  const sign = gap > 0 ? "+" : "−";
  const share = from === 0 ? "" : ` (${sign}${percentText(Math.abs(gap / from))})`;
  return `${sign}${numberText(Math.abs(gap))}${share}`;
}
