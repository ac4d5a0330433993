import type { Message } from "../../core/message.ts";
import type { Trajectory, Turn } from "../../core/trajectory.ts";

export interface Caps {
  textChars: number;
  mostTurns: number;
}

/** A trajectory small enough to be shown: long texts lose their middle, long lists their end. */
export function capTrajectory(trajectory: Trajectory, caps: Caps): Trajectory & { leftTurns: number } {
  const cut = (text: string) => cutMiddle(text, caps.textChars);
  const cutOrNull = (text: string | null) => (text === null ? null : cut(text));
  const { turns, opening, summaries, submission, ...rest } = trajectory;
  const shown = turns.slice(0, caps.mostTurns).map((turn): Turn => {
    const { thought, action, observation, context } = turn;
    return {
      ...turn,
      thought: cutOrNull(thought),
      action: cutOrNull(action),
      observation: cutOrNull(observation),
      ...(context?.checkpoint !== undefined && {
        context: { ...context, checkpoint: cut(context.checkpoint) },
      }),
    };
  });
  return {
    ...rest,
    submission: cutOrNull(submission),
    turns: shown,
    leftTurns: turns.length - shown.length,
    ...(opening && { opening: opening.map((message): Message => ({ ...message, text: cut(message.text) })) }),
    ...(summaries && { summaries: summaries.slice(0, caps.mostTurns).map(cut) }),
  };
}

/** The beginning and the end say most; between them stands how much is missing. */
function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.ceil(most * 0.6);
  const tail = most - head;
  return `${text.slice(0, head)}\n[... ${text.length - most} characters left out ...]\n${text.slice(text.length - tail)}`;
}
