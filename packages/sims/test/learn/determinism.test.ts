import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { learn } from "../../src/learn/index.ts";
import { curricula } from "../../src/learn/terrain.ts";
import { World } from "../../src/learn/world.ts";
import { ARCHITECTURES, CURRICULA, trained } from "./training.ts";

const OPTIONS = { maps: 2, slip: 0.1, wrongGoalReward: 0.5 };

describe("a seed", () => {
  it("gives the same bytes again, and another seed others", () => {
    for (const curriculum of CURRICULA) {
      for (const architecture of ARCHITECTURES) {
        const bytes = (seed: number) =>
          JSON.stringify(trained({ curriculum, architecture, steps: 30_000 }, seed));
        expect(bytes(7)).toBe(bytes(7));
        expect(bytes(7)).not.toBe(bytes(8));
      }
    }
  });

  it("gives the same bytes in every version that says it is version 1", () => {
    const all = CURRICULA.flatMap((curriculum) =>
      ARCHITECTURES.map((architecture) => trained({ curriculum, architecture, steps: 30_000 }, 1072)),
    );
    expect(learn.version).toBe("1");
    expect(createHash("sha256").update(JSON.stringify(all)).digest("hex")).toMatchInlineSnapshot(
      `"1c70f38189219765ae3b9ca915686029c129c4aa05c763acc77dc048798e0fa6"`,
    );
  });

  it("gives two architectures the same maps, signs and slips, whatever they did before", () => {
    for (const curriculum of CURRICULA) {
      const still = new World(curricula[curriculum], 5, OPTIONS);
      const busy = new World(curricula[curriculum], 5, OPTIONS);
      for (let episode = 0; episode < 100; episode++) {
        for (const world of [still, busy]) world.begin();
        expect([busy.place, busy.sign]).toEqual([still.place, still.sign]);
        for (let step = 0; step < episode % 9 && !busy.isOver; step++) busy.move((episode + step) % 4);
        for (const world of [still, busy]) world.begin();
        for (const move of [2, 1, 2, 2, 3, 2]) {
          if (still.isOver) break;
          for (const world of [still, busy]) world.move(move);
          expect([busy.place, busy.reward, busy.isWon]).toEqual([still.place, still.reward, still.isWon]);
        }
      }
    }
  });
});

describe("the target", () => {
  const context = {
    params: learn.params.parse({}),
    seed: 3,
    task: null,
    repeat: 0,
    iteration: 0,
    baseDir: ".",
    outDir: null,
    warn: () => {},
  };

  it("reports the curve as its series and declares every metric", async () => {
    const steps: Record<string, number>[] = [];
    const signal = new AbortController().signal;
    const metrics = await learn.run(
      { ...context, signal, series: (values) => steps.push(values) },
      undefined,
    );
    const expected = trained({}, 3);
    expect(steps).toEqual(expected.curve);
    expect(metrics).toEqual(expected.metrics);
    expect(Object.keys(learn.metrics!)).toEqual(["reward", "success", ...Object.keys(metrics)]);
  });

  it("ends early when it should", async () => {
    const params = learn.params.parse({ steps: 10_000_000 });
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(learn.run({ ...context, params, signal, series: () => {} }, undefined)).rejects.toThrow(
      "enough",
    );
  });
});
