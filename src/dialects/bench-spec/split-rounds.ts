import type { Study } from "../../core/study.ts";
import type { Experiment } from "./schema.ts";

const ROUNDS = 10;

/**
 * Arms that take turns need their iterations in rounds: a round is a repeat of the run, with its own setup and
 * warm-up. Without a number of rounds there are at most ten of equal size, and never fewer iterations than asked.
 */
export function splitRounds(
  asked: Experiment["iterations"],
  interleave: Experiment["interleave"],
): Pick<Study, "repeats" | "iterations"> {
  const { warmup, measured } = typeof asked === "number" ? { warmup: 0, measured: asked } : asked;
  if (interleave === false) return { repeats: { warmup: 0, measured: 1 }, iterations: { warmup, measured } };
  const wanted = interleave === true ? ROUNDS : interleave.rounds;
  const perRound = Math.ceil(measured / Math.min(wanted, measured));
  return {
    repeats: { warmup: 0, measured: Math.ceil(measured / perRound) },
    iterations: { warmup, measured: perRound },
  };
}
