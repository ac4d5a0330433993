import { defineTarget, RandomStream, z } from "assay/plugin";

const STRATEGIES = ["raw", "observation_masking", "llm_summary", "hybrid"] as const;
const MODELS = [
  "deepseek-chat",
  "bedrock-qwen3-32b",
  "glm-4.6",
  "kimi-k2",
  "minimax-m2",
  "gpt-4o-mini",
] as const;
/** Made up: how far a model is from the first one, in solve rate and in price. */
const SKILL = {
  "deepseek-chat": 0,
  "bedrock-qwen3-32b": -0.08,
  "glm-4.6": 0.02,
  "kimi-k2": 0.03,
  "minimax-m2": -0.02,
  "gpt-4o-mini": -0.15,
};
const PRICE = {
  "deepseek-chat": 1,
  "bedrock-qwen3-32b": 0.7,
  "glm-4.6": 1.4,
  "kimi-k2": 1.6,
  "minimax-m2": 0.9,
  "gpt-4o-mini": 0.5,
};
/** Solve rate and dollars a task at the published settings, for the first model. */
const PUBLISHED = {
  raw: [0.534, 1.286],
  observation_masking: [0.548, 0.61],
  llm_summary: [0.538, 0.637],
  hybrid: [0.55, 0.58],
};

/**
 * A test function that stands in for an agent with a context-management strategy: no model is asked and nothing is
 * solved. Its shape is made up so that a search has something to find, near the settings that were published.
 */
export default defineTarget({
  name: "context-stand-in",
  description: "test function with the parameters of a context-management study",
  params: z.strictObject({
    model: z.enum(MODELS).default("deepseek-chat").describe("Model of the agent"),
    strategy: z.enum(STRATEGIES).default("raw").describe("What is done about a long context"),
    summarizer: z.enum(MODELS).optional().describe("Model that summarises"),
    obs_n: z.int().min(1).optional().describe("Observations that are kept"),
    sum_n: z.int().min(1).optional().describe("Turns that become one summary (s)"),
    sum_keep_m: z.int().min(0).optional().describe("Turns that stay beside it (k)"),
    static_checkpoint: z.boolean().optional().describe("Each checkpoint replaces those before it"),
    extract_actions: z.boolean().optional().describe("Actions are listed apart"),
    tasks: z.int().min(1).default(50).describe("Tasks in one run"),
  }),
  metrics: {
    solve_rate: { unit: "1", direction: "maximize", description: "Tasks solved" },
    submission_rate: {
      unit: "1",
      direction: "maximize",
      description: "Tasks with an answer, right or wrong",
    },
    usd_a_task: { unit: "$", direction: "minimize", description: "What a task would cost; nothing is spent" },
  },
  run({ params, seed, series }) {
    const { model, strategy, summarizer = model, tasks } = params;
    const [published, dollars] = PUBLISHED[strategy] as [number, number];
    const off = distance(params);
    const chance = published + SKILL[model] + SKILL[summarizer] / 5 - 0.12 * off;
    const price = dollars * PRICE[model] * (1 + 0.3 * off);
    // One number a task, whatever the settings: two settings under one seed meet the same tasks.
    const stream = new RandomStream(seed, "difficulty");
    let solved = 0;
    let submitted = 0;
    for (let task = 0; task < tasks; task++) {
      const difficulty = stream.uniform(task);
      solved += Number(difficulty < chance);
      submitted += Number(difficulty < chance + 0.3);
      series({ step: task + 1, solve_rate: solved / (task + 1) });
    }
    return { solve_rate: solved / tasks, submission_rate: submitted / tasks, usd_a_task: price };
  },
});

/** How far the settings are from the best ones, each counted where its strategy has it. */
function distance(params: Record<string, unknown>): number {
  const apart = (name: string, best: number) =>
    typeof params[name] === "number" ? Math.log(Math.max(params[name], 0.5) / best) ** 2 : 0;
  const toggles =
    Number(params.static_checkpoint === false) * 0.1 + Number(params.extract_actions === true) * 0.05;
  return apart("obs_n", 12) + apart("sum_n", 21) + apart("sum_keep_m", 9) + toggles;
}
