import type { Usage } from "../../../core/trajectory.ts";
import { field, isNone, isObject, known, numberAt } from "../json-fields.ts";

/** Tokens as providers report them, in either of OpenAI's two shapes; prompts include what was cached. */
export function usageOf(usage: unknown): Partial<Usage> | undefined {
  if (!isObject(usage)) return undefined;
  const prompt = numberAt(usage, "prompt_tokens") ?? numberAt(usage, "input_tokens");
  const cached =
    numberAt(usage, "prompt_tokens_details", "cached_tokens") ??
    numberAt(usage, "input_tokens_details", "cached_tokens");
  const details = field(usage, "completion_tokens_details") ?? field(usage, "output_tokens_details");
  const found = known({
    input: prompt === undefined ? undefined : Math.max(0, prompt - (cached ?? 0)),
    cached,
    output: numberAt(usage, "completion_tokens") ?? numberAt(usage, "output_tokens"),
    reasoning: numberAt(details, "reasoning_tokens"),
  });
  return isNone(found) ? undefined : found;
}
