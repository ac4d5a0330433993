import type { Message } from "../../../core/message.ts";
import type { Account, Trajectory, Turn } from "../../../core/trajectory.ts";
import { contentText, field, type JsonObject, numberAt, sumOf, textAt } from "../json-fields.ts";
import { turnOfAnswer } from "./read-answer.ts";

/** The turns of a list of messages, and what stood before the first. */
export function readConversation(
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
