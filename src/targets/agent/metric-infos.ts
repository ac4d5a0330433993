import { EXIT_CATEGORIES } from "../../core/exit-category.ts";
import type { MetricInfo, MetricInfos } from "../../core/run.ts";

type Direction = MetricInfo["direction"];

function info(unit: string, direction: Direction, description: string): MetricInfo {
  return { unit, direction, description };
}

const totals: MetricInfos = {
  solve_rate: {
    ...info("1", "maximize", "Instances whose patch passes the tests that the agent never saw"),
    range: [0, 1],
    primary: true,
  },
  submission_rate: {
    ...info("1", "maximize", "Instances that handed in a patch, right or wrong"),
    range: [0, 1],
  },
  n_instances: info("instances", "none", "Instances of the run"),
  n_solved: info("instances", "maximize", "Instances solved"),
  n_submitted: info("instances", "maximize", "Instances that handed in a patch"),
  n_empty_patches: info("instances", "minimize", "Submissions that change nothing"),
  cost_usd: info("$", "minimize", "Agent, summariser and retry loop together"),
  cache_hit_rate: info("1", "maximize", "Input tokens that the provider had kept"),
  avg_cost: info("$", "minimize", "Cost of an instance"),
  avg_turns: info("turns", "minimize", "Turns of an instance"),
  avg_api_calls: info("calls", "minimize", "Model calls of an instance, without the summariser's"),
  avg_tokens_per_turn: info("tokens", "minimize", "Input tokens of a turn"),
  total_turns: info("turns", "minimize", "Turns of all instances"),
  total_api_calls: info("calls", "minimize", "The agent's calls"),
  total_summary_api_calls: info("calls", "minimize", "The summariser's calls"),
  total_rloop_api_calls: info("calls", "minimize", "The retry loop's calls"),
  total_cost: info("$", "minimize", "Agent, summariser and retry loop together"),
  total_agent_cost: info("$", "minimize", "The agent's model"),
  total_summary_cost: info("$", "minimize", "The summariser's model"),
  total_rloop_cost: info("$", "minimize", "The retry loop's reviewer"),
  summary_cost_fraction: info("1", "none", "The summariser's share of the cost"),
  rloop_cost_fraction: info("1", "none", "The retry loop's share of the cost"),
  summary_api_fraction: info("1", "none", "The summariser's share of all calls"),
  review_score: info("points", "maximize", "What the reviewer gave the attempt that was handed in, 0 to 10"),
  rloop_api_fraction: info("1", "none", "The retry loop's share of all calls"),
  total_raw_input_tokens: info("tokens", "minimize", "Input tokens that were not kept"),
  total_cached_input_tokens: info("tokens", "none", "Input tokens that the provider had kept"),
  total_output_tokens: info("tokens", "minimize", "Output tokens"),
  total_internal_reasoning_tokens: info("tokens", "minimize", "Thinking tokens, a part of the output"),
  total_summary_raw_input_tokens: info("tokens", "minimize", "The summariser's input that was not kept"),
  total_summary_cached_input_tokens: info("tokens", "none", "The summariser's input that was kept"),
  total_summary_output_tokens: info("tokens", "minimize", "The summariser's output"),
  total_inference_time_ms: info("ms", "minimize", "Time that models took"),
  total_execution_time_ms: info("ms", "minimize", "Time that tools took"),
  max_prompt_tokens: info("tokens", "minimize", "The longest prompt"),
};

const steps: [string, string, string][] = [
  ["cost", "$", "agent's cost"],
  ["tokens_in", "tokens", "input tokens, kept ones included"],
  ["tokens_out", "tokens", "output tokens"],
  ["tokens_raw_input", "tokens", "input tokens that were not kept"],
  ["tokens_cached_input", "tokens", "input tokens that the provider had kept"],
  ["tokens_internal_reasoning", "tokens", "thinking tokens"],
  ["inference_time_ms", "ms", "time of the model"],
  ["execution_time_ms", "ms", "time of the tools"],
  ["cache_hit_rate", "1", "share of the input that was kept"],
  ["summary_cost", "$", "cost of summaries"],
];

function stepInfos(): MetricInfos {
  const infos: MetricInfos = {
    global_step: info("turns", "none", "Turns of the run so far"),
    "instance/step": info("turns", "none", "Turns of the instance so far"),
    "step/prompt_tokens": info(
      "tokens",
      "none",
      "This turn: tokens of the prompt, as counted before the call",
    ),
    "step/masked": info("messages", "none", "This turn: observations that the strategy replaced"),
  };
  for (const [prefix, since] of [
    ["step", "This turn"],
    ["instance", "Since the instance began"],
    ["cumulative", "Since the run began"],
  ] as const) {
    for (const [name, unit, words] of steps) {
      const direction = name === "cache_hit_rate" ? "maximize" : "minimize";
      infos[`${prefix}/${name}`] = info(unit, direction, `${since}: ${words}`);
    }
    if (prefix !== "step") infos[`${prefix}/api_calls`] = info("calls", "minimize", `${since}: model calls`);
  }
  return infos;
}

function exitInfos(): MetricInfos {
  const names = EXIT_CATEGORIES.filter((category) => category !== "unknown");
  return Object.fromEntries(
    names.map((name) => [
      `exit/${name}`,
      info("instances", name === "submitted" ? "maximize" : "minimize", `Instances that ended as ${name}`),
    ]),
  );
}

/** All numbers that the target gives, at its end and along its steps. */
export const metricInfos: MetricInfos = { ...totals, ...exitInfos(), ...stepInfos() };
