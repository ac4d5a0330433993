import { expect, test } from "vitest";
import { agent } from "../../../src/targets/agent/index.ts";
import { agentSchema } from "../../../src/targets/agent/params.ts";
import { rollout } from "../../../src/targets/coding/index.ts";
import { rolloutSchema } from "../../../src/targets/coding/params.ts";
import { TempFolder } from "../../support/temp-folder.ts";

const model = "openai-compatible:mine";
const here = { isHere: true };

const check = async (given: object, baseDir = ".") => agent.check!(agentSchema.parse(given), baseDir, here);

test("cost_limit with a price that nobody knows is refused before anything runs", async () => {
  await expect(check({ model, cost_limit: 1 })).rejects.toThrow(/price of openai-compatible:mine is unknown/);
  await expect(check({ cost_limit: 1, strategy: "llm_summary", summarizer_model: model })).rejects.toThrow(
    /unknown/,
  );
  await expect(check({ cost_limit: 1, retry_attempts: 2, review_model: model })).rejects.toThrow(/unknown/);
  const given = { agent: "assay", model, agent_options: { cost_limit: 1 } };
  await expect(async () => rollout.check!(rolloutSchema.parse(given), ".", here)).rejects.toThrow(/unknown/);
});

test("cost_limit with a known price, and models that are not asked, are fine", async () => {
  await check({ cost_limit: 1, summarizer_model: model, review_model: model });
  await check({ model });
  using folder = new TempFolder({ "prices.yaml": `"${model}": {input: 1, output: 2}\n` });
  await check({ model, cost_limit: 1, prices: "prices.yaml" }, folder.path);
});
