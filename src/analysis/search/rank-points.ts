import type { Objective } from "../../core/space.ts";
import type { SearchPoint } from "./search-points.ts";

/** Which points count as results, best first; with several objectives those that no other beats. */
export interface Ranking {
  best: SearchPoint[];
  /** Several objectives: `best` is a front, from one end to the other, not an order. */
  isFront: boolean;
  /** Finished points that keep the constraints: what `best` was chosen from. */
  chosenFrom: number;
}

/**
 * Only finished points that keep the constraints are ranked: a run that was ended early has no full result. Equals
 * stay in the order in which they came.
 */
export function rankPoints(points: readonly SearchPoint[], objectives: readonly Objective[]): Ranking {
  const full = points.filter((point) => isFull(point));
  const lossesOf = ({ values }: SearchPoint) => values.map((v, i) => lossOf(v, objectives[i]!));
  const sorted = full
    .map((point) => ({ point, losses: lossesOf(point) }))
    .sort((a, b) => compareLosses(a.losses, b.losses) || a.point.number - b.point.number);
  if (objectives.length === 1)
    return { best: sorted.map(({ point }) => point), isFront: false, chosenFrom: full.length };
  // Sorted by the first objective, then the others: nothing that comes later can beat what came before.
  const front: typeof sorted = [];
  for (const item of sorted)
    if (!front.some(({ losses }) => dominates(losses, item.losses))) front.push(item);
  return { best: front.map(({ point }) => point), isFront: true, chosenFrom: full.length };
}

export function isFull({ state, violation }: SearchPoint): boolean {
  return state === "ok" && violation === 0;
}

/** Smaller is better. */
export function lossOf(value: number, { goal }: Pick<Objective, "goal">): number {
  return goal === "maximize" ? -value : value;
}

function compareLosses(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((loss, i) => loss !== b[i]);
  return at < 0 ? 0 : a[at]! - b[at]!;
}

function dominates(a: readonly number[], b: readonly number[]): boolean {
  return a.every((loss, i) => loss <= b[i]!) && a.some((loss, i) => loss < b[i]!);
}
