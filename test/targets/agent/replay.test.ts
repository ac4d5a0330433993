import { expect, test } from "vitest";
import { agent } from "../../../src/targets/agent/index.ts";
import { agentSchema } from "../../../src/targets/agent/params.ts";
import { TempFolder } from "../../support/temp-folder.ts";

/** One run of a study whose runs all begin with the same prompt. */
async function run(folder: TempFolder, given: Record<string, unknown>, repeat = 0) {
  const params = agentSchema.parse({ sandbox: "memory", trace: false, ...given });
  const place = { baseDir: folder.path, outDir: null, signal: new AbortController().signal };
  const which = { seed: 1, task: "shop-pricing", repeat, iteration: 0 };
  return agent.run({ params, ...which, ...place, series: () => {}, warn: () => {} }, undefined);
}

const ARMS = [
  { given: { strategy: "raw" }, repeat: 0 },
  { given: { strategy: "observation_masking", obs_n: 3 }, repeat: 0 },
  { given: { strategy: "raw" }, repeat: 1 },
];

/** As a server does that never says the same thing twice: the answers of each run are marked with its number. */
function markAnswers(folder: TempFolder): void {
  const runs: string[] = [];
  const lines = folder.read("calls.jsonl").trimEnd().split("\n");
  const marked = lines.map((line) => {
    const exchange = JSON.parse(line) as { run: string; answer: { usage: { input: number } } };
    if (!runs.includes(exchange.run)) runs.push(exchange.run);
    exchange.answer.usage.input = 1000 * (runs.indexOf(exchange.run) + 1);
    return JSON.stringify(exchange);
  });
  folder.write("calls.jsonl", `${marked.join("\n")}\n`);
}

test("a replay gives each arm and each repeat what it was answered itself", async () => {
  using folder = new TempFolder();
  for (const { given, repeat } of ARMS) await run(folder, { ...given, record: "calls.jsonl" }, repeat);
  markAnswers(folder);
  for (const [i, { given, repeat }] of ARMS.entries()) {
    const metrics = await run(folder, { ...given, model: "replay:calls.jsonl" }, repeat);
    expect(metrics.total_raw_input_tokens).toBe(1000 * (i + 1) * Number(metrics.total_api_calls));
  }
});

test("a run that was not recorded fails, and is not the agent's 0", async () => {
  using folder = new TempFolder();
  await run(folder, { strategy: "raw", record: "calls.jsonl" });
  const other = run(folder, { strategy: "raw", model: "replay:calls.jsonl", call_limit: 7 });
  await expect(other).rejects.toMatchObject({ owner: "infrastructure" });
});
