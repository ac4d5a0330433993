import type { Message } from "../../../core/message.ts";

const OMITTED = /^Old environment output: \(\d+ lines omitted\)$/;

/**
 * Replaces old observations by a line that says how much is missing. The first one, which is the task, and the last
 * `keep` stay; demonstrations are no observations. What was replaced once is not replaced again.
 */
export function maskObservations(
  messages: readonly Message[],
  keep: number,
): { messages: Message[]; masked: number } {
  const places = messages.flatMap(({ kind }, i) => (kind === "task" || kind === "observation" ? [i] : []));
  const old = new Set(places.slice(1, Math.max(1, places.length - keep)));
  let masked = 0;
  const shown = messages.map((message, i) => {
    if (!old.has(i)) return message;
    masked++;
    return OMITTED.test(message.text) ? message : omitted(message);
  });
  return { messages: shown, masked };
}

/** The line that stands for a message: the same one each time, so that whoever counts its tokens need not count again. */
function omitted(message: Message): Message {
  let short = SHORT.get(message);
  if (!short) {
    short = { ...message, text: `Old environment output: (${lineCount(message.text)} lines omitted)` };
    SHORT.set(message, short);
  }
  return short;
}

const SHORT = new WeakMap<Message, Message>();

function lineCount(text: string): number {
  return text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
}
