import { checkParams } from "assay/plugin";
import { describe, expect, it } from "vitest";
import { learn } from "../../src/learn/index.ts";

const check = (params: Record<string, unknown>) => checkParams(learn, params as never);

describe("a bad parameter is named with what was expected", () => {
  const bad: [string, Record<string, unknown>, RegExp][] = [
    ["no such architecture", { architecture: "lstm" }, /architecture.*"vit_reset", "trxl", got "lstm"/],
    ["no such curriculum", { curriculum: "terrain_4" }, /curriculum.*"terrain_1".*got "terrain_4"/],
    ["no such parameter", { learning_rte: 0.1 }, /no parameter "learning_rte".*Did you mean "learning_rate"/],
    ["no learning", { learning_rate: 0 }, /learning_rate.*above 0, got 0/],
    ["a probability above 1", { slip: 1.5 }, /slip.*at most 1, got 1\.5/],
    ["a string for a number", { steps: "many" }, /steps.*number.*"many"/],
    ["no memory at all", { memory: 0 }, /memory.*at least 1, got 0/],
    [
      "points closer than an episode",
      { points: 2000, steps: 100_000 },
      /points.*at most 1250 with 100000 steps.*up to 80 steps in terrain_2.*got 2000/,
    ],
  ];
  it.each(bad)("%s", (_, params, message) => {
    expect(() => check(params)).toThrow(message);
  });

  it("and the defaults are good, for every curriculum", () => {
    for (const curriculum of ["terrain_1", "terrain_2", "terrain_3"]) check({ curriculum });
  });
});
