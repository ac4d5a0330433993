import type { Evaluation, History, Problem } from "./searcher.ts";

/** Finished evaluations, best first, each with its number in the history. */
export interface Ranked {
  evaluation: Evaluation;
  index: number;
}

/** Losses (smaller is better) of a finished evaluation; undefined where it failed or gave no number. */
export function lossesOf({ state, values }: Evaluation, { objectives }: Problem): number[] | undefined {
  if (state === "pending" || state === "failed") return undefined;
  const losses: number[] = [];
  for (let i = 0; i < objectives.length; i++) {
    const value = values[i];
    if (value === undefined || !Number.isFinite(value)) return undefined;
    losses.push(objectives[i]!.goal === "maximize" ? -value : value);
  }
  return losses;
}

/**
 * Orders what has finished: points that keep the constraints, by their value or (with several objectives) by fronts
 * of points that no other beats in everything; then those that miss the constraints, the nearest first; then failures.
 * Equals stay in the order in which they finished.
 */
export function rankHistory(history: History, problem: Problem): Ranked[] {
  const kept: (Ranked & { losses: number[] })[] = [];
  const missed: (Ranked & { violation: number })[] = [];
  const failed: Ranked[] = [];
  history.forEach((evaluation, index) => {
    if (evaluation.state === "pending") return;
    const losses = lossesOf(evaluation, problem);
    const violation = evaluation.violation ?? 0;
    if (!losses) failed.push({ evaluation, index });
    else if (!(violation <= 0)) missed.push({ evaluation, index, violation });
    else kept.push({ evaluation, index, losses });
  });
  missed.sort((a, b) => orderOf(a.violation) - orderOf(b.violation) || a.index - b.index);
  return [...(problem.objectives.length === 1 ? byLoss(kept) : byFront(kept)), ...missed, ...failed];
}

const orderOf = (violation: number) => (Number.isNaN(violation) ? Number.MAX_VALUE : violation);

function byLoss<T extends { losses: number[]; index: number }>(kept: T[]): T[] {
  return kept.sort((a, b) => a.losses[0]! - b.losses[0]! || a.index - b.index);
}

/** Fronts one after the other; within a front the lonelier point first (K. Deb et al., IEEE TEC 6 (2002), 182-197). */
function byFront<T extends { losses: number[]; index: number }>(kept: T[]): T[] {
  const order: T[] = [];
  let left = kept;
  while (left.length > 0) {
    const front = left.filter((a) => !left.some((b) => dominates(b.losses, a.losses)));
    const crowding = crowdingOf(front.map(({ losses }) => losses));
    const places = front.map((_, i) => i).sort((i, j) => crowding[j]! - crowding[i]! || i - j);
    order.push(...places.map((i) => front[i]!));
    const taken = new Set(front);
    left = left.filter((item) => !taken.has(item));
  }
  return order;
}

function dominates(a: readonly number[], b: readonly number[]): boolean {
  let isBetter = false;
  for (let i = 0; i < a.length; i++) {
    if (a[i]! > b[i]!) return false;
    if (a[i]! < b[i]!) isBetter = true;
  }
  return isBetter;
}

function crowdingOf(front: readonly (readonly number[])[]): number[] {
  const crowding = new Array<number>(front.length).fill(0);
  for (let k = 0; k < (front[0]?.length ?? 0); k++) {
    const order = front.map((_, i) => i).sort((i, j) => front[i]![k]! - front[j]![k]! || i - j);
    const width = front[order.at(-1)!]![k]! - front[order[0]!]![k]! || 1;
    order.forEach((at, place) => {
      const isEnd = place === 0 || place === order.length - 1;
      crowding[at]! += isEnd
        ? front.length
        : (front[order[place + 1]!]![k]! - front[order[place - 1]!]![k]!) / width;
    });
  }
  return crowding;
}
