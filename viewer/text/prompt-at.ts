import type { Trajectory, Turn } from "../../src/core/trajectory.ts";
import { actionText } from "./action-text.ts";

/** A piece of a prompt, or what is no longer in it. */
export interface PromptPart {
  label: string;
  text: string;
  /** "out": taken out before this turn. "summed": the summary stands for it, or for the older ones of its kind. */
  state: "in" | "out" | "summed";
}

/**
 * What the model was sent at a turn, put together from the turns before it and from what the file says of masking and
 * checkpoints. The oldest outputs are the masked ones; a checkpoint stands for the turns before it, of which a strategy
 * may have kept the last few: no file says how many.
 */
export function promptAt(
  { opening = [], turns }: Pick<Trajectory, "opening" | "turns">,
  number: number,
): PromptPart[] {
  const before = turns.filter((turn) => turn.number < number);
  const here = turns.find((turn) => turn.number === number);
  const summed = turns.findLast((turn) => turn.number <= number && turn.context?.checkpoint !== undefined);
  const parts: PromptPart[] = opening.map(({ kind, text }) => ({ label: kind, text, state: "in" }));
  const isSummed = (turn: Turn) => summed !== undefined && turn.number < summed.number;
  let masked = here?.context?.masked ?? 0;
  for (const turn of before) {
    if (turn.number === summed?.number) parts.push(summaryOf(summed));
    const state = isSummed(turn) ? "summed" : "in";
    const said = [turn.thought, turn.action && actionText(turn.action)].filter(Boolean).join("\n");
    if (said !== "") parts.push({ label: `turn ${turn.number}: said`, text: said, state });
    if (turn.observation === null) continue;
    const isOut = state === "in" && masked > 0;
    if (isOut) masked--;
    parts.push({
      label: `turn ${turn.number}: output`,
      text: turn.observation,
      state: isOut ? "out" : state,
    });
  }
  if (summed?.number === number) parts.push(summaryOf(summed));
  return parts;
}

function summaryOf({ context }: Turn): PromptPart {
  return { label: "summary", text: context!.checkpoint!, state: "in" };
}
