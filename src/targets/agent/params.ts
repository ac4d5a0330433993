import * as z from "zod";
import { PRESETS, parseModelSpec } from "../../models/model-spec.ts";
import { sandboxes } from "../../sandboxes/index.ts";
import { strategies } from "./strategies/index.ts";

const strategyOnly = (words: string, strategies: string) => `${words} (${strategies})`;
const SUMMARIES = "llm_summary, hybrid";

/** Those of a strategy that is not used do nothing: keep them off its runs (`when:`). */
const fields = z.strictObject({
  model: z
    .string()
    .min(1)
    .default("scripted")
    .describe("The agent's model: scripted (offline), a preset such as deepseek-chat, or provider:model"),
  strategy: z
    .string()
    .min(1)
    .default("raw")
    .describe("Context strategy: raw, observation_masking, llm_summary, hybrid, or a ./file.ts"),
  summarizer_model: z
    .string()
    .min(1)
    .default("same")
    .describe("Model that writes summaries; same is the agent's, counted separately"),
  obs_n: z
    .int()
    .min(1)
    .default(10)
    .describe(strategyOnly("Observations that stay", "observation_masking, hybrid")),
  sum_n: z.int().min(1).default(21).describe(strategyOnly("Turns that become one checkpoint", SUMMARIES)),
  sum_keep_m: z
    .int()
    .min(0)
    .default(10)
    .describe(strategyOnly("Turns kept in full, fewer than sum_n", SUMMARIES)),
  static_checkpoint: z
    .boolean()
    .default(true)
    .describe(strategyOnly("Each checkpoint replaces those before it", SUMMARIES)),
  extract_actions: z
    .boolean()
    .default(false)
    .describe(strategyOnly("Checkpoints list the actions of their turns", SUMMARIES)),
  strategy_options: z
    .record(z.string(), z.json())
    .default({})
    .describe("Hyperparameters of a strategy of your own"),
  call_limit: z.int().min(0).default(250).describe("Model calls of one instance; 0 means no limit"),
  cost_limit: z.number().min(0).default(0).describe("Dollars of one instance; 0 means no limit"),
  token_limit: z
    .int()
    .min(0)
    .default(0)
    .describe("Tokens of one instance, in and out together; 0 means no limit"),
  wall_limit: z.number().min(0).default(0).describe("Seconds of one instance; 0 means no limit"),
  context_limit: z
    .int()
    .min(0)
    .default(0)
    .describe("Tokens that a prompt may have; 0 is the model's own window"),
  output_tokens: z.int().min(1).default(4096).describe("Tokens that one answer may have"),
  temperature: z.number().min(0).max(2).default(0).describe("Temperature of the agent's model"),
  format_retries: z
    .int()
    .min(0)
    .default(3)
    .describe("Times in a row that the model is asked again after an answer that can't be used"),
  repeat_limit: z
    .int()
    .min(0)
    .default(5)
    .describe("The same action with the same result this often in a row ends the run; 0 is never"),
  command_timeout: z.number().positive().default(30).describe("Seconds that a tool may take"),
  output_limit: z
    .int()
    .min(100)
    .default(16_000)
    .describe("Characters of a tool's output that the model sees: its beginning and its end"),
  retry_attempts: z
    .int()
    .min(1)
    .max(20)
    .default(1)
    .describe(
      "Attempts at an instance, each from the beginning; a reviewer scores them, the best is handed in",
    ),
  review_model: z
    .string()
    .min(1)
    .default("same")
    .describe("Model that reviews attempts; same is the agent's, counted separately"),
  sandbox: z
    .string()
    .min(1)
    .default("directory")
    .describe(
      "Where tools work: a folder of the run's own, the same apart from the machine, or in memory (scripted and replayed models only)",
    ),
  task_set: z.string().min(1).default("shipped").describe("Where tasks are: shipped, or a ./folder"),
  instances_subset: z
    .string()
    .default("all")
    .describe("Without tasks: in the study, one run does several instances: those of this subset ..."),
  instances_slice: z.string().default("").describe("... of which these, such as :10 or 5:20 ..."),
  instances_shuffle: z.boolean().default(false).describe("... in a drawn order ..."),
  instances_shuffle_seed: z.int().default(42).describe("... that this number fixes"),
  base_url: z
    .string()
    .default("")
    .describe("Address of an OpenAI- or Anthropic-compatible server; empty is the provider's own"),
  prices: z.string().default("").describe("File with prices of your own, which go before the built-in table"),
  record: z.string().default("").describe("File to record all model traffic to, for model: replay:FILE"),
  trace: z
    .boolean()
    .default(true)
    .describe("Trace every model and tool call to trace.jsonl, or to OTEL_EXPORTER_OTLP_ENDPOINT"),
});

/** Containers have no place for the tools of this agent. */
const ONLY_PROGRAMS = new Set(["docker", "podman"]);

/** Every parameter of the target, also checked against each other. */
export const agentSchema = fields.superRefine((params, ctx) => {
  const complain = (name: keyof typeof params, message: string) =>
    ctx.addIssue({ code: "custom", path: [name], message, input: params[name] });
  const { strategy, sum_n, sum_keep_m } = params;
  const isOwn = /^\.{0,2}\//.test(strategy);
  if (!isOwn && !Object.hasOwn(strategies, strategy))
    complain("strategy", `${Object.keys(strategies).join(", ")}, or a ./file.ts`);
  if (["llm_summary", "hybrid"].includes(strategy) && sum_keep_m >= sum_n)
    complain("sum_keep_m", `less than sum_n, which is ${sum_n}`);
  for (const name of ["model", "summarizer_model", "review_model"] as const) {
    const problem = params[name] === "same" ? undefined : modelProblem(params[name]);
    if (problem !== undefined) complain(name, problem);
  }
  if (ONLY_PROGRAMS.has(params.sandbox) || !Object.hasOwn(sandboxes, params.sandbox))
    complain("sandbox", "directory, bubblewrap, memory, or one of your plugins");
  if (params.sandbox === "memory" && !/^(scripted|replay)(:|$)/.test(params.model))
    complain("sandbox", "directory: memory runs what a model writes in this very process");
});

function modelProblem(model: string): string | undefined {
  try {
    parseModelSpec(model);
    return undefined;
  } catch {
    return `a model: ${Object.keys(PRESETS).join(", ")}, or provider:model`;
  }
}

export type AgentParams = z.output<typeof agentSchema>;
