import { describe, expect, test } from "vitest";
import type { TrajectoryView } from "../../src/reporters/study-view.ts";
import { turnChart } from "../../viewer/charts/turn-chart.ts";
import { actionText } from "../../viewer/text/action-text.ts";
import { trajectoryFacts, turnFacts } from "../../viewer/text/turn-facts.ts";
import { visibleText } from "../../viewer/text/visible-text.ts";

const turn = { number: 1, thought: null, action: null, observation: null };
const trajectory: TrajectoryView = {
  ...{ format: "x", instance: null, model: null, exitStatus: "", submission: null, totals: {} },
  ...{ file: "out/a.traj", leftTurns: 0, turns: [turn] },
};

describe("what an agent's tools wrote", () => {
  test("shows escape codes and turned text instead of obeying them", () => {
    expect(visibleText("\x1b[31mred\x1b[0m\r\nback\b")).toBe("\\x1b[31mred\\x1b[0m\nback\\x08");
    expect(visibleText("a\u202eb\u2066c\x9b2J")).toBe("a\\u202eb\\u2066c\\x9b2J");
    expect(visibleText("tab\tline\nü 漢")).toBe("tab\tline\nü 漢");
  });
});

describe("a command", () => {
  test.each([
    ['bash {"command":"ls -la | sort"}', "bash: ls -la | sort"],
    ['read {"path":"a.js","from":3}', "read path=a.js from=3"],
    ["submit {}", "submit"],
    ['edit {"path":"a.js","old":"x\\n  y","new":"z"}', "edit a.js\n- x\n-   y\n+ z"],
    ["bash {broken", "bash {broken"],
    ["sed -n '1,9p' file {}", "sed -n '1,9p' file {}"],
    ['cat a\nbash {"command":"ls"}', "cat a\nbash: ls"],
  ])("%j is shown as %j", (action, text) => {
    expect(actionText(action)).toBe(text);
  });
});

describe("a turn's facts", () => {
  test("say what is known and nothing else", () => {
    expect(turnFacts(turn)).toEqual([]);
    expect(
      turnFacts({ ...turn, usage: { input: 200, cached: 1000, output: 30 }, costUsd: 0.004, wallMs: 1500 }),
    ).toEqual(["1,200 in (1,000 cached)", "30 out", "$0.004", "1.5 s"]);
    expect(turnFacts({ ...turn, toolMs: 250 })).toEqual(["tool 250 ms"]);
  });

  test("of the whole say what is unknown", () => {
    const facts = Object.fromEntries(trajectoryFacts(trajectory).map(({ label, value }) => [label, value]));
    expect(facts).toMatchObject({
      exit: "unknown",
      cost: "unknown",
      "tokens in": "unknown",
      calls: "unknown",
    });
  });
});

test("a trajectory says whether it solved its instance where its file does", () => {
  const labels = (part: object) =>
    trajectoryFacts({ ...trajectory, ...part }).map(({ label, value }) => [label, value]);
  expect(labels({ isResolved: false })).toContainEqual(["solved", "no"]);
  expect(labels({}).flat()).not.toContain("solved");
});

describe("the chart of prompts", () => {
  const withTokens = (...tokens: (number | undefined)[]) => ({
    ...trajectory,
    turns: tokens.map((input, i) => ({
      ...turn,
      number: i + 1,
      ...(input !== undefined && { usage: { input } }),
    })),
  });

  test("has a line a trajectory that tells, and is none where none does", () => {
    expect(turnChart([{ name: "A", trajectory: withTokens(undefined, undefined) }])).toBeNull();
    const chart = turnChart([
      { name: "A", trajectory: withTokens(10, 20) },
      { name: "B", trajectory: withTokens(undefined, undefined) },
    ]);
    expect(chart).toMatchObject({ panels: [{ curves: [{ name: "A", x: [1, 2], y: [10, 20] }] }] });
  });
});
