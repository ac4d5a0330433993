import * as z from "zod";
import { type ArchitectureName, architectures } from "./architectures/index.ts";
import { type CurriculumName, curricula } from "./curricula.ts";

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
