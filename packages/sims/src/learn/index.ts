import { defineTarget, type MetricInfo } from "assay/plugin";
import * as z from "zod";
import { type ArchitectureName, architectures } from "./architectures.ts";
import { type CurriculumName, curricula } from "./terrain.ts";
import { type CurvePoint, train } from "./train.ts";

const share = () => z.number().min(0).max(1);

/** Every parameter of a training run. The seed is the run's, not a parameter. */
export const paramsSchema = z
  .strictObject({
    architecture: z
      .enum(Object.keys(architectures) as [ArchitectureName, ...ArchitectureName[]])
      .default("vit_reset")
      .describe("vit_reset sees only what is there now; trxl remembers the signs it passed"),
    curriculum: z
      .enum(Object.keys(curricula) as [CurriculumName, ...CurriculumName[]])
      .default("terrain_2")
      .describe("The maps: terrain_1 needs no memory, terrain_2 one sign, terrain_3 two"),
    steps: z.int().min(2_000).max(10_000_000).default(120_000).describe("Steps of training"),
    points: z.int().min(20).max(10_000).default(240).describe("Points of the learning curve"),
    maps: z.int().min(1).max(50).default(2).describe("Maps that episodes draw from"),
    memory: z.int().min(1).max(4).default(2).describe("Signs that trxl remembers"),
    learning_rate: z.number().gt(0).max(1).default(0.1).describe("Share of each error that is learnt"),
    discount: share().default(0.98).describe("What a reward one step later is worth"),
    hope: z
      .number()
      .min(0)
      .max(1)
      .default(0.5)
      .describe("What a move is taken to be worth until it is tried: high, and all of them are"),
    lambda: share().default(0.9).describe("From one-step (0) to whole-episode (1) returns"),
    explore_start: share().default(0.5).describe("Share of random moves at first ..."),
    explore_end: share().default(0.05).describe("... and at last"),
    explore_share: share().default(0.5).describe("Share of the steps in which it falls from first to last"),
    slip: share().default(0.1).describe("Probability that a move goes in a random direction"),
    wrong_goal_reward: z.number().min(-1).max(1).default(0.5).describe("What a goal that is not meant pays"),
    threshold: z.number().min(-2).max(1).default(0.7).describe("Reward that steps_to_threshold waits for"),
  })
  .superRefine(({ curriculum, steps, points }, ctx) => {
    const { longestEpisode } = curricula[curriculum];
    if (steps / points >= longestEpisode) return;
    ctx.addIssue({
      code: "custom",
      path: ["points"],
      message: `at most ${Math.floor(steps / longestEpisode)} with ${steps} steps, so that an episode (up to ${longestEpisode} steps in ${curriculum}) ends before each point`,
    });
  });

export type LearnParams = z.output<typeof paramsSchema>;

const LAST_POINTS = 5;
const LAST_SHARE = 0.25;

const up = (description: string): MetricInfo => ({ unit: "1", direction: "maximize", description });
const plain = (unit: string, description: string): MetricInfo => ({ unit, direction: "none", description });

/** What a run ends with, and `reward` and `success` of the series. */
const metricInfos: Record<string, MetricInfo> = {
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

/** Some tens of milliseconds of work: often enough to notice that the run should end. */
const STEPS_BETWEEN_LOOKS = 100_000;

/** Small reinforcement learning: an agent that learns its way over a terrain from nothing. */
export const learn = defineTarget({
  name: "learn",
  version: "1",
  description: "trains a small agent from scratch on grid terrains, with or without memory",
  params: paramsSchema,
  metrics: metricInfos,
  async run({ params, seed, signal, series }) {
    const curve: CurvePoint[] = [];
    const training = train(params, seed);
    let look = STEPS_BETWEEN_LOOKS;
    let next = training.next();
    for (; !next.done; next = training.next()) {
      curve.push(next.value);
      series({ ...next.value });
      if (next.value.step < look) continue;
      look = next.value.step + STEPS_BETWEEN_LOOKS;
      await new Promise((resume) => setImmediate(resume));
      signal.throwIfAborted();
    }
    return metricsOf(curve, next.value.states, params);
  },
});
