import type { ChartView, TrajectoryView } from "../../src/reporters/study-view.ts";
import { promptOf } from "../text/turn-facts.ts";

/** How long the prompts were, turn by turn; none where no file tells. */
export function turnChart(named: readonly { name: string; trajectory: TrajectoryView }[]): ChartView | null {
  const curves = named.flatMap(({ name, trajectory }, colour) => {
    const y = trajectory.turns.map(
      ({ usage, context }) => promptOf(usage) ?? context?.promptTokens ?? Number.NaN,
    );
    if (y.filter(Number.isFinite).length < 2) return [];
    return [{ name, colour, x: trajectory.turns.map(({ number }) => number), y }];
  });
  if (curves.length === 0) return null;
  return {
    ...{ kind: "curves", id: "prompt-tokens", title: "Prompt tokens", subtitle: "turn by turn" },
    ...{ xLabel: "turn", yLabel: "tokens in", panels: [{ title: "", curves }], notes: [] },
  };
}
