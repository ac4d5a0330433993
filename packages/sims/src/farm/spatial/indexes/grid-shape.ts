import type { Points } from "../spatial-index.ts";

export interface GridShape {
  minX: number;
  minY: number;
  /** Side of a cell, and cells to a unit of length. */
  side: number;
  perSide: number;
  columns: number;
  rows: number;
}

/** Agents that a cell has where they are spread evenly. */
const AGENTS_PER_CELL = 3;

/** A grid over the box around the points, with less than one cell an agent however long and thin the box is. */
export function shapeGrid({ x, y }: Points): GridShape {
  const total = x.length;
  let [minX, maxX, minY, maxY] = [x[0] ?? 0, x[0] ?? 0, y[0] ?? 0, y[0] ?? 0];
  for (let agent = 1; agent < total; agent++) {
    const [px, py] = [x[agent]!, y[agent]!];
    if (px < minX) minX = px;
    else if (px > maxX) maxX = px;
    if (py < minY) minY = py;
    else if (py > maxY) maxY = py;
  }
  const width = maxX - minX;
  const height = maxY - minY;
  const even = Math.sqrt((width * height * AGENTS_PER_CELL) / total);
  const thin = (Math.max(width, height) * AGENTS_PER_CELL) / total;
  // All on one spot, or so close that cells to a unit would be infinite: one cell.
  const side = Math.max(even, thin) > 2 ** -500 ? Math.max(even, thin) : 1;
  const perSide = 1 / side;
  return {
    ...{ minX, minY, side, perSide },
    columns: Math.floor(width * perSide) + 1,
    rows: Math.floor(height * perSide) + 1,
  };
}
