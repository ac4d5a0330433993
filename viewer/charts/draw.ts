import { drawChart } from "../../src/plots/draw-chart.ts";
import type { ChartView } from "../../src/reporters/study-view.ts";

/** The chart as SVG, or why there is none: one that can't be drawn takes nothing else with it. */
export function draw(chart: ChartView, look: "page" | "file"): { svg: string } | { problem: string } {
  try {
    return { svg: drawChart(chart, { look }) };
  } catch (problem) {
    return { problem: `This chart can't be drawn: ${(problem as Error).message}` };
  }
}
