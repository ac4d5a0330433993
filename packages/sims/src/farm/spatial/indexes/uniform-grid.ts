import { NearestList, type Points, type SpatialIndex, safeRadius } from "../spatial-index.ts";

interface GridShape {
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
function shapeGrid({ x, y }: Points): GridShape {
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

/** Room that each cell has beyond its agents, so that most moves find a place. */
const SPARE = 3;

/**
 * Agents sorted into square cells by counting, all in flat arrays: those of a cell lie side by side, with some room
 * to spare. A move takes the agent out of its cell and puts it into the next one; where that is full, everything is
 * sorted anew, which costs about as much as one look at every agent. Whoever is outside of the grid belongs to the
 * cell of its border that is nearest.
 */
export class UniformGrid implements SpatialIndex {
  readonly #nearest = new NearestList();
  #shape: GridShape = shapeGrid({ x: new Float64Array(0), y: new Float64Array(0) });
  /** Where each cell's places begin; the last entry is where they all end. */
  #begins = new Uint32Array(1);
  /** Where each cell's agents end. */
  #ends = new Uint32Array(0);
  #agents = new Uint32Array(0);
  #x = new Float64Array(0);
  #y = new Float64Array(0);
  #placeOf = new Uint32Array(0);
  #cellOf = new Uint32Array(0);

  build(points: Points): void {
    const { x, y } = points;
    const shape = shapeGrid(points);
    const cells = shape.columns * shape.rows;
    const total = x.length;
    this.#shape = shape;
    if (this.#placeOf.length !== total) {
      this.#placeOf = new Uint32Array(total);
      this.#cellOf = new Uint32Array(total);
    }
    if (this.#ends.length !== cells) {
      this.#ends = new Uint32Array(cells);
      this.#begins = new Uint32Array(cells + 1);
    } else this.#ends.fill(0);
    const places = total + cells * SPARE;
    if (this.#agents.length !== places) {
      this.#agents = new Uint32Array(places);
      this.#x = new Float64Array(places);
      this.#y = new Float64Array(places);
    }
    const ends = this.#ends;
    const begins = this.#begins;
    for (let agent = 0; agent < total; agent++) {
      const cell = cellAt(shape, x[agent]!, y[agent]!);
      this.#cellOf[agent] = cell;
      ends[cell]!++;
    }
    let begin = 0;
    for (let cell = 0; cell < cells; cell++) {
      const count = ends[cell]!;
      begins[cell] = begin;
      ends[cell] = begin;
      begin += count + SPARE;
    }
    begins[cells] = begin;
    for (let agent = 0; agent < total; agent++) {
      this.#put(agent, this.#cellOf[agent]!, x[agent]!, y[agent]!);
    }
  }

  update(moved: Uint32Array, points: Points): void {
    for (const agent of moved) {
      const x = points.x[agent]!;
      const y = points.y[agent]!;
      const from = this.#cellOf[agent]!;
      const to = cellAt(this.#shape, x, y);
      const place = this.#placeOf[agent]!;
      if (from === to) {
        this.#x[place] = x;
        this.#y[place] = y;
        continue;
      }
      if (this.#ends[to] === this.#begins[to + 1]) {
        this.build(points);
        return;
      }
      const last = --this.#ends[from]!;
      this.#agents[place] = this.#agents[last]!;
      this.#x[place] = this.#x[last]!;
      this.#y[place] = this.#y[last]!;
      this.#placeOf[this.#agents[place]!] = place;
      this.#cellOf[agent] = to;
      this.#put(agent, to, x, y);
    }
  }

  #put(agent: number, cell: number, x: number, y: number): void {
    const place = this.#ends[cell]!++;
    this.#agents[place] = agent;
    this.#x[place] = x;
    this.#y[place] = y;
    this.#placeOf[agent] = place;
  }

  range(x: number, y: number, radius: number, out: Uint32Array): number {
    const shape = this.#shape;
    const wide = safeRadius(x, y, radius);
    const limit = radius * radius;
    const left = columnAt(shape, x - wide);
    const right = columnAt(shape, x + wide);
    const bottom = rowAt(shape, y + wide);
    const [agents, xs, ys] = [this.#agents, this.#x, this.#y];
    let found = 0;
    for (let row = rowAt(shape, y - wide); row <= bottom; row++) {
      for (let cell = row * shape.columns + left; cell <= row * shape.columns + right; cell++) {
        const end = this.#ends[cell]!;
        for (let place = this.#begins[cell]!; place < end; place++) {
          const dx = xs[place]! - x;
          const dy = ys[place]! - y;
          if (dx * dx + dy * dy <= limit) out[found++] = agents[place]!;
        }
      }
    }
    return found;
  }

  /** Looks at the cell of the place, then at the ring of cells around it, and so on until no closer one can come. */
  nearest(x: number, y: number, count: number, out: Uint32Array): number {
    const list = this.#nearest.begin(x, y, count, out);
    const { columns, rows } = this.#shape;
    const column = columnAt(this.#shape, x);
    const row = rowAt(this.#shape, y);
    for (let ring = 0; ring < columns || ring < rows; ring++) {
      const left = column - ring;
      const right = column + ring;
      const top = row - ring;
      const bottom = row + ring;
      const from = Math.max(left, 0);
      const to = Math.min(right, columns - 1);
      if (top >= 0) this.#look(list, top * columns + from, top * columns + to);
      if (ring > 0 && bottom < rows) this.#look(list, bottom * columns + from, bottom * columns + to);
      const last = bottom < rows ? bottom - 1 : rows - 1;
      for (let side = top < 0 ? 0 : top + 1; side <= last; side++) {
        if (left >= 0) this.#look(list, side * columns + left, side * columns + left);
        if (right < columns) this.#look(list, side * columns + right, side * columns + right);
      }
      if (list.limit === Number.POSITIVE_INFINITY) continue;
      const gap = this.#gapBeyond(x, y, { left, right, top, bottom });
      if (gap > 0 && gap * gap > list.limit) break;
    }
    return list.size;
  }

  #look(list: NearestList, firstCell: number, lastCell: number): void {
    for (let cell = firstCell; cell <= lastCell; cell++) {
      const end = this.#ends[cell]!;
      for (let place = this.#begins[cell]!; place < end; place++) {
        list.see(this.#agents[place]!, this.#x[place]!, this.#y[place]!);
      }
    }
  }

  /** How far whoever is in none of these cells must be, a rounding error less. */
  #gapBeyond(
    x: number,
    y: number,
    { left, right, top, bottom }: { left: number; right: number; top: number; bottom: number },
  ): number {
    const { minX, minY, side, columns, rows } = this.#shape;
    let gap = Number.POSITIVE_INFINITY;
    if (left > 0) gap = Math.min(gap, x - (minX + left * side));
    if (right < columns - 1) gap = Math.min(gap, minX + (right + 1) * side - x);
    if (top > 0) gap = Math.min(gap, y - (minY + top * side));
    if (bottom < rows - 1) gap = Math.min(gap, minY + (bottom + 1) * side - y);
    const error =
      (Math.abs(minX) + Math.abs(minY) + (columns + rows) * side + Math.abs(x) + Math.abs(y)) * 2 ** -49;
    return gap - error;
  }

  bytes(): number {
    const arrays = [this.#begins, this.#ends, this.#agents, this.#x, this.#y, this.#placeOf, this.#cellOf];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }
}

function cellAt(shape: GridShape, x: number, y: number): number {
  return rowAt(shape, y) * shape.columns + columnAt(shape, x);
}

function columnAt({ minX, perSide, columns }: GridShape, x: number): number {
  const column = Math.floor((x - minX) * perSide);
  return column < 0 ? 0 : column >= columns ? columns - 1 : column;
}

function rowAt({ minY, perSide, rows }: GridShape, y: number): number {
  const row = Math.floor((y - minY) * perSide);
  return row < 0 ? 0 : row >= rows ? rows - 1 : row;
}
