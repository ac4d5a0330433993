import type { World } from "../world/world.ts";
import { type Sight, type Span, spanOf } from "./sight.ts";

/** Whose view is filled, and where to: `sight.size` squared numbers of `out` from `to` on, which are 0 before. */
export interface Plane {
  world: World;
  sight: Sight;
  slot: number;
  out: Float32Array;
  to: number;
}

const span: Span = { column: 0, length: 0, cell: 0 };

/** A field as it is in the cells that are seen. */
export function copyField(field: Float32Array, plane: Plane): void {
  const { sight, out, to } = plane;
  const { size } = sight;
  for (let row = 0; row < size; row++) {
    spanOf(plane, row, span);
    // Read once: the engine can't know that what is written is not the span.
    const { length, cell } = span;
    const at = to + row * size + span.column;
    for (let i = 0; i < length; i++) out[at + i] = field[cell + i]!;
  }
}

/**
 * A field where the agent really stands, so many cells off the middle of its cell: each value is a mean of the four
 * cells around the place, by how near they are. There is nothing outside of the world.
 */
export function blendField(field: Float32Array, plane: Plane, offset: { x: number; y: number }): void {
  const { sight, out, to } = plane;
  const { width, height } = plane.world;
  const stepX = offset.x < 0 ? -1 : 1;
  const stepY = offset.y < 0 ? -1 : 1;
  const shareX = Math.abs(offset.x);
  const shareY = Math.abs(offset.y);
  for (let row = 0; row < sight.size; row++) {
    spanOf(plane, row, span);
    const { length, cell: first } = span;
    const cellY = Math.floor(first / width);
    const isInY = cellY + stepY >= 0 && cellY + stepY < height;
    const at = to + row * sight.size + span.column;
    for (let i = 0; i < length; i++) {
      const cell = first + i;
      const cellX = cell - cellY * width + stepX;
      const isInX = cellX >= 0 && cellX < width;
      const beside = isInX ? field[cell + stepX]! : 0;
      const above = isInY ? field[cell + stepY * width]! : 0;
      const across = isInX && isInY ? field[cell + stepY * width + stepX]! : 0;
      const near = field[cell]! + shareX * (beside - field[cell]!);
      out[at + i] = near + shareY * (above + shareX * (across - above) - near);
    }
  }
}

/** Agents in the cells that are seen. An agent does not count itself. */
export function fillAgents(field: Float32Array, plane: Plane): void {
  const { radius, size, reach } = plane.sight;
  copyField(field, plane);
  if (reach[radius]! >= 0) plane.out[plane.to + radius * size + radius]! -= 1;
}

/** 1 in the cells that are seen. */
export function fillVisibility(plane: Plane): void {
  const { sight, out, to } = plane;
  for (let row = 0; row < sight.size; row++) {
    spanOf(plane, row, span);
    const at = to + row * sight.size + span.column;
    if (span.length > 0) out.fill(1, at, at + span.length);
  }
}

/** 1 beyond the world's end. */
export function fillEdge({ world, sight, slot, out, to }: Plane): void {
  const { size, radius } = sight;
  const left = world.x[slot]! - radius;
  const top = world.y[slot]! - radius;
  for (let row = 0; row < size; row++) {
    const at = to + row * size;
    const isOutside = top + row < 0 || top + row >= world.height;
    const inside = isOutside ? size : Math.max(0, -left);
    if (inside > 0) out.fill(1, at, at + inside);
    if (!isOutside && left + size > world.width) out.fill(1, at + world.width - left, at + size);
  }
}
