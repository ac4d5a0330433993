import type { Study } from "../../core/study.ts";
import { readIterations } from "../quantities.ts";
import type { Experiment } from "./schema.ts";

const ROUNDS = 10;
/** Fewer iterations than this stay together: what each start would have is too little to find its fastest. */
const WORTH_SPLITTING = 10;
const FEWEST_ROUNDS = 5;

/**
 * Arms that take turns need their iterations in rounds: a round is a repeat of the run, with its own setup and
 * warm-up. Where nobody says how many, ten or more iterations become five to ten rounds of about four, since
 * iterations of one start say nothing about the next. There are never fewer iterations than asked, and a time is shared
 * among the rounds.
 */
export function splitRounds(
  asked: Experiment["iterations"],
  interleave: Experiment["interleave"],
): Pick<Study, "repeats" | "iterations"> {
  const iterations = readIterations(asked);
  const { measured, timeMs } = iterations;
  const rounds = roundsOf(measured, interleave);
  if (rounds === 1) return { repeats: { warmup: 0, measured: 1 }, iterations };
  if (timeMs !== undefined)
    return {
      repeats: { warmup: 0, measured: rounds },
      iterations: { ...iterations, timeMs: timeMs / rounds },
    };
  const perRound = Math.ceil(measured / Math.min(rounds, measured));
  return {
    repeats: { warmup: 0, measured: Math.ceil(measured / perRound) },
    iterations: { ...iterations, measured: perRound },
  };
}

function roundsOf(measured: number, interleave: Experiment["interleave"]): number {
  if (interleave === false) return 1;
  if (interleave === true) return ROUNDS;
  if (interleave !== undefined) return interleave.rounds;
  if (measured < WORTH_SPLITTING) return 1;
  return Math.min(ROUNDS, Math.max(FEWEST_ROUNDS, Math.floor(measured / 4)));
}
