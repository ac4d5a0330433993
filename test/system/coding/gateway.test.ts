import "../../support/in-memory.ts";
import { describe, expect, test } from "vitest";
import type { GatewayCall } from "../../../src/gateway/call.ts";
import { bubblewrap } from "../../../src/sandboxes/bubblewrap/index.ts";
import { aProvider, type ProviderFault } from "../../support/a-provider.ts";
import { fixture, type Project } from "../../support/fixture.ts";
import { fleetEnvironment, startStudy, startWorker } from "../../support/fleet.ts";
import { freePort } from "../../support/free-port.ts";
import { startCollector } from "../../support/otlp.ts";
import { parseMetrics } from "../../support/parse-metrics.ts";
import { processesIn } from "../../support/processes.ts";
import { queueProblem, startQueueServer } from "../../support/queue-server.ts";
import { waitFor } from "../../support/wait-for.ts";

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
  const record = project.onlyRecord("rollouts");
  const logs = `bench_runs/rollouts/runs/${record.id}/out/logs`;
  const calls = project
    .read(`${logs}/model_calls.jsonl`)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as GatewayCall);
  await provider[Symbol.asyncDispose]();
  return { code, stderr, project, record: record, calls, said: project.read(`${logs}/agent.stdout.txt`) };
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
      ...{ retried_calls: 0, tokens_reasoning: 0, model_seconds: calls[0]!.wallMs / 1000 },
      first_token_seconds: calls[0]!.firstTokenMs! / 1000,
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

  test("that gives up at its first 429 gets the answer that its provider promises", async () => {
    const full = (call: number) => (call <= 2 ? 429 : undefined);
    const { record, calls, said, project } = await agentThatCalls({ sandbox: "directory" }, full);
    await using _ = project;
    expect(said).toMatch(/^model 200\n/);
    expect(calls.map(({ status, isRetry }) => [status, isRetry])).toEqual([
      [429, undefined],
      [429, true],
      [200, true],
    ]);
    expect(record).toMatchObject({
      outcome: { status: "ok" },
      metrics: { model_calls: 3, failed_calls: 2, retried_calls: 2, solved: 1 },
    });
  });
});

test("spans name their run, also where arms and seeds of a task keep no files", async () => {
  const collector = await startCollector();
  await using project = await fixture("coding");
  project.env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint };
  const agent = { command: ["agents/calls.sh"], env: { MODELS: "${gateway}" } };
  const arms = ["one", "two"].map((name) => JSON.stringify({ name, ...agent }));
  project.edit("study.yaml", "{ name: good, command: [agents/good.sh] }", arms.join("\n    - "));
  project.edit("study.yaml", "executor:", "seeds: 2\nartifacts: none\nexecutor:");
  const { code, stderr } = await project.assay("run", "study.yaml", "--no-report", "--scripted", "true");
  await collector.close();
  expect(code, stderr).toBe(0);
  const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === undefined);
  expect(roots.map(({ attributes }) => attributes["assay.run.id"]).sort()).toEqual(
    project
      .records("rollouts-scripted")
      .map(({ id }) => id)
      .sort(),
  );
  expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(4);
  const asked = collector.spans.filter(({ parentSpanId }) => parentSpanId !== undefined);
  expect(asked.map(({ attributes }) => attributes["gen_ai.agent.name"]).sort()).toEqual([
    ...["one", "one", "two", "two"],
  ]);
});

test("a preset without a key is told before anything starts", async () => {
  await using project = await fixture("coding");
  project.edit("study.yaml", "{ name: good, command: [agents/good.sh] }", "codex");
  const { code, stderr } = await project.assay("run", "study.yaml");
  expect(code).toBe(2);
  expect(stderr).toContain("the agent codex needs OPENAI_API_KEY");
  expect(project.exists("bench_runs/rollouts/journal.jsonl")).toBe(false);
});

/** The same agent, in a study whose calls can be limited, recorded and replayed. */
async function aStudyThatCalls(params = "") {
  const project = await fixture("coding");
  const agent = { name: "calls", command: ["agents/calls.sh"], env: { MODELS: "${gateway}" } };
  project.edit("study.yaml", "{ name: good, command: [agents/good.sh] }", JSON.stringify(agent));
  project.edit("study.yaml", "sandbox: directory", `sandbox: directory, model: claude-sonnet-4-0${params}`);
  return project;
}

