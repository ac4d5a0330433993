import type { Turn } from "../../../core/trajectory.ts";
import { contentText, field, type JsonObject, listAt, numberAt, textAt } from "../json-fields.ts";
import { usageOf } from "./usage.ts";

const FENCE = "```";
const COMMAND_FENCE = /```(?:bash|mswea_bash_command)[^\n]*\n/;

/** One answer of the model: what it thought, what it wants run, what it cost. */
export function turnOfAnswer(message: JsonObject, number: number): Turn {
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
