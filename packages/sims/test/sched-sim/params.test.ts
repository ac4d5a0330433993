import { checkParams } from "assay/plugin";
import { describe, expect, it } from "vitest";
import { schedSim, simulate } from "../../src/sched-sim/index.ts";

const llm = {
  provider: "llm_provider",
  tier_id: 0,
  rate_per_s: 5,
  bucket: 20,
  concurrency: 2,
  price_usd: 0.01,
};
const embed = { ...llm, provider: "embed_provider" };
const check = (params: Record<string, unknown>) => checkParams(schedSim, params as never);

describe("a bad parameter is named with what was expected", () => {
  const bad: [string, Record<string, unknown>, RegExp][] = [
    ["no such policy", { policy: "ful" }, /policy.*a known policy \(did you mean "full"\?\)/],
    ["no such parameter", { worklows: 5 }, /no parameter "worklows".*Did you mean "workflows"/],
    ["a string for a number", { workflows: "many" }, /workflows.*expected.*number.*"many"/],
    ["half a workflow", { workflows: 1.5 }, /workflows.*whole number/],
    ["no workflows", { workflows: 0 }, /workflows.*at least 1/],
    ["a probability above 1", { heavy_tail_prob: 1.5 }, /heavy_tail_prob.*at most 1/],
    ["a tail that shortens", { heavy_tail_mult: 0.5 }, /heavy_tail_mult.*at least 1/],
    [
      "a negative rate",
      { tiers: [{ ...llm, rate_per_s: -1 }, embed] },
      /tiers\.0\.rate_per_s.*above 0 calls/,
    ],
    ["an empty bucket", { tiers: [{ ...llm, bucket: 0 }, embed] }, /tiers\.0\.bucket.*at least 1 token/],
    ["no slots", { tiers: [{ ...llm, concurrency: 0 }, embed] }, /tiers\.0\.concurrency.*at least 1 slot/],
    ["no tier for a provider", { tiers: [llm] }, /at least one tier of embed_provider/],
    ["a tier twice", { tiers: [llm, llm, embed] }, /tiers\.1\.tier_id.*llm_provider tier 0 is there twice/],
    ["a budget for nothing", { budget_usd: 0.001 }, /budget_usd.*at least 0\.01.*or null/],
    [
      "early thresholds above the others",
      { stop: { early_coverage: 0.9 } },
      /early_coverage.*at most coverage/,
    ],
    [
      "a range upside down",
      { service: { Chunk: { dist: "uniform", low_ms: 9, high_ms: 1 } } },
      /at most high_ms \(1\)/,
    ],
    ["no such distribution", { service: { Plan: { dist: "cauchy" } } }, /service\.Plan\.dist/],
    ["no such arrivals", { arrivals: { kind: "daily" } }, /arrivals\.kind/],
    ["more than memory holds", { workflows: 1_000_000, pdfs: 100 }, /at most \d+ workflows of 1103 steps/],
  ];
  it.each(bad)("%s", (_, params, message) => {
    expect(() => check(params)).toThrow(message);
  });

  it("a seed that is no whole number", () => {
    const params = schedSim.params.parse({});
    expect(() => simulate(params, 1.5)).toThrow(/seed.*whole number from 0.*1\.5/);
  });

  it("times beyond what can be counted exactly", () => {
    const params = schedSim.params.parse({
      workflows: 20,
      arrivals: { kind: "interval", interval_ms: 1e15 },
    });
    expect(() => simulate(params, 1)).toThrow(/longer than 285 years.*wrong unit/);
  });

  it("every parameter has a default and a description", () => {
    for (const [name, schema] of Object.entries(schedSim.params.shape)) {
      expect(schema.description, name).toMatch(/\w/);
    }
    expect(schedSim.params.parse({}).workflows).toBe(50);
  });
});
