import * as z from "zod";
import { parseModelSpec } from "../../models/model-spec.ts";
import { checkWords, PROMPT_WORDS } from "./agents/fill-words.ts";
import { agentPresets } from "./agents/index.ts";

const words = z
  .array(z.union([z.string(), z.array(z.string()).min(1)]))
  .min(1)
  .describe("Words of a program; a list within it is left out where one of its words would be empty");

const ownAgent = z.strictObject({
  name: z.string().min(1).describe("What reports call it"),
  command: words,
  env: z
    .record(z.string(), z.string())
    .default({})
    .describe("Environment variables; ${envvar:NAME} stands for one of yours"),
});

const published = Object.values(agentPresets).flatMap(({ name, npm }) => (npm ? [name] : []));

const ownPreset = z.strictObject({
  preset: z.string().describe(`One of ${published.join(", ")}`),
  name: z.string().min(1).optional().describe("What reports call it; the preset's name where absent"),
  args: z.array(z.string()).optional().describe("Further words for its command, before the prompt"),
  home: z
    .string()
    .min(1)
    .optional()
    .describe("A folder whose content becomes the agent's HOME: its settings, MCP servers, instructions"),
  version: z
    .string()
    .min(1)
    .optional()
    .describe("One that `assay agents install` has installed; else the one in PATH, or the newest installed"),
});

const fields = z.strictObject({
  agent: z
    .union([z.string().min(1), words, ownPreset, ownAgent])
    .default("codex")
    .describe(
      `Who solves the tasks: ${Object.keys(agentPresets).join(", ")}, {preset, args, home, version}, the words of a program with ${PROMPT_WORDS.join(" ")}, or {name, command, env}`,
    ),
  model: z.string().default("").describe("The agent's model, by the name that the agent knows it under"),
  apply_overrides: z.boolean().default(true).describe("Whether a task's overrides hold"),
  overrides: z
    .string()
    .default("")
    .describe("A file with overrides, instead of the task's own overrides.json"),
  env: z
    .record(z.string(), z.string())
    .default({})
    .describe(
      "Environment variables for the agent and the tests (those with ${envvar:NAME} for the agent alone); TIMEOUT_SEC among them is the agent's time limit in seconds",
    ),
  sandbox: z
    .string()
    .min(1)
    .default("auto")
    .describe(
      "Where agents and tests run: auto is $SANDBOX_BACKEND, else bubblewrap where it works, else directory",
    ),
  network: z
    .union([z.literal("models"), z.boolean()])
    .default("models")
    .describe(
      "What the agent reaches from bubblewrap: models: only the addresses of its models; true: everything this machine reaches, including its own services; false: nothing",
    ),
  grade_network: z
    .union([z.boolean(), z.literal("task")])
    .default("task")
    .describe("Whether tests have a network: task is what a task in its own image says, and none elsewhere"),
  build_network: z.boolean().default(true).describe("Whether builds of tasks' images have a network"),
  agent_timeout_s: z
    .number()
    .positive()
    .default(1800)
    .describe("Seconds that the agent may take, where the task says nothing; it is graded on what it left"),
  grade_timeout_s: z
    .number()
    .positive()
    .default(600)
    .describe("Seconds that one test script may take, where the task says nothing"),
  max_calls: z
    .int()
    .min(0)
    .default(0)
    .describe("Calls that the agent may make to its models; 0 means no limit"),
  max_tokens: z
    .int()
    .min(0)
    .default(0)
    .describe("Tokens, of prompts and answers, after which no further call is let through; 0 means no limit"),
  max_cost_usd: z
    .number()
    .min(0)
    .default(0)
    .describe("Dollars that the agent may spend on its models; 0 means no limit"),
  prices: z
    .string()
    .default("")
    .describe("A price file for models that the price table doesn't have; empty for none"),
  memory_mb: z
    .int()
    .min(0)
    .default(0)
    .describe("Memory of the agent or a test; 0 is the task's limit, or none"),
  disk_mb: z.int().min(0).default(0).describe("Disk of the agent or a test; 0 is the task's limit, or none"),
  judge: z
    .string()
    .default("")
    .describe("A language model that judges patches by the rubrics; empty for none"),
  judge_repeats: z.int().min(1).max(100).default(1).describe("Times that it judges the same patch"),
  judge_base_url: z
    .string()
    .default("")
    .describe("Address of the judge's server; empty is the provider's own"),
  agent_options: z
    .record(z.string(), z.json())
    .default({})
    .describe(
      "Parameters of the agent `assay`: strategy, call_limit, cost_limit, ... (see `assay list agent`)",
    ),
});

/** Every parameter of the target, also checked against each other. */
export const rolloutSchema = fields.superRefine((params, ctx) => {
  const complain = (name: keyof typeof params, message: string) =>
    ctx.addIssue({ code: "custom", path: [name], message, input: params[name] });
  const { agent, env, judge } = params;
  if (typeof agent === "string") {
    if (!Object.hasOwn(agentPresets, agent))
      complain(
        "agent",
        `${Object.keys(agentPresets).join(", ")}, or the words of a program: ["./agent.sh", "\${prompt_file}"]`,
      );
  } else if ("preset" in agent) {
    if (!published.includes(agent.preset)) complain("agent", `a preset among ${published.join(", ")}`);
  } else {
    const problem = checkWords(Array.isArray(agent) ? agent : agent.command);
    if (problem !== undefined) complain("agent", problem);
  }
  if (env.TIMEOUT_SEC !== undefined && !(Number(env.TIMEOUT_SEC) > 0))
    complain("env", "TIMEOUT_SEC to be a number of seconds");
  if (judge !== "" && !isModel(judge)) complain("judge", "a model: scripted, a preset, or provider:model");
});

function isModel(name: string): boolean {
  try {
    parseModelSpec(name);
    return true;
  } catch {
    return false;
  }
}

export type RolloutParams = z.output<typeof rolloutSchema>;
