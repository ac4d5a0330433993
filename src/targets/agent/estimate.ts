import type { Message } from "../../core/message.ts";
import { usdText } from "../../core/number-text.ts";
import { parseModelSpec } from "../../models/model-spec.ts";
import { priceCall } from "../../models/prices/price.ts";
import { countPrompt, loadTokenizer } from "../../models/tokens.ts";
import { openConversation } from "./conversation.ts";
import type { AgentParams } from "./params.ts";
import { loadStrategy } from "./strategies/index.ts";
import type { View } from "./strategies/strategy.ts";
import { insertCheckpoint, makeCheckpoint, summaryRequest } from "./summary.ts";
import type { AgentTask } from "./tasks/task.ts";
import { toolSpecs } from "./tools.ts";

/** What an instance is assumed to be like; nobody knows before it ran. */
const TURNS = 50;
const OBSERVATION = "const total = items.reduce((sum, item) => sum + item, 0);\n".repeat(30);
const ANSWER_TOKENS = 100;
const SUMMARY = "- what was done, where, and how it ended\n".repeat(30);
const SUMMARY_TOKENS = 300;

export interface Estimate {
  /** Of the first call. */
  promptTokens: number;
  /** Of all calls, the summariser's too. */
  inputTokens: number;
  outputTokens: number;
  turns: number;
  /** That each turn's output is assumed to have. */
  observationTokens: number;
  /** Null where a price is unknown. */
  costUsd: number | null;
}

/** Plays the strategy on a made-up conversation, and prices its prompts as if none of them were cached. */
export async function estimateInstance(
  task: AgentTask,
  params: AgentParams,
  baseDir: string,
): Promise<Estimate> {
  const strategy = await loadStrategy(params.strategy, baseDir);
  const options = strategy.options({ ...params, ...params.strategy_options }) as never;
  const count = await loadTokenizer();
  const turns = params.call_limit > 0 ? Math.min(TURNS, params.call_limit) : TURNS;
  let messages = openConversation(task);
  const promptTokens = countPrompt(count, messages, toolSpecs);
  const agent = { input: 0, cached: 0, output: 0, reasoning: 0 };
  const summary = { input: 0, cached: 0, output: 0, reasoning: 0 };
  for (let turn = 1; turn <= turns; turn++) {
    let view: View = strategy.view(messages, options);
    while (view.summarise) {
      summary.input += countPrompt(count, summaryRequest(view.summarise, messages[1]), []);
      summary.output += SUMMARY_TOKENS;
      messages = insertCheckpoint(messages, makeCheckpoint(view.summarise, SUMMARY, params.extract_actions));
      view = strategy.view(messages, options);
    }
    agent.input += countPrompt(count, view.messages, toolSpecs);
    agent.output += ANSWER_TOKENS;
    messages.push(...aTurn(turn));
  }
  const summariser = params.summarizer_model === "same" ? params.model : params.summarizer_model;
  const costs = await Promise.all([price(params.model, agent), price(summariser, summary)]);
  return {
    promptTokens,
    inputTokens: agent.input + summary.input,
    outputTokens: agent.output + summary.output,
    turns,
    observationTokens: count(OBSERVATION),
    costUsd: costs.reduce<number | null>(
      (sum, cost) => (sum === null || cost === null ? null : sum + cost),
      0,
    ),
  };
}

function price(model: string, usage: Parameters<typeof priceCall>[1]): Promise<number | null> {
  return priceCall(parseModelSpec(model), usage, { prices: {}, atMs: Date.now() });
}

function aTurn(turn: number): Message[] {
  const id = `call_${turn}`;
  const toolCalls = [{ id, name: "bash", input: { command: `sed -n '1,30p' src/file-${turn}.js` } }];
  return [
    { role: "assistant", text: "I read the next file.", toolCalls, kind: "action", turn },
    { role: "tool", text: OBSERVATION, toolCallId: id, kind: "observation", turn },
  ];
}

/** The estimate in a sentence, with what it rests on. */
export function estimateText(estimate: Estimate): string {
  const { promptTokens, inputTokens, outputTokens, turns, observationTokens, costUsd } = estimate;
  const cost = costUsd === null ? "at a price that is unknown" : `about ${usdText(costUsd)}`;
  return (
    `first prompt ${promptTokens} tokens; an instance of ${turns} turns that each read ${observationTokens} tokens would send ` +
    `${inputTokens} tokens and get ${outputTokens}, ${cost} without any cache`
  );
}
