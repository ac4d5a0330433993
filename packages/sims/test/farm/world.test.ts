import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { memoryDb } from "../../src/farm/memory-db.ts";
import { step } from "../../src/farm/world/step.ts";
import { createWorld, type World, type WorldInput } from "../../src/farm/world/world.ts";

const COLUMNS = ["id", "x", "y", "energy", "age", "action", "gathered"] as const;

/** Everything that is alive or grows, as bytes. */
function fingerprint(world: World): string {
  const hash = createHash("sha256").update(world.resources).update(world.occupants);
  for (const name of COLUMNS) hash.update(world[name].subarray(0, world.count));
  return hash.digest("hex");
}

function stepped(input: WorldInput, seed: number, steps: number): World {
  const world = createWorld(input, seed);
  for (let i = 0; i < steps; i++) step(world);
  return world;
}

/** What must never be so. */
function faults(world: World): string[] {
  const { count, width, height, x, y, id, energy } = world;
  const found: string[] = [];
  const occupants = new Uint32Array(world.occupants.length);
  for (let slot = 0; slot < count; slot++) {
    const isInside = x[slot]! >= 0 && x[slot]! < width && y[slot]! >= 0 && y[slot]! < height;
    if (!isInside) found.push(`agent ${id[slot]} is outside`);
    if (energy[slot]! <= 0) found.push(`agent ${id[slot]} has no energy`);
    if (slot > 0 && id[slot]! <= id[slot - 1]!) found.push(`agent ${id[slot]} is out of order`);
    occupants[y[slot]! * width + x[slot]!]!++;
  }
  for (let cell = 0; cell < occupants.length; cell++) {
    if (world.occupants[cell] !== occupants[cell]) found.push(`cell ${cell} has another number of agents`);
    if (world.resources[cell]! > world.capacity[cell]!) found.push(`cell ${cell} holds too much`);
  }
  return found;
}

function sum(values: ArrayLike<number>, count = values.length): number {
  let total = 0;
  for (let i = 0; i < count; i++) total += values[i]!;
  return total;
}

/** Worlds with hunger, with crowds, with old age, with a full house. */
const WORLDS: Record<string, WorldInput> = {
  ordinary: {},
  hungry: { regrow_amount: 0, initial_energy: 30 },
  crowded: { num_agents: 200, width: 9, height: 7, patches: 3, patch_radius: 2, bite: 5 },
  "short-lived": { max_age: 12, metabolism: 0 },
  full: { num_agents: 50, max_agents: 60, metabolism: 0, move_cost: 0 },
  blind: { view_radius: 0 },
  "far-sighted": { view_radius: 50, width: 30, height: 40 },
};

describe.each(Object.entries(WORLDS))("a world that is %s", (_name, input) => {
  it("loses and gains no energy unseen", () => {
    const world = createWorld(input, 3);
    let resources = sum(world.resources);
    let energy = sum(world.energy, world.count);
    expect([world.totalResources, world.totalEnergy]).toEqual([resources, energy]);
    for (let i = 0; i < 150; i++) {
      const told = step(world);
      resources += told.regrown - told.gathered;
      energy += told.gathered - told.spent - told.lost;
      expect([told.resources, sum(world.resources)]).toEqual([resources, resources]);
      expect([told.energy, sum(world.energy, world.count)]).toEqual([energy, energy]);
      expect(told.gathered - sum(world.gathered, world.count)).toBeGreaterThanOrEqual(0);
    }
  });

  it("counts its agents right, and keeps each of them in one cell of it", () => {
    const world = createWorld(input, 3);
    let population = world.count;
    let born = 0;
    for (let i = 0; i < 150; i++) {
      const told = step(world);
      population += told.births - told.starved - told.aged;
      born += told.births;
      expect([told.population, world.count]).toEqual([population, population]);
      expect([world.births.count, world.deaths.count]).toEqual([told.births, told.starved + told.aged]);
      expect(world.nextId).toBe(world.params.num_agents + born);
      expect(faults(world)).toEqual([]);
    }
  });

  it("is the same again with the same seed, and another with another", () => {
    const bytes = (seed: number) => fingerprint(stepped(input, seed, 60));
    expect(bytes(5)).toBe(bytes(5));
    expect(bytes(5)).not.toBe(bytes(6));
  });
});

