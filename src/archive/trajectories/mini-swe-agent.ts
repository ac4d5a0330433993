import { isSubmitted } from "../../core/exit-category.ts";
import type { Message } from "../../core/message.ts";
import type { Account, Trajectory, Turn, Usage } from "../../core/trajectory.ts";
import {
  asObjects,
  contentText,
  field,
  isNone,
  isObject,
  type JsonObject,
  known,
  listAt,
  numberAt,
  objectsAt,
  sumOf,
  textAt,
} from "./json-fields.ts";
import { BrokenTrajectory, instanceInName, type TrajectoryReader } from "./reader.ts";

/** mini-swe-agent 2: calls of tools, their answers, and a last message that tells how it ended. */
export const miniOneOne: TrajectoryReader = {
  name: "mini-swe-agent-1.1",
  looksFor: 'trajectory_format "mini-swe-agent-1.1"',
  detects: (value) => /^mini-swe-agent-1\.\d+$/.test(textAt(value, "trajectory_format") ?? ""),
  read: (value, { name }) => readMini(value, { name, format: "mini-swe-agent-1.1" }),
};

/** mini-swe-agent 1: commands stand in the text of the answers. */
export const miniOne: TrajectoryReader = {
  name: "mini-swe-agent-1",
  looksFor: 'trajectory_format "mini-swe-agent-1", or messages beside info.mini_version',
  detects: (value) =>
    isObject(value) &&
    (textAt(value, "trajectory_format") === "mini-swe-agent-1" ||
      (listAt(value, "messages") !== undefined &&
        (field(value, "info", "mini_version") !== undefined ||
          isObject(field(value, "info", "model_stats"))))),
  read: (value, { name }) => readMini(value, { name, format: "mini-swe-agent-1" }),
};

/** The first mini-swe-agent wrote its messages and nothing else. */
export const miniBareList: TrajectoryReader = {
  name: "mini-swe-agent-0",
  looksFor: "a list of messages with role and content",
  detects: (value) => Array.isArray(value) && textAt(value[0], "role") !== null,
  read: (value, { name }) => readMini(value, { name, format: "mini-swe-agent-0" }),
};

