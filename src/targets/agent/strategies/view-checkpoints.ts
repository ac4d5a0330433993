import type { Message } from "../../../core/message.ts";
import type { SummaryOptions } from "./options.ts";
import type { View } from "./strategy.ts";

/**
 * What is left of a conversation when its checkpoints stand for the turns before them, and which turns must become the
 * next one: the oldest n, once n + m have none. A checkpoint stands for every turn up to its own.
 */
export function viewCheckpoints(messages: readonly Message[], options: SummaryOptions): View {
  const { sumN, keepM, isStatic } = options;
  const checkpoints = messages.filter(({ kind }) => kind === "checkpoint");
  const newest = checkpoints.at(-1);
  const covered = newest?.turn ?? 0;
  const shown = messages.filter((message) =>
    message.kind === "checkpoint"
      ? !isStatic || message === newest
      : !isOfTurns(message) || message.turn > covered,
  );
  const open = [...new Set(shown.filter(isOfTurns).map(({ turn }) => turn))].filter((turn) => turn > 0);
  if (open.length < sumN + keepM) return { messages: shown, masked: 0 };
  const fromTurn = open[0]!;
  const toTurn = open[sumN - 1]!;
  return {
    messages: shown,
    masked: 0,
    summarise: {
      messages: shown.filter((message) => isOfTurns(message) && message.turn > 0 && message.turn <= toTurn),
      fromTurn,
      toTurn,
      previous: newest,
    },
  };
}

function isOfTurns({ kind }: Message): boolean {
  return kind === "action" || kind === "observation" || kind === "notice";
}
