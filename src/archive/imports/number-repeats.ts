import { canonicalJson } from "../../core/hash.ts";
import { hashOf, type RunRecord } from "../../core/run.ts";
import type { ReadTrial } from "./read-trials.ts";

export interface NumberedTrial extends ReadTrial {
  hash: string;
  params: RunRecord["params"];
  rollout: number;
}

/**
 * Gives each trial its number among those of the same agent, model and task: the one that it has already, the one that
 * its tool gave it where that is free, else the next one, in the order of time.
 */
export function numberRollouts(
  trials: readonly (ReadTrial & Pick<NumberedTrial, "hash" | "params">)[],
  known: Iterable<RunRecord>,
): NumberedTrial[] {
  const taken = new Map<string, Set<number>>();
  const before = new Map<string, { slot: string; rollout: number }>();
  const numbersIn = (slot: string) => taken.get(slot) ?? taken.set(slot, new Set()).get(slot)!;
  for (const { id, params, task, seed } of known) {
    const slot = slotOf(params, task);
    numbersIn(slot).add(seed);
    before.set(hashOf(id), { slot, rollout: seed });
  }
  const inOrder = [...trials].sort(
    ({ trial: a }, { trial: b }) =>
      (a.startedAtMs ?? 0) - (b.startedAtMs ?? 0) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0),
  );
  return inOrder.map((read) => {
    const slot = slotOf(read.params, read.trial.task);
    const own = before.get(read.hash);
    if (own?.slot === slot) return { ...read, rollout: own.rollout };
    const numbers = numbersIn(slot);
    const wished = read.trial.rollout;
    const rollout = wished !== undefined && wished > 0 && !numbers.has(wished) ? wished : nextFree(numbers);
    numbers.add(rollout);
    return { ...read, rollout };
  });
}

function slotOf(params: RunRecord["params"], task: string | null): string {
  return canonicalJson([params, task]);
}

function nextFree(numbers: ReadonlySet<number>): number {
  let number = 1;
  while (numbers.has(number)) number++;
  return number;
}