/** Both formats of files; a bare list of messages is a file without its `info`. */
function readMini(value: unknown, { name, format }: { name: string; format: string }): Trajectory {
  const isBare = Array.isArray(value);
  if (!isBare && !isObject(value)) throw new BrokenTrajectory("no list of messages");
  if (!isBare && listAt(value, "messages") === undefined)
    throw new BrokenTrajectory("messages: expected a list");
  const messages = isBare ? asObjects(value, "messages") : objectsAt(value, "messages");
  const { wallMs, ...conversation } = readConversation(messages);
  const info = isBare ? undefined : field(value, "info");
  const stats = field(info, "model_stats");
  const config = field(info, "config");
  const end = field(messages.at(-1), "extra");
  const exitStatus = textAt(info, "exit_status") ?? textAt(end, "exit_status");
  const submission = textAt(info, "submission") ?? textAt(end, "submission");
  const limits = known({
    calls: numberAt(config, "agent", "step_limit") || undefined,
    costUsd: numberAt(config, "agent", "cost_limit") || undefined,
  });
  return {
    format,
    instance: textAt(value, "instance_id") ?? textAt(info, "instance_id") ?? instanceInName(name),
    model: textAt(config, "model", "model_name"),
    exitStatus,
    // Where nothing was submitted, the file has an empty text all the same.
    submission: submission === "" && !isSubmitted(exitStatus) ? null : submission,
    ...conversation,
    totals: known({
      ...tokensOfTurns(conversation.turns),
      costUsd: numberAt(stats, "instance_cost"),
      calls: numberAt(stats, "api_calls"),
      wallMs,
    }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
}

/** The turns of a list of messages, and what stood before the first. */
function readConversation(
  messages: readonly JsonObject[],
): Pick<Trajectory, "turns" | "opening"> & { wallMs: number | undefined } {
  const turns: Turn[] = [];
  const opening: Message[] = [];
  for (const message of messages) {
    const role = textAt(message, "role") ?? (field(message, "object") === "response" ? "assistant" : null);
    const text = contentText(field(message, "content"));
    const last = turns.at(-1);
    if (role === "assistant") turns.push(turnOfAnswer(message, turns.length + 1));
    else if (role === "exit" || text === null) continue;
    else if (last) last.observation = last.observation === null ? text : `${last.observation}\n${text}`;
    else if (role === "system") opening.push({ role, text, kind: "system", turn: 0 });
    else opening.push({ role: "user", text, kind: "task", turn: 0 });
  }
  return { turns, ...(opening.length > 0 && { opening }), wallMs: spanMs(messages) };
}

/** From the first time to the last; clocks that ran backwards tell nothing. */
export function elapsedMs(times: readonly number[]): number | undefined {
  const elapsed = times.length < 2 ? -1 : times.at(-1)! - times[0]!;
  return elapsed < 0 ? undefined : elapsed;
}

function spanMs(messages: readonly JsonObject[]): number | undefined {
  const times = messages.flatMap((message) => numberAt(message, "extra", "timestamp") ?? []);
  return elapsedMs(times.map((seconds) => seconds * 1000));
}

/** Tokens of all turns; unknown where one turn does not say. */
export function tokensOfTurns(turns: readonly Turn[]): Account {
  const names = ["input", "cached", "output", "reasoning"] as const;
  const totals: Account = {};
  for (const name of names) {
    const total = sumOf(turns.map(({ usage }) => usage?.[name]));
    if (total !== undefined) totals[name] = total;
  }
  return totals;
}

const FENCE = "```";
const COMMAND_FENCE = /```(?:bash|mswea_bash_command)[^\n]*\n/;

/** One answer of the model: what it thought, what it wants run, what it cost. */
function turnOfAnswer(message: JsonObject, number: number): Turn {
  const text = contentText(field(message, "content")) ?? contentText(field(message, "output"));
  const response = field(message, "extra", "response");
  const usage = usageOf(field(response, "usage")) ?? usageOf(field(message, "usage"));
  const commands = commandsOf(message);
  const block = commands.length > 0 || text === null ? undefined : blockIn(text);
  const thought = block ? block.before : (text ?? textAt(message, "reasoning_content"));
  const turn: Turn = {
    number,
    thought: thought === null ? null : thought.replace(/^\s*THOUGHT:\s*/, "").trimEnd(),
    action: commands.length > 0 ? commands.join("\n") : (block?.command ?? null),
    observation: null,
  };
  if (usage) turn.usage = usage;
  const costUsd = numberAt(message, "extra", "cost") ?? numberAt(response, "usage", "cost");
  if (costUsd !== undefined) turn.costUsd = costUsd;
  return turn;
}

/** The first block of a shell's commands, and what stands before it. */
function blockIn(text: string): { before: string; command: string } | undefined {
  const open = COMMAND_FENCE.exec(text);
  if (!open) return undefined;
  const start = open.index + open[0].length;
  const end = text.indexOf(FENCE, start);
  if (end < 0) return undefined;
  return { before: text.slice(0, open.index), command: text.slice(start, end).replace(/\n$/, "") };
}

/** Commands that the file lists, or that stand in the calls of tools. */
function commandsOf(message: JsonObject): string[] {
  const listed = (listAt(field(message, "extra"), "actions") ?? []).flatMap((action) => {
    const command = typeof action === "string" ? action : textAt(action, "command");
    return command === null ? [] : [command];
  });
  if (listed.length > 0) return listed;
  return (listAt(message, "tool_calls") ?? []).flatMap((call) => {
    const given = textAt(call, "function", "arguments");
    return given === null ? [] : [commandIn(given)];
  });
}

function commandIn(args: string): string {
  try {
    return textAt(JSON.parse(args), "command") ?? args;
  } catch {
    return args;
  }
}

/** Tokens as providers report them, in either of OpenAI's two shapes; prompts include what was cached. */
function usageOf(usage: unknown): Partial<Usage> | undefined {
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
