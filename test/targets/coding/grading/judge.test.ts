import { afterEach, describe, expect, test } from "vitest";
import { createModel } from "../../../../src/models/create-model.ts";
import { judge } from "../../../../src/targets/coding/grading/judge.ts";
import { type ModelServer, startModelServer } from "../../../support/model-server.ts";

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const rubrics = [
  { id: "works", criterion: "The lamp works", weight: 3 },
  { id: "tidy", criterion: "The code is tidy", weight: 1 },
];
const answering = (text: string) => ({
  id: "x",
  object: "chat.completion",
  created: 0,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
  usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
});

async function judgeWith(text: string, repeats = 1) {
  server = await startModelServer(answering(text));
  const model = await createModel("openai-compatible:m", {
    baseUrl: server.url,
    prices: { "openai-compatible:m": { input: 1, cached: 1, output: 1 } },
  });
  const signal = new AbortController().signal;
  return judge(
    { instruction: "Make the lamp work.", rubrics, patch: "+on\n" },
    { model, repeats, seed: 7, signal },
  );
}

describe("a judge", () => {
  test("gives the weighted mean of its scores, what it cost, and how far it agrees with itself", async () => {
    const scores = [
      { id: "works", score: 1, reason: "it is on" },
      { id: "tidy", score: 0.5 },
    ];
    const told = JSON.stringify({ rubrics: scores, summary: "Good." });
    const judgement = await judgeWith(`\`\`\`json\n${told}\n\`\`\``, 3);
    expect(judgement).toMatchObject({ score: 0.875, sd: 0, repeats: 3, summary: "Good.", warnings: [] });
    expect(judgement.costUsd).toBeCloseTo((3 * 120) / 1e6);
    expect(server!.requests).toHaveLength(3);
    const said = JSON.stringify(server!.requests[0]!.body);
    for (const part of ["Make the lamp work.", "The code is tidy", "+on"]) expect(said).toContain(part);
  });

  test.each([
    ["I would say it is fine.", "not JSON"],
    ['{"rubrics": [{"id": "works", "score": 7}]}', "between 0 and 1"],
    ['{"rubrics": [{"id": "works", "score": 1}]}', "every rubric once"],
  ])("that answers %j has given no judgement", async (text, reason) => {
    const judgement = await judgeWith(text, 2);
    expect(judgement).toMatchObject({ score: null, sd: null, repeats: 0 });
    expect(judgement.warnings).toEqual([expect.stringContaining(reason)]);
    expect(judgement.costUsd).toBeGreaterThan(0);
  });
});
