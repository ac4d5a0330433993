import { STAY, type World } from "./world.ts";

/**
 * Each agent goes one cell towards the one in sight that is worth most: what it would get there, were it to share with
 * those who are there now, less the way. All choose before anyone moves.
 */
export function chooseMoves(world: World): void {
  const { params, count, width, height, x, y, action, occupants } = world;
  const drawn = new Float64Array(2);
  const order = orderByRow(world);
  listOffers(world);
  for (let k = 0; k < count; k++) {
    const i = order[k]!;
    world.moves.uniformPair(drawn, world.id[i]!, world.time);
    action[i] = drawn[0]! < params.wander ? Math.floor(drawn[1]! * 9) : seek(world, i, drawn[1]!);
  }
  for (let k = 0; k < count; k++) {
    const i = order[k]!;
    if (action[i] === STAY) continue;
    const toX = Math.min(width - 1, Math.max(0, x[i]! + (action[i]! % 3) - 1));
    const toY = Math.min(height - 1, Math.max(0, y[i]! + Math.floor(action[i]! / 3) - 1));
    occupants[y[i]! * width + x[i]!]!--;
    occupants[toY * width + toX]!++;
    x[i] = toX;
    y[i] = toY;
  }
}

/** Slots from the top row to the bottom one: neighbours read the same cells, which then are still in the cache. */
function orderByRow({ count, height, y, rowStart, rowOrder }: World): Int32Array {
  rowStart.fill(0);
  for (let i = 0; i < count; i++) rowStart[y[i]! + 1]!++;
  for (let row = 0; row < height; row++) rowStart[row + 1]! += rowStart[row]!;
  for (let i = 0; i < count; i++) rowOrder[rowStart[y[i]!]!++] = i;
  return rowOrder;
}

function listOffers({ count, width, x, y, offers, resources, occupants, rowOrder }: World): void {
  offers.set(resources);
  for (let k = 0; k < count; k++) {
    const i = rowOrder[k]!;
    const cell = y[i]! * width + x[i]!;
    offers[cell] = Math.floor(resources[cell]! / (occupants[cell]! + 1));
  }
}

/**
 * The action that leads to the best cell in sight. Of equal cells the first one counts; `drawn` tells from which corner
 * to look, so that no direction is favoured. The inner loop has no branch, which makes it several times as fast: it
 * finds each row's best value, and where in the row that stands is looked up once, in the best row.
 */
function seek(world: World, i: number, drawn: number): number {
  const { params, width, height, resources, occupants, offers, wayCosts } = world;
  const radius = params.view_radius;
  const size = 2 * radius + 1;
  const atX = world.x[i]!;
  const atY = world.y[i]!;
  const left = Math.max(0, atX - radius);
  const right = Math.min(width - 1, atX + radius);
  const top = Math.max(0, atY - radius);
  const bottom = Math.min(height - 1, atY + radius);
  const here = atY * width + atX;
  const toWay = (radius - atY) * size + radius - atX;
  const stepY = drawn < 0.5 ? 1 : -1;
  let best = Math.floor(resources[here]! / occupants[here]!);
  let bestY = -1;
  for (let rows = bottom - top, seeY = stepY > 0 ? top : bottom; rows >= 0; rows--, seeY += stepY) {
    const end = seeY * width + right;
    let most = best;
    let way = toWay + seeY * size + left;
    for (let cell = seeY * width + left; cell <= end; cell++, way++) {
      const more = offers[cell]! - wayCosts[way]! - most;
      most = (most + (more & ~(more >> 31))) | 0;
    }
    if (most <= best) continue;
    best = most;
    bestY = seeY;
  }
  if (bestY < 0) return STAY;
  const stepX = (drawn * 2) % 1 < 0.5 ? 1 : -1;
  let seeX = stepX > 0 ? left : right;
  const wayToRow = toWay + bestY * size;
  while (offers[bestY * width + seeX]! - wayCosts[wayToRow + seeX]! !== best) seeX += stepX;
  return 3 * (Math.sign(bestY - atY) + 1) + Math.sign(seeX - atX) + 1;
}
