import { AGED, STARVED, STAY, type World } from "./world.ts";

/** What one step did, in agents and in energy. */
export interface StepSummary {
  step: number;
  /** Living agents after the step: those before, and births, without deaths. */
  population: number;
  births: number;
  starved: number;
  aged: number;
  /** Sum over the cells and over the agents after the step. */
  resources: number;
  energy: number;
  /** Into the cells; from the cells to the agents; spent by agents; lost with those who died of age. */
  regrown: number;
  gathered: number;
  spent: number;
  lost: number;
}

/**
 * One step of the world: cells regrow, all agents choose by what they see, all move, all gather, all pay, some die,
 * some have a child. Each phase reads what the phase before left, so the order of agents has no influence.
 */
export function step(world: World): StepSummary {
  world.time++;
  const before = world.totalEnergy;
  const regrown = regrow(world);
  chooseMoves(world);
  const gathered = gather(world);
  const { spent, lost, starved, aged } = pay(world);
  const births = reproduce(world);
  world.totalResources += regrown - gathered;
  world.totalEnergy = before + gathered - spent - lost;
  return {
    step: world.time,
    population: world.count,
    births,
    starved,
    aged,
    resources: world.totalResources,
    energy: world.totalEnergy,
    regrown,
    gathered,
    spent,
    lost,
  };
}

function regrow({ params, time, resources, capacity, regrowOrder, phaseStart }: World): number {
  const phase = time % params.regrow_period;
  const amount = params.regrow_amount;
  let regrown = 0;
  for (let i = phaseStart[phase]!; i < phaseStart[phase + 1]!; i++) {
    const cell = regrowOrder[i]!;
    const gain = Math.min(amount, capacity[cell]! - resources[cell]!);
    resources[cell]! += gain;
    regrown += gain;
  }
  return regrown;
}

/** Agents in one cell share it alike; what does not divide stays there. */
function gather(world: World): number {
  const { params, count, width, x, y, energy, gathered, resources, occupants, rowOrder } = world;
  const bite = params.bite;
  let sum = 0;
  for (let k = 0; k < count; k++) {
    const i = rowOrder[k]!;
    const cell = y[i]! * width + x[i]!;
    const sharers = occupants[cell]!;
    const held = resources[cell]!;
    const share = sharers === 1 ? held : Math.floor(held / sharers);
    gathered[i] = Math.min(share, bite);
  }
  for (let k = 0; k < count; k++) {
    const i = rowOrder[k]!;
    const amount = gathered[i]!;
    resources[y[i]! * width + x[i]!]! -= amount;
    energy[i]! += amount;
    sum += amount;
  }
  return sum;
}

/** Takes what the step cost, and moves the living together, so that no dead agent keeps a slot. */
function pay(world: World): { spent: number; lost: number; starved: number; aged: number } {
  const { params, width, id, x, y, energy, age, action, gathered, occupants, deaths } = world;
  const { metabolism, move_cost, max_age } = params;
  let [spent, lost, starved, aged, to] = [0, 0, 0, 0, 0];
  deaths.count = 0;
  for (let i = 0; i < world.count; i++) {
    const cost = action[i] === STAY ? metabolism : metabolism + move_cost;
    const paid = Math.min(cost, energy[i]!);
    const left = energy[i]! - paid;
    const older = age[i]! + 1;
    spent += paid;
    if (left === 0 || older >= max_age) {
      occupants[y[i]! * width + x[i]!]!--;
      deaths.id[deaths.count] = id[i]!;
      deaths.detail[deaths.count++] = left === 0 ? STARVED : AGED;
      if (left === 0) starved++;
      else aged++;
      lost += left;
      continue;
    }
    energy[to] = left;
    age[to] = older;
    if (to !== i) {
      id[to] = id[i]!;
      x[to] = x[i]!;
      y[to] = y[i]!;
      action[to] = action[i]!;
      gathered[to] = gathered[i]!;
    }
    to++;
  }
  world.count = to;
  return { spent, lost, starved, aged };
}

/** A child starts in its parent's cell. */
function reproduce(world: World): number {
  const { params, width, id, x, y, energy, age, action, gathered, occupants, births } = world;
  const adults = world.count;
  births.count = 0;
  for (let i = 0; i < adults && world.count < id.length; i++) {
    if (energy[i]! < params.reproduce_energy) continue;
    const child = world.count++;
    energy[child] = energy[i]! >> 1;
    energy[i]! -= energy[child]!;
    id[child] = world.nextId++;
    x[child] = x[i]!;
    y[child] = y[i]!;
    age[child] = 0;
    action[child] = STAY;
    gathered[child] = 0;
    occupants[y[i]! * width + x[i]!]!++;
    births.id[births.count] = id[child]!;
    births.detail[births.count++] = id[i]!;
  }
  return births.count;
}

/**
 * Each agent goes one cell towards the one in sight that is worth most: what it would get there, were it to share with
 * those who are there now, less the way. All choose before anyone moves.
 */
function chooseMoves(world: World): void {
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
