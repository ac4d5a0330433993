import { expect, test } from "vitest";
import { numberRuns } from "../../src/launch/kept-apart.ts";
import { Plan } from "../../src/plan/plan.ts";
import { studyFrom } from "../dialects/source.ts";

const TOML = `
[[tasks]]
prepared_dir = "b"
model = "x"
rollouts = 2
[[tasks]]
prepared_dir = "a"
model = "y"
[[tasks]]
prepared_dir = "a"
model = "x"
[[tasks]]
prepared_dir = "b"
model = "x"
rollouts = 1
`;
const planOf = (text: string) => new Plan(studyFrom(text, "n.toml"), "rollout@1");
const shown = (runs: ReturnType<typeof numberRuns>) =>
  runs.map(({ task, params, seed }) => `${task}${params.model}${seed}`);

test("rollouts are numbered as the entries of the file stand, those of an entry together", () => {
  expect(shown(numberRuns(planOf(TOML)))).toEqual(["bx1", "bx2", "ay1", "ax1", "bx3"]);
});

test("a rollout that had a number keeps it, whatever stands before it now", () => {
  const before = numberRuns(planOf(TOML)).map(({ id }) => id);
  const text = `[[tasks]]\nprepared_dir = "c"\nmodel = "x"\n${TOML}`;
  expect(shown(numberRuns(planOf(text), before))).toEqual([...["bx1", "bx2", "ay1", "ax1", "bx3", "cx1"]]);
});

test("those of a native study are numbered as its plan runs them", () => {
  const plan = new Plan(
    studyFrom("target: noop\nmatrix: {model: [x, y]}\ntasks: [a, b]\nseeds: 2"),
    "noop@1",
  );
  const runs = numberRuns(plan);
  expect(runs.map(({ id }) => id).sort()).toEqual([...plan.runs()].map(({ id }) => id).sort());
});
