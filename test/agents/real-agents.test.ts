import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { readTrajectoryFile } from "../../src/archive/trajectories/read-trajectory-file.ts";
import { bubblewrap } from "../../src/sandboxes/bubblewrap/index.ts";
import { jsonLines } from "../../src/targets/coding/agents/read-output.ts";
import { aProvider, type ProviderFault } from "../support/a-provider.ts";
import { fixture } from "../support/fixture.ts";

/** Where scripts/test-agents.sh installed the agents. */
const home = process.env.ASSAY_AGENTS_DIR ?? "";
const problem = await bubblewrap.problem!();

/** Programs of the npm registry, and how each tells its own tokens. */
const AGENTS: Record<string, { path: string; model: string; ownTokens(output: string): number | undefined }> =
  {
    codex: {
      path: "@openai/codex/bin/codex.js",
      model: "gpt-5-mini",
      ownTokens: (output) => {
        const told = [...jsonLines(output)].find(({ type }) => type === "turn.completed")?.usage as
          | Record<string, number>
          | undefined;
        return told && told.input_tokens! + told.output_tokens!;
      },
    },
    claude: {
      path: "@anthropic-ai/claude-code-linux-x64/claude",
      model: "claude-sonnet-4-0",
      ownTokens: (output) => {
        const told = [...jsonLines(output)].find(({ type }) => type === "result")?.usage as
          | Record<string, number>
          | undefined;
        return told && told.input_tokens! + told.cache_read_input_tokens! + told.output_tokens!;
      },
    },
  };

async function letWork(name: string, fault?: (call: number) => ProviderFault | undefined) {
  const { path, model } = AGENTS[name]!;
  await using provider = await aProvider("echo 'on, bright' > lamp.txt", fault);
  await using project = await fixture("coding");
  project.env = {
    PATH: `${dirname(`${home}/node_modules/${path}`)}:${home}/node_modules/.bin:${process.env.PATH}`,
    SANDBOX_READABLE: `${home}/node_modules`,
    ...{ OPENAI_BASE_URL: `${provider.url}/v1`, OPENAI_API_KEY: "sk-real-0123456789" },
    ...{ ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: "sk-ant-real-0123456789" },
  };
  project.edit("study.yaml", "{ name: good, command: [agents/good.sh] }", name);
  project.edit(
    "study.yaml",
    "sandbox: directory",
    `sandbox: bubblewrap, model: ${model}, agent_timeout_s: 60`,
  );
  const ended = await project.assay("run", "study.yaml", "--no-report");
  const [record] = project.records("rollouts");
  const out = `bench_runs/rollouts/runs/${record!.id}/out`;
  const leaks = await project.launch(["grep", "-rlE", "sk-(ant-)?real-0123456789", "bench_runs"]).ended;
  return {
    ...{ ended, record: record!, requests: provider.requests, leaks: leaks.stdout },
    output: project.read(`${out}/logs/agent.stdout.txt`),
    patch: project.read(`${out}/artifacts/diff.patch`),
    trajectory: readTrajectoryFile(join(project.dir, out, "trajectories/lamp.traj")),
  };
}

describe.each(Object.keys(AGENTS))("%s from the npm registry", (name) => {
  const isThere = existsSync(`${home}/node_modules/${AGENTS[name]!.path}`);
  const why = isThere ? problem : `not installed in ASSAY_AGENTS_DIR (${home || "not set"})`;

  test.skipIf(why !== undefined)(
    `solves a task through the gateway, without a network${why ? ` (skipped: ${why})` : ""}`,
    async () => {
      const { record, output, patch, leaks, requests, trajectory } = await letWork(name);
      expect(record.outcome).toEqual({ status: "ok" });
      expect(record.metrics).toMatchObject({ solved: 1, tool_calls: 1, model_calls: 2, failed_calls: 0 });
      expect(patch).toContain("+on, bright");
      expect(record.metrics.tokens_total).toBe(AGENTS[name]!.ownTokens(output));
      expect(record.metrics.cost_usd).toBeGreaterThan(0);
      expect(leaks).toBe("");
      expect(trajectory).toMatchObject({
        trajectory: {
          ...{ format: "assay", exitStatus: "submitted", isResolved: true, submission: patch },
          turns: [{ action: expect.stringContaining("on, bright") }, { thought: "Done." }],
          totals: { calls: 2, costUsd: record.metrics.cost_usd },
          opening: expect.arrayContaining([expect.objectContaining({ kind: "system" })]),
        },
      });
      expect(requests.every(({ line }) => line.startsWith("POST /v1/"))).toBe(true);
    },
  );

  test.skipIf(why !== undefined).each([401, 429, 500, 529, "cut", "garbage"] as const)(
    "is missing where every call ends with the fault %s",
    async (fault) => {
      const { record } = await letWork(name, () => fault);
      expect(record.outcome).toMatchObject({ status: "failed", owner: "infrastructure" });
      expect(record.metrics.solved).toBeUndefined();
    },
  );

  test.skipIf(why !== undefined)("is missing where its model stops answering in the middle", async () => {
    const { record } = await letWork(name, (call) => (call > 1 ? 403 : undefined));
    expect(record.outcome).toMatchObject({ status: "failed", owner: "infrastructure" });
    expect(record.outcome.reason).toContain("its model stopped answering");
  });
});

test("what is tested is what the script installs", () => {
  const script = readFileSync(new URL("../../scripts/test-agents.sh", import.meta.url), "utf8");
  expect(script).toContain("@openai/codex@");
  expect(script).toContain("@anthropic-ai/claude-code@");
});
