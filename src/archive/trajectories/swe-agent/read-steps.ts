import type { Turn } from "../../../core/trajectory.ts";
import { contentText, field, isNone, type JsonObject, known, numberAt, textAt } from "../json-fields.ts";

/** A step with what it cost, where the file keeps that. Assigned one by one: spreads would cost more than the parsing. */
export function turnOf(step: JsonObject, number: number): Turn {
  const turn: Turn = {
    number,
    thought: textAt(step, "thought") ?? textAt(step, "response"),
    action: textAt(step, "action"),
    observation: contentText(field(step, "observation")),
  };
  const seconds = numberAt(step, "execution_time");
  if (seconds !== undefined) turn.toolMs = seconds * 1000;
  const stats = field(step, "turn_statistics");
  if (stats !== undefined) addStatistics(turn, stats);
  const context = field(step, "extra_info", "context");
  if (context !== undefined) addContext(turn, context);
  return turn;
}

function addStatistics(turn: Turn, stats: unknown): void {
  const tokens = field(stats, "tokens");
  const usage = known({
    input: numberAt(tokens, "raw_input"),
    cached: numberAt(tokens, "cached_input"),
    output: numberAt(tokens, "output"),
    reasoning: numberAt(tokens, "internal_reasoning"),
  });
  if (!isNone(usage)) turn.usage = usage;
  const costUsd = numberAt(stats, "cost");
  if (costUsd !== undefined) turn.costUsd = costUsd;
  const modelMs = numberAt(stats, "inference_time");
  if (modelMs === undefined) return;
  turn.modelMs = modelMs;
  if (turn.toolMs !== undefined) turn.wallMs = turn.toolMs + modelMs;
}

/** What our own files say of the strategy's work before the turn. */
function addContext(turn: Turn, given: unknown): void {
  const context = known({
    masked: numberAt(given, "masked"),
    checkpoint: textAt(given, "checkpoint") ?? undefined,
    promptTokens: numberAt(given, "prompt_tokens"),
  });
  if (!isNone(context)) turn.context = context;
}
