import type { Message } from "../../../core/message.ts";
import type { Turn } from "../../../core/trajectory.ts";
import { contentText, field, type JsonObject, textAt } from "../json-fields.ts";

/** What stands before the agent's first own message. */
export function openingOf(history: readonly JsonObject[]): Message[] {
  const first = history.findIndex((entry) => isOwnAnswer(entry));
  const before = first < 0 ? history : history.slice(0, first);
  const opening: Message[] = [];
  for (const entry of before) {
    const text = contentText(field(entry, "content"));
    if (text === null) continue;
    const role = textAt(entry, "role");
    const isDemo = isDemonstration(entry);
    if (role === "system") opening.push({ role, text, kind: "system", turn: 0 });
    else if (isDemo)
      opening.push({ role: role === "assistant" ? role : "user", text, kind: "demo", turn: 0 });
    else opening.push({ role: "user", text, kind: "task", turn: 0 });
  }
  return opening;
}

/** The turns of a file that holds nothing but the conversation. */
export function turnsOfHistory(history: readonly JsonObject[]): Turn[] {
  const turns: Turn[] = [];
  for (const entry of history) {
    if (isDemonstration(entry)) continue;
    const text = contentText(field(entry, "content"));
    const role = textAt(entry, "role");
    const last = turns.at(-1);
    if (role === "assistant")
      turns.push({
        number: turns.length + 1,
        thought: textAt(entry, "thought") ?? text,
        action: textAt(entry, "action"),
        observation: null,
      });
    else if (last && role !== "system")
      last.observation = last.observation === null ? text : `${last.observation}\n${text ?? ""}`;
  }
  return turns;
}

function isOwnAnswer(entry: JsonObject): boolean {
  return textAt(entry, "role") === "assistant" && !isDemonstration(entry);
}

function isDemonstration(entry: JsonObject): boolean {
  return field(entry, "is_demo") === true || textAt(entry, "message_type") === "demo";
}
