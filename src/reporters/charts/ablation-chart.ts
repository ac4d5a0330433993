import { ablationRatios } from "../../analysis/report/ablation.ts";
import { rangeText } from "../../core/number-text.ts";
import { axisLabel, quantileFamilies, shortName } from "../../design/metric.ts";
import type { ForestChart } from "../../plots/chart.ts";
import type { ChartView } from "../study-view.ts";
import { type ChartContext, fileName } from "./chart-context.ts";

/** What each variant does to the arm that has them: its ratio to that arm's baseline (`ablation_deltas_full_p95_ratio`). */
export function ablationDeltas({ source, design, metric, metrics, study }: ChartContext): ChartView[] {
  if (!metric) return [];
  const tail = quantileFamilies(metrics.map(({ name }) => name))
    .find(({ members }) => members.some(({ name }) => name === metric.name))
    ?.members.find(({ quantile }) => quantile === "p95");
  const chosen = metrics.find(({ name }) => name === tail?.name) ?? metric;
  const found = ablationRatios(source, design, chosen);
  if (!found) return [];
  const { arm, baseline, variants, facets, unit } = found;
  const goal = chosen.goal;
  const chart: ForestChart = {
    kind: "forest",
    title: `What each variant changes${arm === null ? "" : ` in ${arm}`}: ${chosen.name} in ${study}`,
    subtitle: `Ratio to ${baseline} by the same ${unit}${goal === null ? "" : `; ${goal === "minimize" ? "below 1 is better: a part whose removal makes it worse pays off" : "above 1 is better"}`}`,
    xLabel: `ratio of ${axisLabel(chosen)} to ${baseline}`,
    reference: 1,
    rows: variants,
    panels: facets.map(({ name, ratios }) => ({
      title: name,
      cells: ratios.map(({ ratio, verdict }) => {
        if (!ratio.known) return { why: ratio.why };
        const { value, low, high } = ratio;
        return {
          ...{ value, low, high, text: rangeText({ value, low, high }) },
          verdict: verdict === "better" || verdict === "worse" ? verdict : "none",
        };
      }),
    })),
    isShared: true,
    notes: [
      `Bar: 95 % interval of the ratio, as \`assay compare\` has it by ${unit}, widened where several variants are judged. Dashed line: no change.${goal === null ? "" : " Green: surely better; orange: surely worse; grey: can't be told."}`,
    ],
  };
  const parts = ["ablation_deltas", ...(arm === null ? [] : [arm]), shortName(chosen.name), "ratio"];
  return [{ id: fileName(parts.join("_")), ...chart }];
}