describe("a study with agents behind the gateway", () => {
  test("that is killed within a call has its cost counted, leaves nothing running and goes on", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await using provider = await aProvider("true", undefined, (call) => (call === 2 ? held : undefined));
    await using project = await aStudyThatCalls();
    project.edit("agents/calls.sh", 'echo "model', 'ask "$MODELS"; echo "model');
    project.env = { ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: "sk-ant-real-0123456789" };
    const runner = project.start("run", "study.yaml", "--no-report", "--record");
    await waitFor("the second call", () => runner.isOver || provider.requests.length === 2);
    runner.kill("SIGKILL");
    await runner.ended;
    release();
    const { code } = await project.assay("run", "study.yaml", "--no-report", "--record");
    expect(code).toBe(0);
    const record = project.onlyRecord("rollouts");
    expect(record).toMatchObject({ outcome: { status: "ok" }, metrics: { model_calls: 2, solved: 1 } });
    const perCall = record.costUsd! / 2;
    const [lost] = record.earlier!;
    expect(lost!.reason).toBe("it was killed");
    // The first call, and the most that the second may have cost.
    expect(lost!.costUsd).toBeGreaterThan(perCall);
    expect(processesIn(project.dir)).toEqual([]);
  });

  test("has one budget, which no call passes", async () => {
    await using provider = await aProvider("true");
    await using project = await aStudyThatCalls();
    project.env = { ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: "sk-ant-real-0123456789" };
    await project.assay("run", "study.yaml", "--no-report", "--max-cost", "0.00001");
    const record = project.onlyRecord("rollouts");
    expect(record.outcome).toMatchObject({ status: "failed", owner: "budget" });
    expect(record.outcome.reason).toContain("the launch's budget of $0.00001 has no room");
    expect(provider.requests).toEqual([]);
  });

  test("has one number of calls and one of tokens for all of its runs, which a later launch goes on with", async () => {
    await using provider = await aProvider("true");
    await using project = await aStudyThatCalls();
    project.env = { ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: "sk-ant-real-0123456789" };
    project.edit("study.yaml", "executor:", "limits: { calls: 2 }\nseeds: 3\nexecutor:");
    const { code } = await project.assay("run", "study.yaml", "--no-report", "--jobs", "1");
    expect(code).toBe(1);
    const owners = () => project.records("rollouts").map(({ outcome }) => outcome.owner ?? outcome.status);
    expect(owners().sort()).toEqual(["budget", "ok", "ok"]);
    expect(provider.requests).toHaveLength(2);
    project.edit("study.yaml", "calls: 2", "tokens: 3000");
    expect((await project.assay("run", "study.yaml", "--no-report")).code).toBe(0);
    expect(owners().sort()).toEqual(["budget", "ok", "ok", "ok"]);
    project.edit("study.yaml", "seeds: 3", "seeds: 4");
    await project.assay("run", "study.yaml", "--no-report");
    const { reason } = project.records("rollouts").at(-1)!.outcome;
    expect(reason).toContain("the study's limit of 3000 tokens is reached: 3150 are used");
    expect(provider.requests).toHaveLength(3);
  });

  test.skipIf(queueProblem("redis"))("has one number of calls for all workers of a queue", async () => {
    await using server = await startQueueServer("redis");
    await using provider = await aProvider("true");
    await using project = await aStudyThatCalls();
    const keys = { ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: "sk-ant-real-0123456789" };
    project.env = { ...fleetEnvironment(server, project), ...keys };
    project.edit("study.yaml", "executor:", "limits: { calls: 2, costUsd: 1 }\nseeds: 4\nexecutor:");
    const workers = await Promise.all([startWorker(project), startWorker(project)]);
    const { code } = await startStudy(project).ended;
    expect(code).toBe(1);
    const outcomes = project.records("rollouts").map(({ outcome }) => outcome);
    expect(outcomes.map(({ owner, status }) => owner ?? status).sort()).toEqual([
      "budget",
      "budget",
      "ok",
      "ok",
    ]);
    expect(outcomes.find(({ owner }) => owner)!.reason).toContain("limit of 2 calls to models is reached");
    expect(provider.requests).toHaveLength(2);
    expect(project.read("bench_runs/rollouts/model-calls.jsonl")).toContain('{"calls":2}');
    for (const worker of workers) worker.kill("SIGTERM");
    await Promise.all(workers.map(({ ended }) => ended));
  });

  test("keeps a run to its own limit, and grades what it left", async () => {
    await using provider = await aProvider("true");
    await using project = await aStudyThatCalls(", max_cost_usd: 0.00001");
    project.env = { ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: "sk-ant-real-0123456789" };
    await project.assay("run", "study.yaml", "--no-report");
    const record = project.onlyRecord("rollouts");
    expect(record).toMatchObject({ outcome: { status: "ok" }, labels: { agent_exit: "budget" } });
    expect(provider.requests).toEqual([]);
  });

  test("is refused with a cost limit and a model whose price nobody knows", async () => {
    await using project = await aStudyThatCalls();
    project.edit("study.yaml", "claude-sonnet-4-0", "unheard-of");
    const { code, stderr } = await project.assay("run", "study.yaml", "--max-cost", "1");
    expect(code).toBe(2);
    expect(stderr).toContain("the price of unheard-of is unknown, so a cost limit can't be kept");
    expect(project.exists("bench_runs")).toBe(false);
  });

  test("is recorded, and replayed with no key and no provider", async () => {
    await using project = await aStudyThatCalls();
    const provider = await aProvider("true");
    project.env = { ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: "sk-ant-real-0123456789" };
    await project.assay("run", "study.yaml", "--no-report", "--record");
    await provider[Symbol.asyncDispose]();
    expect((await everything(project)).stdout).toBe("");
    project.env = {};
    const { code } = await project.assay("run", "study.yaml", "--no-report", "--replay", "rollouts");
    expect(code).toBe(0);
    const [recorded, replayed] = ["rollouts", "rollouts-replay"].map((name) => project.onlyRecord(name));
    expect(replayed!.id).toBe(recorded!.id);
    expect(replayed!.metrics).toMatchObject({
      model_calls: 1,
      failed_calls: 0,
      solved: 1,
      tokens_total: 1050,
    });
    project.edit("agents/calls.sh", '"max_tokens":10', '"max_tokens":20');
    await project.assay("run", "study.yaml", "--no-report", "--fresh", "--replay", "rollouts");
    const differs = project.onlyRecord("rollouts-replay");
    expect(differs.outcome).toMatchObject({ status: "failed", owner: "infrastructure" });
    expect(differs.outcome.reason).toContain("at request.max_tokens");
    const diff = project.read(`bench_runs/rollouts-replay/runs/${differs.id}/out/logs/replay.diff`);
    expect(diff).toContain("-10\n+20");
  });
});

