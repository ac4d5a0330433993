import { describe, expect, test } from "vitest";
import { Plan } from "../../src/plan/plan.ts";
import { aStudy, axis } from "../support/a-study.ts";

const study = aStudy({
  axes: [axis("policy", "a", "b", "c", "d")],
  seeds: [1, 2],
  repeats: { warmup: 0, measured: 3 },
});
const planned = [...new Plan(study, "noop@1").runs()];
const interleaved = [...new Plan({ ...study, order: "interleaved" }, "noop@1").runs()];

describe("the interleaved order", () => {
  test("has the same runs", () => {
    const ids = (runs: { id: string }[]) => runs.map(({ id }) => id).sort();
    expect(ids(interleaved)).toEqual(ids(planned));
    expect(new Plan({ ...study, order: "interleaved" }, "noop@1").count()).toBe(interleaved.length);
  });

  test("gives every cell one turn in each round of a seed and a repeat", () => {
    for (let round = 0; round < 6; round++) {
      const runs = interleaved.slice(4 * round, 4 * round + 4);
      expect(new Set(runs.map(({ params }) => params.policy)).size).toBe(4);
      expect(new Set(runs.map(({ seed, repeat }) => `${seed} ${repeat}`)).size).toBe(1);
    }
  });

  test("draws each round's order anew, and the same one every time", () => {
    const orders = Array.from({ length: 6 }, (_, round) =>
      interleaved
        .slice(4 * round, 4 * round + 4)
        .map(({ params }) => params.policy)
        .join(""),
    );
    expect(new Set(orders).size).toBeGreaterThan(1);
    expect([...new Plan({ ...study, order: "interleaved" }, "noop@1").runs()]).toEqual(interleaved);
  });

  test("leaves out what the study leaves out", () => {
    const some = new Plan({ ...study, order: "interleaved", where: "policy != 'a' && repeat < 2" }, "noop@1");
    const runs = [...some.runs()];
    expect(runs).toHaveLength(12);
    expect(runs.some(({ params, repeat }) => params.policy === "a" || repeat === 2)).toBe(false);
  });
});
