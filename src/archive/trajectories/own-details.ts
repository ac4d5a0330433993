import type { Trajectory, TurnCall } from "../../core/trajectory.ts";
import { contentText, field, isObject, type JsonObject, numberAt, objectsAt, textAt } from "./json-fields.ts";

/** What our own files tell beside SWE-agent's: which program it was, and each turn's calls of tools with their answers. */
export function withDetails(trajectory: Trajectory, file: unknown): Trajectory {
  addCalls(trajectory.turns, file);
  const name = textAt(file, "info", "agent");
  return name === null
    ? trajectory
    : { ...trajectory, agent: { name, version: textAt(file, "info", "agent_version") } };
}

function addCalls(turns: Trajectory["turns"], conversation: unknown): void {
  const messages = new Map<number, JsonObject[]>();
  for (const message of objectsAt(conversation, "history")) {
    const turn = numberAt(message, "turn") ?? 0;
    messages.set(turn, [...(messages.get(turn) ?? []), message]);
  }
  for (const turn of turns) {
    const said = messages.get(turn.number) ?? [];
    const calls = said.flatMap((message) => objectsAt(message, "tool_calls").map(callOf));
    if (calls.length === 0) continue;
    for (const message of said) {
      const [id] = (field(message, "tool_call_ids") as unknown[] | undefined) ?? [];
      const asked = calls.find((call) => call.id === id);
      if (asked) asked.answer = contentText(field(message, "content"));
    }
    const notices = said
      .filter((message) => textAt(message, "message_type") === "notice")
      .flatMap((message) => contentText(field(message, "content")) ?? []);
    Object.assign(turn, { calls, ...(notices.length > 0 && { notices }) });
  }
}

function callOf(call: JsonObject): TurnCall {
  const input = field(call, "input");
  return {
    ...{ id: textAt(call, "id") ?? "", name: textAt(call, "name") ?? "" },
    ...{ input: isObject(input) ? input : {}, answer: null },
  };
}
