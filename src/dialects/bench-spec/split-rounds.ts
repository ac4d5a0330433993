import type { Study } from "../../core/study.ts";
import { readIterations } from "../iteration-count.ts";
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
  const iterations = readIterations(asked);
  const { measured } = iterations;
  if (interleave === false) return { repeats: { warmup: 0, measured: 1 }, iterations };
  const wanted = interleave === true ? ROUNDS : interleave.rounds;
  const perRound = Math.ceil(measured / Math.min(wanted, measured));
  return {
    repeats: { warmup: 0, measured: Math.ceil(measured / perRound) },
    iterations: { ...iterations, measured: perRound },
  };
}
