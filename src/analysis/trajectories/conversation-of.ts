import type { Message } from "../../core/message.ts";
import type { Trajectory, Turn } from "../../core/trajectory.ts";

/** The conversation that a trajectory tells: what was given, then each turn's action and what came back. */
export function conversationOf({ opening = [], turns }: Trajectory): Message[] {
  return [...opening, ...turns.flatMap(messagesOf)];
}

function messagesOf(turn: Turn): Message[] {
  const action: Message = { role: "assistant", text: answerText(turn), kind: "action", turn: turn.number };
  if (turn.observation === null) return [action];
  return [action, { role: "user", text: turn.observation, kind: "observation", turn: turn.number }];
}

/** What the model said; some formats keep the command in the thought, too. */
export function answerText({ thought, action }: Turn): string {
  if (thought === null || action === null) return thought ?? action ?? "";
  return thought.includes(action.trim()) ? thought : `${thought}\n${action}`;
}
