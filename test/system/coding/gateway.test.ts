import "../../support/in-memory.ts";
import { describe, expect, test } from "vitest";
import type { GatewayCall } from "../../../src/gateway/call.ts";
import { bubblewrap } from "../../../src/sandboxes/bubblewrap/index.ts";
import { aProvider, type ProviderFault } from "../../support/a-provider.ts";
import { fixture, type Project } from "../../support/fixture.ts";

const problem = await bubblewrap.problem!();

/** An agent that calls its model through `${gateway}`, and also a server that only a network would reach. */
async function agentThatCalls(
  { sandbox, network = "models" }: { sandbox: string; network?: boolean | "models" },
  fault?: (call: number) => ProviderFault | undefined,
) {
  const provider = await aProvider("true", fault);
  const project = await fixture("coding");
  project.env = { ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: "sk-ant-real-0123456789" };
  const env = { MODELS: "${gateway}", ELSEWHERE: `${provider.url} http://192.0.2.1` };
  const agent = { name: "calls", command: ["agents/calls.sh"], env };
  project.edit("study.yaml", "{ name: good, command: [agents/good.sh] }", JSON.stringify(agent));
  project.edit("study.yaml", "sandbox: directory", `sandbox: ${sandbox}, network: ${network}`);
  const { code, stderr } = await project.assay("run", "study.yaml", "--no-report");
  const [record] = project.records("rollouts");
  const logs = `bench_runs/rollouts/runs/${record!.id}/out/logs`;
  const calls = project
    .read(`${logs}/model_calls.jsonl`)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as GatewayCall);
  await provider[Symbol.asyncDispose]();
  return { code, stderr, project, record: record!, calls, said: project.read(`${logs}/agent.stdout.txt`) };
}

const everything = (project: Project) => project.launch(["grep", "-rl", "sk-ant-real", "bench_runs"]).ended;

describe("an agent behind the gateway", () => {
  test("is metered by its calls, and sees no key", async () => {
    const { record, calls, said, project } = await agentThatCalls({ sandbox: "directory" });
    await using _ = project;
    expect(record.outcome.status).toBe("ok");
    expect(said).toMatch(/^model 200\n/);
    expect(said.trim().split("\n").at(-1)).toBe("0");
    expect(calls).toHaveLength(1);
    expect(record.metrics).toMatchObject({
      ...{ model_calls: 1, failed_calls: 0, tokens_input: 600, tokens_cached: 400, tokens_output: 50 },
      ...{ tokens_total: 1050, cost_usd: calls[0]!.costUsd, solved: 1 },
    });
    expect(record.costUsd).toBe(calls[0]!.costUsd);
    expect((await everything(project)).stdout).toBe("");
  });

  test.skipIf(problem !== undefined)("reaches nothing else from a sandbox without a network", async () => {
    const apart = await agentThatCalls({ sandbox: "bubblewrap" });
    await using _ = apart.project;
    expect(apart.said).toMatch(/^model 200\nelsewhere 000\S*\nelsewhere 000/);
    expect(apart.calls).toHaveLength(1);
    const open = await agentThatCalls({ sandbox: "bubblewrap", network: true });
    await using __ = open.project;
    // The same server answers where there is a network: the test would see a leak.
    expect(open.said).toMatch(/^model 200\nelsewhere 200\n/);
  });

  test("whose model refuses is missing, never a failed task", async () => {
    const { code, record, calls, project } = await agentThatCalls({ sandbox: "directory" }, () => 401);
    await using _ = project;
    expect(code).not.toBe(0);
    expect(record.outcome).toMatchObject({ status: "failed", owner: "infrastructure" });
    expect(record.outcome.reason).toBe("no call to its model was answered: HTTP 401: refused with 401");
    expect(record.metrics.solved).toBeUndefined();
    expect(record.metrics.failed_calls).toBe(calls.length);
  });
});

test("a preset without a key is told before anything starts", async () => {
  await using project = await fixture("coding");
  project.edit("study.yaml", "{ name: good, command: [agents/good.sh] }", "codex");
  const { code, stderr } = await project.assay("run", "study.yaml");
  expect(code).toBe(2);
  expect(stderr).toContain("the agent codex needs OPENAI_API_KEY");
  expect(project.exists("bench_runs/rollouts/journal.jsonl")).toBe(false);
});
