import { chooseMoves } from "./choose-moves.ts";
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
