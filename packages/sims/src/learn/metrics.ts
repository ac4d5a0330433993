import type { MetricInfo } from "assay/plugin";
import type { LearnParams } from "./params.ts";
import type { CurvePoint } from "./train.ts";

const LAST_POINTS = 5;
const LAST_SHARE = 0.25;

const up = (description: string): MetricInfo => ({ unit: "1", direction: "maximize", description });
const plain = (unit: string, description: string): MetricInfo => ({ unit, direction: "none", description });

/** What a run ends with, and `reward` and `success` of the series. */
export const metricInfos: Record<string, MetricInfo> = {
  reward: up("Along the steps: mean reward of the episodes that ended since the point before"),
  success: up("Along the steps: share of them that ended at the goal that pays in full"),
  reward_final: up("Mean reward of an episode over the last five points"),
  reward_auc_last25: up("Mean height of the reward curve over the last quarter of the steps (trapezoids)"),
  reward_auc: up("The same over all steps: learning early counts too"),
  reward_first: plain("1", "Mean reward over the first five points, before much is learnt"),
  success_final: up("Share of episodes that end at the goal that pays in full, over the last five points"),
  steps_to_threshold: {
    unit: "steps",
    direction: "minimize",
    description: "When five points in a row first reach `threshold` on average; unknown where they never do",
  },
  episodes: plain("1", "Episodes that ended"),
  states: plain("1", "States in which the agent has tried a move: the size of what it learnt"),
};

/** The numbers that a run ends with. */
export function metricsOf(
  curve: CurvePoint[],
  states: number,
  { threshold }: LearnParams,
): Record<string, number | null> {
  const rewards = curve.map(({ reward }) => reward);
  const last = curve.slice(-LAST_POINTS);
  return {
    reward_final: mean(rewards.slice(-LAST_POINTS)),
    reward_auc_last25: meanHeight(curve, LAST_SHARE),
    reward_auc: meanHeight(curve, 1),
    reward_first: mean(rewards.slice(0, LAST_POINTS)),
    success_final: mean(last.map(({ success }) => success)),
    steps_to_threshold: stepsTo(threshold, curve),
    episodes: curve.at(-1)!.episodes,
    states,
  };
}

/** The area under the last share of the curve, in steps, over the width of that piece. */
function meanHeight(curve: CurvePoint[], share: number): number {
  const to = curve.at(-1)!.step;
  const from = to - share * (to - curve[0]!.step);
  let area = 0;
  for (let i = 1; i < curve.length; i++) {
    const [left, right] = [curve[i - 1]!, curve[i]!];
    if (right.step <= from) continue;
    const begin = Math.max(from, left.step);
    const height =
      left.reward + ((begin - left.step) / (right.step - left.step)) * (right.reward - left.reward);
    area += (right.step - begin) * (height + right.reward) * 0.5;
  }
  return area / (to - from);
}

function stepsTo(threshold: number, curve: CurvePoint[]): number | null {
  for (let end = LAST_POINTS; end <= curve.length; end++) {
    const piece = curve.slice(end - LAST_POINTS, end);
    if (mean(piece.map(({ reward }) => reward)) >= threshold) return piece.at(-1)!.step;
  }
  return null;
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
