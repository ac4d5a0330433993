import { paramsOf } from "./cells.ts";
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
  const saved = study.variants.map((variant) => {
    const { full, distinct } = countPoints(axes, paramsOf(study.params, variant));
    return full - distinct;
  });
  return saved.reduce((total, points) => total + points, 0) * runsPerCell;
}
