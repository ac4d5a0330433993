import type { CurvesSpec } from "../../src/plots/curves-chart.ts";
import type { ChartView, TrajectoryView } from "../../src/reporters/study-view.ts";
import { promptOf } from "../text/turn-facts.ts";

/** How long the prompts were, turn by turn; none where no file tells. */
export function turnChart(named: readonly { name: string; trajectory: TrajectoryView }[]): ChartView | null {
  const arms = named.flatMap(({ name, trajectory }) => {
    const mean = trajectory.turns.map(
      ({ usage, context }) => promptOf(usage) ?? context?.promptTokens ?? Number.NaN,
    );
    if (mean.filter(Number.isFinite).length < 2) return [];
    const none = mean.map(() => Number.NaN);
    return [
      { name, steps: trajectory.turns.map(({ number }) => number), mean, low: none, high: none, runs: [] },
    ];
  });
  if (arms.length === 0) return null;
  const spec: CurvesSpec = {
    title: "Prompt tokens",
    subtitle: "turn by turn",
    ...{ xLabel: "turn", yLabel: "tokens in", arms, notes: [] },
  };
  return { id: "prompt-tokens", title: "Prompt tokens", kind: "curves", spec };
}
