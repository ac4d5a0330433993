import type { ZodType } from "zod";
import { type Member, markMember } from "../../core/family.ts";
import type { Params } from "../../core/params.ts";
import type { Objective } from "../../core/space.ts";
import type { Searched } from "../space/compile-space.ts";

/** What became of one point that was proposed. */
export interface Evaluation {
  /** Flat by parameter name, only the active ones. */
  params: Params;
  /** "stopped": ended early; its values are those at the end. */
  state: "pending" | "ok" | "failed" | "stopped";
  /** One mean over the seeds for each objective; empty where there is none. */
  values: readonly number[];
  /** Of the means; NaN or absent where unknown. */
  standardErrors?: readonly number[];
  /** How many seeds the means are of. */
  n?: number;
  /** How far the constraints were missed in sum; 0 where they hold. */
  violation?: number;
}

/** Finished points in the order in which they finished, and those in flight. */
export type History = readonly Evaluation[];

/** Hand the same object to every `ask` of a search: what searchers remember to be faster hangs on it. */
export interface Problem<O = unknown> extends Searched {
  objectives: readonly Objective[];
  seed: number;
  /** What the searcher's own schema made of the user's options. */
  options: O;
}

/**
 * Chooses what to run next. `ask` is pure: the same history in the same order gives the same proposals, so a search
 * can be replayed and a crash loses nothing. It proposes no point twice, and none that is in the history; fewer
 * points than asked for, or none, means that the search has ended.
 */
export interface Searcher<O = unknown> extends Member {
  description: string;
  options: ZodType<O>;
  ask(history: History, count: number, problem: Problem<O>): Params[];
  /** All proposals in order, lazily: there where results do not matter, so that a million points cost nothing. */
  points?(problem: Problem<O>): Iterable<Params>;
}

/** Declares a searcher of your own: `export default defineSearcher({...})`. */
export function defineSearcher<O>(searcher: Searcher<O>): Searcher<O> {
  return markMember("searcher", searcher);
}

/** Proposals one after the other: each knows those before it as points in flight. */
export function askInTurn(
  history: History,
  count: number,
  propose: (soFar: History) => Params | undefined,
): Params[] {
  const taken: Params[] = [];
  const soFar: Evaluation[] = [...history];
  while (taken.length < count) {
    const point = propose(soFar);
    if (!point) break;
    taken.push(point);
    soFar.push({ params: point, state: "pending", values: [] });
  }
  return taken;
}
