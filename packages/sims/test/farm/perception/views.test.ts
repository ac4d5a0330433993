import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeViews } from "../../../src/farm/perception/hybrid-views.ts";
import { Fields, Meadow } from "../../../src/farm/perception/meadow.ts";
import { CHANNELS, drawOffsets, STORAGE_MODES } from "../../../src/farm/perception/view.ts";
import type { World } from "../../../src/farm/world/world.ts";

interface Look {
  radius: number;
  fovRadius: number;
  bilinear: boolean;
}

/** A view by definition, cell by cell and agent by agent, from the world alone. */
function naiveView(
  world: World,
  trail: number[],
  slot: number,
  { radius, fovRadius, bilinear }: Look,
): number[] {
  const offsets = drawOffsets(world);
  const [offsetX, offsetY] = bilinear ? [offsets[2 * slot]!, offsets[2 * slot + 1]!] : [0, 0];
  const isInside = (x: number, y: number) => x >= 0 && y >= 0 && x < world.width && y < world.height;
  const planes: Record<string, number[]> = Object.fromEntries(CHANNELS.map((name) => [name, []]));
  for (let dy = -radius; dy <= radius; dy++) {
    for (let dx = -radius; dx <= radius; dx++) {
      const [x, y] = [world.x[slot]! + dx, world.y[slot]! + dy];
      const isSeen = isInside(x, y) && Math.hypot(dx, dy) <= fovRadius;
      const others = [...Array(world.count).keys()].filter(
        (other) => other !== slot && world.x[other] === x && world.y[other] === y,
      );
      /** Sums over every cell of the world how much of it lies under a unit square around the place. */
      const sample = (valueAt: (cell: number) => number) => {
        let sum = 0;
        for (const cellY of [y - 1, y, y + 1]) {
          for (const cellX of [x - 1, x, x + 1]) {
            if (!isInside(cellX, cellY)) continue;
            const share =
              Math.max(0, 1 - Math.abs(x + offsetX - cellX)) * Math.max(0, 1 - Math.abs(y + offsetY - cellY));
            sum += share * valueAt(cellY * world.width + cellX);
          }
        }
        return sum;
      };
      planes.resources!.push(
        isSeen ? sample((cell) => world.resources[cell]! / world.params.resource_max) : 0,
      );
      planes.agents!.push(isSeen ? others.length : 0);
      planes.trail!.push(isSeen ? sample((cell) => trail[cell]!) : 0);
      planes.edge!.push(isInside(x, y) ? 0 : 1);
      planes.visibility!.push(isSeen ? 1 : 0);
    }
  }
  return CHANNELS.flatMap((name) => planes[name]!);
}

/** Steps a meadow and looks on, keeping the trail by definition: each visit counts 0.9 to the power of its age. */
function observe(
  options: { num_agents: number; width: number; height: number },
  steps: number,
  seed: number,
) {
  const meadow = new Meadow(options, seed);
  const fields = new Fields(meadow.world);
  const visits: number[][] = [];
  for (let step = 0; step < steps; step++) {
    meadow.step();
    fields.gather();
    fields.decay();
    const { world } = meadow;
    visits.push([...Array(world.count).keys()].map((slot) => world.y[slot]! * world.width + world.x[slot]!));
  }
  const trail = new Array<number>(options.width * options.height).fill(0);
  for (const [step, cells] of visits.entries()) {
    for (const cell of cells) trail[cell]! += 0.9 ** (steps - 1 - step);
  }
  return { meadow, fields, trail };
}

describe.each(STORAGE_MODES)("%s views", (mode) => {
  it("are what a naive look at every cell gives", () => {
    const looks = fc.record({
      radius: fc.integer({ min: 0, max: 6 }),
      fovRadius: fc.oneof(fc.integer({ min: 0, max: 8 }), fc.double({ min: 0, max: 8, noNaN: true })),
      bilinear: fc.boolean(),
    });
    const worlds = fc.record({
      num_agents: fc.integer({ min: 1, max: 25 }),
      width: fc.integer({ min: 1, max: 12 }),
      height: fc.integer({ min: 1, max: 12 }),
    });
    fc.assert(
      fc.property(worlds, looks, fc.integer({ min: 0, max: 4 }), fc.nat(1000), (size, look, steps, seed) => {
        const { meadow, fields, trail } = observe(size, steps, seed);
        fields.gather();
        const views = makeViews(mode, meadow.world, fields, look);
        // Twice: nothing of the first look may be left in the second.
        views.fill();
        views.fill();
        for (let slot = 0; slot < meadow.world.count; slot++) {
          const expected = naiveView(meadow.world, trail, slot, look);
          const view = views.viewOf(slot);
          expect(view.length).toBe(expected.length);
          const worst = Math.max(...expected.map((value, i) => Math.abs(value - view[i]!)));
          expect(worst).toBeLessThan(1e-5);
        }
      }),
      { numRuns: 60, seed: 9 },
    );
  });

  it("follow a world that moves on", () => {
    const { meadow, fields } = observe({ num_agents: 10, width: 20, height: 20 }, 1, 5);
    const look = { radius: 3, fovRadius: 3, bilinear: false };
    const views = makeViews(mode, meadow.world, fields, look);
    views.fill();
    const before = [...views.viewOf(0)];
    for (let step = 0; step < 5; step++) meadow.step();
    fields.gather();
    fields.decay();
    views.fill();
    expect([...views.viewOf(0)]).not.toEqual(before);
  });
});

describe("hybrid views", () => {
  it("take less than half of what dense views take where agents are few", () => {
    const { meadow, fields } = observe({ num_agents: 50, width: 100, height: 100 }, 2, 1);
    const [dense, hybrid] = (["dense", "hybrid"] as const).map((mode) => {
      const views = makeViews(mode, meadow.world, fields, { radius: 5, fovRadius: 5, bilinear: false });
      views.fill();
      return views.bytes();
    });
    // Two planes of five, and a list.
    expect(dense).toBe(50 * 5 * 11 * 11 * 4);
    expect(hybrid).toBeLessThan(dense! / 2);
    expect(hybrid).toBeGreaterThan((dense! * 2) / 5);
  });
});

describe("a meadow", () => {
  it("keeps its agents, and goes the same way again when it begins anew", () => {
    const meadow = new Meadow({ num_agents: 40, width: 30, height: 20 }, 7);
    const walk = () => {
      meadow.begin();
      for (let step = 0; step < 60; step++) meadow.step();
      const { count, time, x, y, resources, occupants } = meadow.world;
      return { count, time, x: [...x], y: [...y], resources: [...resources], occupants: [...occupants] };
    };
    const first = walk();
    expect(first.count).toBe(40);
    expect(first.time).toBe(60);
    expect(walk()).toEqual(first);
    expect(first.occupants.reduce((sum, here) => sum + here, 0)).toBe(40);
  });
});