test("a study runs without a provider: a scripted model answers, or fails as it is told", async () => {
  await using project = await aStudyThatCalls();
  await project.assay("run", "study.yaml", "--no-report", "--scripted", "true");
  expect(project.records("rollouts-scripted")).toMatchObject([
    {
      outcome: { status: "ok" },
      metrics: { model_calls: 1, failed_calls: 0, tokens_total: 1050, solved: 1 },
    },
  ]);
  const { code } = await project.assay("run", "study.yaml", "--no-report", "--fresh", "--fault", "429");
  expect(code).toBe(1);
  const record = project.onlyRecord("rollouts-scripted");
  expect(record.outcome).toMatchObject({ status: "failed", owner: "infrastructure" });
  expect(record.outcome.reason).toContain("no call to its model was answered: HTTP 429");
  expect(project.exists("bench_runs/rollouts")).toBe(false);
  const both = await project.assay("run", "study.yaml", "--fault", "429", "--replay", "rollouts");
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("--fault and --replay")]);
});

test("a study without such agents can't be recorded", async () => {
  await using project = await fixture("coding");
  const { code, stderr } = await project.assay("run", "study.yaml", "--record");
  expect(code).toBe(2);
  expect(stderr).toContain("--record: expected a study whose programs call their models through the gateway");
  expect(project.exists("bench_runs")).toBe(false);
});

test("assay gateway serves by hand until Ctrl-C, and tells every call without keys", async () => {
  await using provider = await aProvider("true");
  await using project = await fixture("coding");
  project.env = { OPENAI_BASE_URL: provider.url, OPENAI_API_KEY: "sk-real-0123456789" };
  const port = await freePort();
  const words = ["--json", "--record", "talk.jsonl", "--max-calls", "1", "--metrics", String(port)];
  const served = project.start("gateway", ...words);
  await waitFor("its address", () => served.isOver || served.stdout.includes("\n"));
  const { url } = JSON.parse(served.stdout) as { url: string };
  const again = await project.assay("gateway", "--port", new URL(url).port);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("is taken by another program")]);
  const ask = () => fetch(`${url}/v1/responses`, { method: "POST", body: '{"model":"gpt-5-mini"}' });
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 400]);
  expect(provider.requests[0]!.headers.authorization).toBe("Bearer sk-real-0123456789");
  const scraped = parseMetrics(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
  const calls = scraped.filter(({ name }) => name === "assay_gateway_calls_total");
  expect(calls.map(({ labels, value }) => [labels.result, value])).toEqual([
    ["ok", 1],
    ["budget", 1],
  ]);
  served.kill("SIGINT");
  const { code, stdout, stderr } = await served.ended;
  expect([code, stderr]).toEqual([0, `metrics: http://127.0.0.1:${port}/metrics\n`]);
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.slice(1)).toMatchObject([
    { model: "gpt-5-mini", status: 200, usage: { input: 600 } },
    { status: 400, failure: { kind: "budget" } },
    { total: { calls: 2, failed: 1, tokens: 1050 } },
  ]);
  expect(stdout + project.read("talk.jsonl")).not.toContain("sk-real");
});
