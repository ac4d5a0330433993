import { describe, expect, test } from "vitest";
import { type Named, runNamer } from "../../src/design/run-name.ts";

const STUDY: Named = {
  axes: [],
  variants: [{ name: "baseline", flags: [], params: {} }],
  seeds: [1],
  repeats: { warmup: 0, measured: 1 },
};
const RUN = { params: {}, variant: "baseline", seed: 1, task: null, repeat: 0 };
const axis = (name: string, ...values: (string | number | Record<string, string>)[]) => ({
  names: [name],
  rows: values.map((value) => [value]),
});

describe("what a run is called", () => {
  test("words stand for themselves, numbers beside their parameter's name", () => {
    const nameOf = runNamer({
      ...STUDY,
      axes: [axis("model", "small", "big"), axis("steps", 5, 10)],
      seeds: [1, 2],
    });
    expect(nameOf({ ...RUN, params: { model: "big", steps: 10 }, seed: 2 })).toBe("big, steps=10, seed 2");
    expect(nameOf({ ...RUN, params: { model: "big" } })).toBe("big, seed 1");
  });

  test("agents go by their names, tasks by the last part of their path", () => {
    const agents = [
      { name: "solver", command: "a" },
      { name: "flaky", command: "b" },
    ];
    const nameOf = runNamer({ ...STUDY, axes: [axis("agent", ...agents)], isStamped: true });
    expect(nameOf({ ...RUN, params: { agent: agents[1]! }, task: "tasks/greet", seed: 3 })).toBe(
      "flaky on greet, rollout 3",
    );
  });

  test("a search names its point, a single run has no name", () => {
    const searched = {
      space: [
        {
          name: "lr",
          path: ["optimizer", "lr"],
          distribution: { kind: "uniform", min: 0, max: 1, scale: "linear" },
        },
        { name: "fixed", path: ["fixed"], distribution: { kind: "constant", value: 1 } },
      ],
    } as unknown as NonNullable<Named["search"]>;
    expect(
      runNamer({ ...STUDY, search: searched })({ ...RUN, params: { optimizer: { lr: 0.123456 }, fixed: 1 } }),
    ).toBe("lr=0.1235");
    expect(runNamer(STUDY)(RUN)).toBe("");
  });

  test("only what varies is part of it", () => {
    const nameOf = runNamer({
      ...STUDY,
      variants: [...STUDY.variants, { name: "no_hedge", flags: [], params: {} }],
      axes: [axis("policy", "fifo")],
      repeats: { warmup: 0, measured: 2 },
    });
    expect(nameOf({ ...RUN, params: { policy: "fifo" }, variant: "no_hedge", repeat: 1 })).toBe(
      "no_hedge, repeat 1",
    );
  });
});
