import { expect, test } from "vitest";
import { numberRollouts } from "../../../src/archive/imports/number-repeats.ts";
import { readTrials } from "../../../src/archive/imports/read-trials.ts";
import type { RunRecord } from "../../../src/core/run.ts";
import { readFiles } from "./read-files.ts";

test("a folder without results says what was looked for", () => {
  const files = { "notes.json": { a: 1 }, "result.json": { task: "no trial" }, "broken.json": "{" };
  expect(() => readFiles(files)).toThrow(
    /no results of a known format.*harbor .*terminal-bench .*inspect .*swe-bench/,
  );
  expect(() => readTrials(["/gone/away"])).toThrow(/there is no such file or folder/);
});

test("a format that is not known is told by its name", () => {
  expect(() => readTrials(["."], { format: "inspct" })).toThrow(/--format inspct.*Did you mean "inspect"/);
});

const trial = (key: string, more: { startedAtMs?: number; rollout?: number } = {}) => ({
  format: "harbor",
  writtenAtMs: 0,
  system: "",
  hash: key.padStart(12, "0"),
  params: { agent: "a", model: "m" },
  trial: {
    key,
    task: "t",
    agent: "a",
    model: "m",
    outcome: { status: "ok" as const },
    metrics: {},
    labels: {},
    ...more,
  },
});

const record = (key: string, seed: number) =>
  ({
    id: `x__${key.padStart(12, "0")}`,
    params: { agent: "a", model: "m" },
    task: "t",
    seed,
  }) as unknown as RunRecord;

test("trials are numbered in the order of time, after those that are there", () => {
  const numbers = numberRollouts(
    [trial("c", { startedAtMs: 2 }), trial("b", { startedAtMs: 3 }), trial("a", { startedAtMs: 1 })],
    [record("b", 2)],
  );
  expect(numbers.map(({ trial: { key }, rollout }) => [key, rollout])).toEqual([
    ["a", 1],
    ["c", 3],
    ["b", 2],
  ]);
});

test("a number that the tool gave is kept while it is free", () => {
  const numbers = numberRollouts([trial("a", { rollout: 3 }), trial("b", { rollout: 3 })], []);
  expect(numbers.map(({ rollout }) => rollout)).toEqual([3, 1]);
});
