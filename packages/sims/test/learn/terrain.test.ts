import { RandomStream } from "assay/plugin";
import { describe, expect, it } from "vitest";
import { trxl, vitReset } from "../../src/learn/architectures.ts";
import { curricula, drawTerrain, GOAL, neighbour, ROCK } from "../../src/learn/terrain.ts";
import { CURRICULA } from "./training.ts";

describe("a map", () => {
  it("has all its goals, and a way to each that crosses no other", () => {
    for (const name of CURRICULA) {
      const curriculum = curricula[name];
      for (let seed = 0; seed < 300; seed++) {
        const terrain = drawTerrain(curriculum, new RandomStream(seed, "test"), 0);
        const found = new Set([terrain.start]);
        for (const cell of found) {
          if (terrain.cells[cell]! >= GOAL) continue;
          for (let move = 0; move < 4; move++) found.add(neighbour(terrain, cell, move));
        }
        const goals = [...found].map((cell) => terrain.cells[cell]! - GOAL).filter((goal) => goal >= 0);
        expect(goals.sort()).toEqual(Array.from({ length: curriculum.goals }, (_, i) => i));
      }
    }
  });

  it("lets nobody over its edges or into rocks", () => {
    const terrain = drawTerrain(curricula.terrain_3, new RandomStream(1, "test"), 0);
    const { size, cells } = terrain;
    for (let cell = 0; cell < cells.length; cell++) {
      for (let move = 0; move < 4; move++) {
        const next = neighbour(terrain, cell, move);
        const distance =
          Math.abs((next % size) - (cell % size)) +
          Math.abs(Math.floor(next / size) - Math.floor(cell / size));
        expect(distance).toBeLessThanOrEqual(1);
        if (next !== cell) expect(cells[next]).not.toBe(ROCK);
      }
    }
  });
});

describe("what an architecture keeps of the signs 1, none, 3", () => {
  it("vit_reset: the one that it sees now", () => {
    const { see } = vitReset(4);
    expect([1, 0, 3, 0].map(see)).toEqual([1, 0, 3, 0]);
  });

  it("trxl: the last ones, until the next episode", () => {
    const memory = trxl(4, 2);
    expect(memory.states).toBe(25);
    expect([1, 0, 3, 0, 3, 0].map(memory.see)).toEqual([1, 1, 8, 8, 8, 8]);
    expect(memory.see(2)).toBe(17);
    memory.reset();
    expect(memory.see(0)).toBe(0);
  });
});
