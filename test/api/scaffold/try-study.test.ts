import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import {
  isUntouched,
  patternsIn,
  type Trial,
  trialStudy,
  trialText,
} from "../../../src/api/scaffold/try-study.ts";

const trial = (part: Partial<Trial> = {}): Trial => ({
  command: "python3 agent.py --model {model}",
  values: { model: ["small", "big"] },
  seeds: 5,
  metrics: [],
  ...part,
});

test("a command line becomes a study", () => {
  const made = trialStudy(
    trial({
      command: 'python3 tools/agent.py --model {model} --depth=${depth} \'a b\' "c \\"d\\"" {seed}',
      values: { model: ["small", "big"], depth: [3] },
      metrics: ["accuracy: ([0-9.]+)", "cost_usd"],
      goal: "maximize",
    }),
  );
  expect(made).toEqual({
    study: "agent",
    target: {
      command: [
        "python3",
        "tools/agent.py",
        "--model",
        "${model}",
        "--depth=${depth}",
        "a b",
        'c "d"',
        "${seed}",
      ],
      metrics: { accuracy: "accuracy: ([0-9.]+)" },
    },
    params: { depth: 3 },
    matrix: { model: ["small", "big"] },
    seeds: 5,
    analysis: { metric: "accuracy", goal: "maximize", also: ["cost_usd"] },
  });
});

test.each([
  ["val_acc = (.+)", "val_acc"],
  ["final (?<loss>[0-9.]+)", "loss"],
  ["Total\\s+time:\\s*([0-9.]+)", "time"],
  ["^([0-9.]+)$", "value"],
  ["score", "score"],
])("--metric %j is called %s", (metric, name) => {
  expect(trialStudy(trial({ metrics: [metric] }))).toMatchObject({ analysis: { metric: name } });
});

test.each<[string, Partial<Trial>, string]>([
  ["a name without values", { values: {} }, "{model} in the command has no values. Add model=VALUE,VALUE."],
  [
    "a misspelt name",
    { values: { modle: ["a"] } },
    "{model} in the command has no values. Did you mean {modle}?",
  ],
  [
    "values that nothing uses",
    { command: "sh run.sh" },
    "the command does not use model. Write {model} where the program takes it: 'sh run.sh --model {model}'.",
  ],
  [
    "a pipe",
    { command: "cat {model} | wc" },
    "needs a shell, and Assay starts programs without one. Put the line",
  ],
  ["an open quote", { command: "sh 'x {model}" }, "a ' in the command is not closed"],
  ["nothing", { command: " ", values: {} }, "no command. For instance assay try"],
  ["a broken pattern", { metrics: ["acc: ("] }, "--metric: expected a regular expression"],
])("%s is told with its remedy", (_, part, message) => {
  expect(() => trialStudy(trial(part))).toThrow(message);
});

test("its file is its own until somebody edits it", () => {
  const text = trialText(trialStudy(trial()), { made: "assay try 'x'", schema: "./schema.json" });
  expect(parse(text)).toEqual(trialStudy(trial()));
  expect(text).toContain('command: [python3, agent.py, --model, "${model}"]');
  expect(isUntouched(text)).toBe(true);
  expect(isUntouched(text.replace("seeds: 5", "seeds: 6"))).toBe(false);
  expect(isUntouched("study: mine\n")).toBe(false);
});

describe("numbers that a program printed", () => {
  test("are found with a pattern for each, the last line first", () => {
    const found = patternsIn("loss=1e-3 step: 4\nepoch 2\naccuracy:   0.75 (best)\naccuracy: 0.8\n");
    expect(found.map(({ name, pattern }) => [name, pattern])).toEqual([
      ["accuracy", "accuracy: ([0-9.]+)"],
      ["loss", "loss=([-+0-9.e]+)"],
      ["step", "step: ([0-9.]+)"],
    ]);
  });
});
