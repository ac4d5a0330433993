import type { Message } from "../../core/message.ts";
import type { Trajectory, Turn, Usage } from "../../core/trajectory.ts";
import {
  booleanAt,
  contentText,
  field,
  isNone,
  type JsonObject,
  known,
  listAt,
  numberAt,
  objectsAt,
  sumOf,
  textAt,
} from "./json-fields.ts";
import { elapsedMs, tokensOfTurns } from "./mini-swe-agent.ts";
import { BrokenTrajectory, instanceInName, type TrajectoryReader } from "./reader.ts";

/** The interchange format of Harbor, all versions of it. */
export const atif: TrajectoryReader = {
  name: "atif",
  looksFor: 'schema_version "ATIF-..."',
  detects: (value) => /^ATIF/i.test(textAt(value, "schema_version") ?? ""),
  read(value, { name }): Trajectory {
    if (listAt(value, "steps") === undefined) throw new BrokenTrajectory("steps: expected a list");
    const steps = objectsAt(value, "steps").filter((step) => field(step, "is_copied_context") !== true);
    const { turns, opening } = readSteps(steps);
    const extra = field(value, "extra");
    const agent = textAt(value, "agent", "name");
    return {
      format: `atif ${textAt(value, "schema_version")!.replace(/^ATIF-?/i, "")}`.trimEnd(),
      instance: textAt(extra, "instance_id") ?? instanceInName(name),
      model: textAt(value, "agent", "model_name") ?? stepModel(steps),
      exitStatus: textAt(extra, "exit_status"),
      submission: textAt(extra, "submission"),
      ...(agent !== null && { agent: { name: agent, version: textAt(value, "agent", "version") } }),
      ...known({ isResolved: booleanAt(extra, "resolved") }),
      turns,
      totals: totalsOf(value, turns, steps),
      ...(opening.length > 0 && { opening }),
    };
  },
};

function readSteps(steps: readonly JsonObject[]): { turns: Turn[]; opening: Message[] } {
  const turns: Turn[] = [];
  const opening: Message[] = [];
  for (const step of steps) {
    const source = textAt(step, "source");
    const text = contentText(field(step, "message"));
    const last = turns.at(-1);
    if (source === "agent") turns.push(turnOfStep(step, turns.length + 1));
    else if (text === null) continue;
    else if (last) last.observation = last.observation === null ? text : `${last.observation}\n${text}`;
    else if (source === "system") opening.push({ role: "system", text, kind: "system", turn: 0 });
    else opening.push({ role: "user", text, kind: "task", turn: 0 });
  }
  return { turns, opening };
}

/** The file's own totals; where it has none, the sum over its turns. */
function totalsOf(
  value: unknown,
  turns: readonly Turn[],
  steps: readonly JsonObject[],
): Trajectory["totals"] {
  const final = field(value, "final_metrics");
  const summed = tokensOfTurns(turns);
  const prompt = numberAt(final, "total_prompt_tokens");
  const cached = numberAt(final, "total_cached_tokens");
  return known({
    input: prompt === undefined ? summed.input : Math.max(0, prompt - (cached ?? 0)),
    cached: cached ?? (prompt === undefined ? summed.cached : undefined),
    output: numberAt(final, "total_completion_tokens") ?? summed.output,
    reasoning: numberAt(final, "extra", "reasoning_tokens") ?? summed.reasoning,
    costUsd: numberAt(final, "total_cost_usd") ?? sumOf(turns.map(({ costUsd }) => costUsd)),
    calls: numberAt(value, "extra", "calls"),
    wallMs: spanMs(steps),
  });
}

function spanMs(steps: readonly JsonObject[]): number | undefined {
  const times = steps
    .map((step) => Date.parse(textAt(step, "timestamp") ?? ""))
    .filter((time) => !Number.isNaN(time));
  return elapsedMs(times);
}

function stepModel(steps: readonly JsonObject[]): string | null {
  for (const step of steps) {
    const name = textAt(step, "model_name");
    if (name !== null) return name;
  }
  return null;
}

/** One step of the agent, with the answers of its tools. */
function turnOfStep(step: JsonObject, number: number): Turn {
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
