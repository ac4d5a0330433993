import type { Turn, Usage } from "../../../core/trajectory.ts";
import {
  contentText,
  field,
  isNone,
  type JsonObject,
  known,
  listAt,
  numberAt,
  objectsAt,
  textAt,
} from "../json-fields.ts";

/** One step of the agent, with the answers of its tools. */
export function turnOfStep(step: JsonObject, number: number): Turn {
  const metrics = field(step, "metrics");
  const calls = objectsAt(step, "tool_calls").map((call) =>
    commandOf(textAt(call, "function_name"), field(call, "arguments")),
  );
  const results = (listAt(field(step, "observation"), "results") ?? []).flatMap(
    (result) => contentText(field(result, "content")) ?? [],
  );
  const said = contentText(field(step, "message"));
  const reasoning = textAt(step, "reasoning_content");
  const thought = [reasoning, said].filter((text) => text !== null && text !== "").join("\n\n");
  return {
    number,
    thought: thought === "" ? null : thought,
    action: calls.length === 0 ? null : calls.join("\n"),
    observation: results.length === 0 ? null : results.join("\n"),
    ...known({ usage: usageOf(metrics), costUsd: numberAt(metrics, "cost_usd"), context: contextOf(step) }),
  };
}

/** Prompts include what was cached. */
function usageOf(metrics: unknown): Partial<Usage> | undefined {
  const prompt = numberAt(metrics, "prompt_tokens");
  const cached = numberAt(metrics, "cached_tokens");
  const usage = known({
    input: prompt === undefined ? undefined : Math.max(0, prompt - (cached ?? 0)),
    cached,
    output: numberAt(metrics, "completion_tokens"),
    reasoning: numberAt(metrics, "extra", "reasoning_tokens"),
  });
  return isNone(usage) ? undefined : usage;
}

function contextOf(step: JsonObject): Turn["context"] {
  const context = known({
    masked: numberAt(step, "extra", "masked"),
    checkpoint: textAt(step, "extra", "checkpoint") ?? undefined,
  });
  return isNone(context) ? undefined : context;
}

/** A shell's command as it was typed, any other call with its arguments. */
function commandOf(name: string | null, args: unknown): string {
  const command = textAt(args, "command") ?? textAt(args, "keystrokes");
  if (command !== null) return command;
  const given = typeof args === "string" ? args : args === undefined ? "" : JSON.stringify(args);
  return `${name ?? "call"} ${given}`.trimEnd();
}
