import type { Step } from "../../analysis/history/detect-steps.ts";
import type { CellHistory, HistoryFindings } from "../../analysis/history/history.ts";
import { judgeStep, stepSize } from "../../analysis/history/step-sentence.ts";
import type { StepsChart, Verdict } from "../../plots/chart.ts";

/** More panels than this are no picture any more. */
const MOST_PANELS = 8;

/** A panel a cell: points with intervals, levels and steps. */
export function historyChart({ metric, unit, goal, cells, points }: HistoryFindings): StepsChart {
  const shown = cells.slice(0, MOST_PANELS);
  const left = cells.length - shown.length;
  return {
    kind: "steps",
    title: `${metric} over ${points === "commit" ? "commits" : "launches"}`,
    subtitle: [...new Set(cells.map(({ target }) => target))].join(", "),
    xLabel: points === "commit" ? "commit" : "launch",
    yLabel: unit === null ? metric : `${metric} (${unit})`,
    panels: shown.map((cell) => {
      const steps = cell.steps.known ? cell.steps.steps : [];
      return {
        title: cell.name,
        points: cell.points.map(({ label, mean, interval }) => ({
          ...{ label, mean, interval: interval && ([interval.low, interval.high] as const) },
        })),
        steps: steps.map((step) => ({ at: step.at, label: stepSize(step), verdict: verdictOf(step, goal) })),
        levels: cell.steps.known ? levelsOf(cell, steps) : [],
      };
    }),
    notes: [
      "Ring: mean. Bar: its 95 % interval, or that of the iterations where there is one run. Line: level between steps. Dashed: a step that chance does not explain (permutation test at 5 %, unless told otherwise); green where it is better, orange where it is worse.",
      ...(left > 0 ? [`${left} more cells are not drawn: --where chooses.`] : []),
    ],
  };
}

function verdictOf(step: Step, goal: HistoryFindings["goal"]): Verdict {
  const verdict = judgeStep(step, goal);
  return verdict === "changed" ? "none" : verdict;
}

function levelsOf({ points }: CellHistory, steps: readonly Step[]): number[] {
  if (steps.length > 0) return [steps[0]!.before, ...steps.map(({ after }) => after)];
  return [points.reduce((sum, { mean }) => sum + mean, 0) / points.length];
}
