import { countPoints } from "./count-points.ts";
import type { Plan } from "./plan.ts";

/** How many runs a matrix would have on top of its own, before `where`, if no axis were ever inactive. */
export function countSaved({ matrix, study, runsPerCell }: Plan): number {
  const axes = matrix.axes.map(({ names, rows, when }) => ({
    names,
    size: rows.length,
    nth: (position: number) => rows[position]!,
    when,
  }));
  if (axes.every(({ when }) => !when)) return 0;
  const { full, distinct } = countPoints(axes, study.params);
  return (full - distinct) * study.variants.length * runsPerCell;
}