describe("a world", () => {
  it("has births and deaths of both kinds, and lives on", () => {
    const world = createWorld({}, 42);
    const all = Array.from({ length: 1000 }, () => step(world));
    for (const name of ["births", "starved", "aged", "lost"] as const)
      expect(sum(all.map((told) => told[name]))).toBeGreaterThan(0);
    expect(world.count).toBeGreaterThan(20);
    expect(Math.max(...all.map(({ population }) => population))).toBeLessThan(400);
  });

  it("gives the same bytes in every version of its targets that says it is version 1", () => {
    expect(memoryDb.version).toBe("1");
    expect(fingerprint(stepped({}, 1072, 300))).toMatchInlineSnapshot(
      `"d177f6282ed541b7613bd1961a512061aa1624e4a9fe6e55a7e190fc6ffb6f8c"`,
    );
  });

  it("draws an agent's numbers by its id: more agents far away change nothing for it", () => {
    // Nobody eats, dies or is born, so agents can't meet by way of the cells.
    const still = { bite: 0, metabolism: 0, move_cost: 0, max_age: 1_000_000_000, wander: 1 };
    const few = stepped({ ...still, num_agents: 10 }, 8, 50);
    const many = stepped({ ...still, num_agents: 300 }, 8, 50);
    for (const name of ["x", "y", "action"] as const)
      expect(many[name].slice(0, 10)).toEqual(few[name].slice(0, 10));
  });

  it("does not depend on the order in which agents stand", () => {
    const params: WorldInput = { num_agents: 120, max_agents: 120, width: 15, height: 15, patches: 4 };
    const straight = stepped(params, 11, 5);
    const turned = createWorld(params, 11);
    for (const name of COLUMNS) turned[name].subarray(0, turned.count).reverse();
    for (let i = 0; i < 5; i++) step(turned);
    const byId = (world: World) =>
      Array.from({ length: world.count }, (_, slot) => COLUMNS.map((name) => world[name][slot]!)).sort(
        (a, b) => a[0]! - b[0]!,
      );
    expect(straight.nextId).toBe(120);
    expect(byId(turned)).toEqual(byId(straight));
    expect(turned.resources).toEqual(straight.resources);
  });

  it("leads an agent to the richest cell in sight, and feeds it there", () => {
    const lone = { num_agents: 1, max_agents: 1, width: 11, height: 11, wander: 0, regrow_amount: 0 };
    const world = createWorld({ ...lone, bite: 30, metabolism: 2, move_cost: 1, initial_energy: 50 }, 1);
    world.resources.fill(0);
    [world.x[0], world.y[0], world.age[0]] = [2, 3, 0];
    world.occupants.fill(0);
    world.occupants[3 * 11 + 2] = 1;
    world.resources[5 * 11 + 6] = 40;
    world.totalResources = 40;
    for (const place of [
      [3, 4],
      [4, 5],
      [5, 5],
      [6, 5],
    ]) {
      step(world);
      expect([world.x[0], world.y[0]]).toEqual(place);
    }
    expect(world.energy[0]).toBe(50 - 4 * 3 + 30);
    expect(world.resources[5 * 11 + 6]).toBe(10);
    step(world);
    expect([world.x[0], world.y[0], world.energy[0]]).toEqual([6, 5, 50 - 4 * 3 + 30 - 2 + 10]);
  });

  it("shares a cell alike among those who stand there, and keeps the rest", () => {
    const params = { num_agents: 3, max_agents: 3, width: 1, height: 1, patch_radius: 1, resource_max: 40 };
    const world = createWorld(
      { ...params, bite: 12, metabolism: 0, regrow_amount: 0, reproduce_energy: 1000 },
      2,
    );
    world.resources[0] = 20;
    step(world);
    expect([...world.gathered.subarray(0, 3)]).toEqual([6, 6, 6]);
    expect(world.resources[0]).toBe(2);
  });

  it("prefers no direction among equal cells, nor when it wanders", () => {
    const lone = { num_agents: 1, width: 5, height: 5, view_radius: 2, patch_radius: 1 };
    const firstMoves = (wander: number) => {
      const counts = new Array<number>(9).fill(0);
      for (let seed = 0; seed < 1800; seed++) {
        const world = createWorld({ ...lone, wander }, seed);
        world.resources.fill(0);
        for (const cell of [0, 4, 20, 24]) world.resources[cell] = 9;
        world.occupants.fill(0);
        world.occupants[12] = 1;
        [world.x[0], world.y[0], world.age[0]] = [2, 2, 0];
        step(world);
        counts[world.action[0]!]!++;
      }
      return counts;
    };
    const chi2 = (counts: number[]) =>
      sum(counts.map((count) => (count - 1800 / counts.length) ** 2 / (1800 / counts.length)));
    const [upLeft, up, upRight, left, stay, right, downLeft, down, downRight] = firstMoves(0) as [
      number,
      ...number[],
    ];
    expect([up, left, stay, right, down]).toEqual([0, 0, 0, 0, 0]);
    // 999 of 1,000 chi-squared values with 3 and with 8 degrees of freedom are below these.
    expect(chi2([upLeft, upRight!, downLeft!, downRight!])).toBeLessThan(16.27);
    expect(chi2(firstMoves(1))).toBeLessThan(26.12);
  });

  it("rejects parameters that are out of range, of a wrong type or unknown", () => {
    expect(() => createWorld({ width: 0 }, 1)).toThrow(/width/);
    expect(() => createWorld({ wander: 2 }, 1)).toThrow(/wander/);
    expect(() => createWorld({ bite: 1.5 }, 1)).toThrow(/bite/);
    expect(() => createWorld({ wolves: 1 } as never, 1)).toThrow(/wolves/);
  });
});
