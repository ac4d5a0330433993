import * as z from "zod";

const text = z.string().min(1);

export const amountSchema = z.union([z.number().positive(), z.string().regex(/^\d+(\.\d+)? ?%$/)]);
/** When a study ends that decides as it goes. */
export const decideSchema = z.strictObject({
  until: z
    .enum(["decided", "precise", "budget"])
    .optional()
    .describe("What to stop at. Default: precise where that is given, else decided."),
  margin: amountSchema
    .optional()
    .describe("The largest difference that doesn't matter: in the metric's unit, or 3% of its range."),
  precise: amountSchema.optional().describe("Half the width of each interval, for until: precise."),
  alpha: z.number().gt(0).lt(1).optional().describe("The chance of even one false claim. Default: 0.05."),
  power: z
    .number()
    .gt(0)
    .lt(1)
    .optional()
    .describe("Give up where a difference of the margin would have shown with this chance. Default: never."),
  range: z
    .tuple([z.number(), z.number()])
    .optional()
    .describe("The least and most that the metric can be. Default: what the target declares."),
  history: text
    .optional()
    .describe(
      "What earlier agents made of these tasks: a CSV of agents and tasks, or a study's folder. Tasks that tell most come first.",
    ),
  assume: z
    .enum(["alike", "nothing"])
    .optional()
    .describe(
      "With history: whether claims may count on the arms being like the agents of the history. Default: alike, where ten or more agents show that one may.",
    ),
});

/** When a run ends that makes no progress. */
export const doomedSchema = z.strictObject({
  metric: text.describe("What the runs report as they go, step by step: a new best is progress."),
  goal: z.enum(["minimize", "maximize"]).default("maximize").describe("Which way is better."),
  success: text.describe("The metric that says in the end whether a run succeeded."),
  atLeast: z.number().default(1).describe("It succeeded if that is at least this much."),
  rate: z
    .number()
    .gt(0)
    .lt(1)
    .default(0.05)
    .describe(
      "The share of runs that would succeed and end all the same, at most; 1 / rate - 1 must succeed first.",
    ),
});
