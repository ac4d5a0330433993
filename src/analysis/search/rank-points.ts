import type { Objective } from "../../core/space.ts";
import { levelsOf, type Means } from "../compare/order-arms.ts";
import type { SearchPoint } from "./search-points.ts";

/** Which points count as results, best first; with several objectives those that no other beats. */
export interface Ranking {
  best: SearchPoint[];
  /** Several objectives: `best` is a front, from one end to the other, not an order. */
  isFront: boolean;
  /** Finished points that keep the constraints: what `best` was chosen from. */
  chosenFrom: number;
  /** In words, where the order is not that of the plain means. */
  orderedBy: string | null;
}

/**
 * Only finished points that keep the constraints are ranked: a run that was ended early has no full result. Points are in
 * the order in which a comparison has them, and equals in that in which they came.
 */
export function rankPoints(
  points: readonly SearchPoint[],
  objectives: readonly Objective[],
  means: Means,
): Ranking {
  const full = points.filter((point) => isFull(point));
  const levels =
    objectives.length === 1
      ? levelsOf(
          full.map(({ units: [own], values }) => ({
            ...{ units: [...own!.keys()], values: [...own!.values()], mean: values[0]! },
          })),
          means,
        )
      : null;
  const lossesOf = ({ values }: SearchPoint, i: number) =>
    levels ? [lossOf(levels[i]!, objectives[0]!)] : values.map((value, k) => lossOf(value, objectives[k]!));
  const sorted = full
    .map((point, i) => ({ point, losses: lossesOf(point, i) }))
    .sort((a, b) => compareLosses(a.losses, b.losses) || a.point.number - b.point.number);
  if (objectives.length === 1)
    return {
      ...{ best: sorted.map(({ point }) => point), isFront: false, chosenFrom: full.length },
      orderedBy: orderWords(full, levels!, means),
    };
  // Sorted by the first objective, then the others: nothing that comes later can beat what came before.
  const front: typeof sorted = [];
  for (const item of sorted)
    if (!front.some(({ losses }) => dominates(losses, item.losses))) front.push(item);
  return {
    ...{ best: front.map(({ point }) => point), isFront: true, chosenFrom: full.length },
    orderedBy: null,
  };
}

function orderWords(
  points: readonly SearchPoint[],
  levels: readonly number[],
  { scale, centre }: Means,
): string | null {
  if (points.every(({ values }, i) => values[0] === levels[i])) return null;
  const kinds = [...(centre !== "mean" ? ["trimmed"] : []), ...(scale === "ratio" ? ["geometric"] : [])];
  const unit = points[0]!.unit;
  const isUneven = points.some(({ n }) => n !== points[0]!.n);
  return `${[...kinds, "means"].join(" ")}${isUneven ? ` over the ${unit}s that all points share` : ""}, as \`assay compare\` would order them`;
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
