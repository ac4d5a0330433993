import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { readTrajectoryFile } from "../../src/archive/trajectories/read-trajectory-file.ts";
import { numberAt, valueAt } from "../../src/core/nest-params.ts";
import { type Json, listOf, wordAt } from "../../src/gateway/protocols/protocol.ts";
import { shellCall } from "../../src/gateway/scripted.ts";
import type { AskedTool } from "../../src/gateway/stand-in.ts";
import { sleep } from "../../src/host/clock.ts";
import { bubblewrap } from "../../src/sandboxes/bubblewrap/index.ts";
import { sumOrUnknown } from "../../src/targets/coding/agents/define-preset.ts";
import { agentPresets } from "../../src/targets/coding/agents/index.ts";
import { installedVersions } from "../../src/targets/coding/agents/installed.ts";
import { jsonLines } from "../../src/targets/coding/agents/read-output.ts";
import { rollout } from "../../src/targets/coding/index.ts";
import { aProvider, type ProviderFault } from "../support/a-provider.ts";
import { BASE_IMAGE, testedEngine } from "../support/base-image.ts";
import { fixture, type Project } from "../support/fixture.ts";
import { TempFolder } from "../support/temp-folder.ts";

const problem = await bubblewrap.problem!();

type Event = Record<string, unknown>;

interface RealAgent {
  /** One that has a price. */
  model: string;
  /** Numbers that it prints of its own work, which are its tokens together; absent where it prints none. */
  ownTokens?(events: Event[]): (number | undefined)[];
}

const last = (events: Event[], type: string) => events.findLast((event) => event.type === type);

/** Programs of the npm registry, as scripts/test-agents.sh installs them. */
const AGENTS: Record<string, RealAgent> = {
  codex: {
    model: "gpt-5-mini",
    ownTokens: (events) =>
      ["input_tokens", "output_tokens"].map((name) =>
        numberAt(last(events, "turn.completed"), "usage", name),
      ),
  },
  claude: {
    model: "claude-sonnet-4-0",
    ownTokens: (events) =>
      ["input_tokens", "cache_read_input_tokens", "output_tokens"].map((name) =>
        numberAt(last(events, "result"), "usage", name),
      ),
  },
  opencode: {
    model: "gpt-5-mini",
    ownTokens: (events) =>
      events
        .filter(({ type }) => type === "step_finish")
        .map(({ part }) => numberAt(part, "tokens", "total")),
  },
  gemini: {
    model: "gemini-2.5-flash",
    ownTokens: (events) => [numberAt(last(events, "result"), "stats", "total_tokens")],
  },
  qwen: {
    model: "gpt-5-mini",
    ownTokens: (events) => [numberAt(last(events, "result"), "usage", "total_tokens")],
  },
  pi: {
    model: "gpt-5-mini",
    ownTokens: (events) =>
      events
        .filter(({ type, message }) => type === "message_end" && valueAt(message, "role") === "assistant")
        .map(({ message }) => numberAt(message, "usage", "totalTokens")),
  },
  cline: {
    model: "gpt-5-mini",
    ownTokens: (events) =>
      ["inputTokens", "outputTokens"].map((name) =>
        numberAt(last(events, "run_result"), "aggregateUsage", name),
      ),
  },
  continue: { model: "gpt-5-mini" },
};
const chosen = (process.env.ASSAY_TEST_AGENTS ?? "").split(" ").filter((name) => name !== "");
const names = chosen.length > 0 ? chosen : Object.keys(AGENTS);

type Fault = ProviderFault | "unknown-host";

/** What CI has time for: one fault instead of all. */
const isQuick = process.env.ASSAY_TEST_QUICK !== undefined;
const FAULTS: readonly Fault[] = isQuick
  ? [403]
  : [401, 403, 429, 500, 529, "cut", "garbage", "unknown-host"];

/** Some try a failing call again for minutes: what their last calls were is known long before. */
const PATIENCE_S = 45;
const SLOW_MS = 10_000;

/** Tasks that ship with Assay, each with a file that only its repository has. */
const SHIPPED: Record<string, string> = { durations: "src/duration.js", "last-page": "src/paginate.js" };
const shipped = (path: string) =>
  fileURLToPath(new URL(`../../examples/agent-rollouts/tasks/${path}`, import.meta.url));

/** What the stand-in wants done in the shell: whichever task it is, its own solution. Gemini takes no $( ). */
const SOLVING = Object.entries(SHIPPED)
  .map(([task, file]) => {
    const patch = readFileSync(shipped(`${task}/solution.patch`)).toString("base64");
    return `if test -f ${file}; then echo ${patch} | base64 -d | git apply; fi`;
  })
  .join("; ");

interface Working {
  tasks?: readonly string[];
  /** What each call waits for before it is answered. */
  hold?(): Promise<void>;
  fault?(call: number): Fault | undefined;
}

async function letWork(name: string, { tasks = ["durations"], fault = () => undefined, hold }: Working) {
  const seconds = fault(1) === undefined ? 120 : PATIENCE_S;
  const isUnknown = fault(1) === "unknown-host";
  await using provider = await aProvider(SOLVING, fault as (call: number) => ProviderFault | undefined, hold);
  const url = isUnknown ? "http://nowhere.invalid" : provider.url;
  await using project = await fixture("coding");
  for (const task of tasks) cpSync(shipped(task), `${project.dir}/tasks/${task}`, { recursive: true });
  project.env = {
    ...{ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "sk-real-0123456789" },
    ...{ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "sk-ant-real-0123456789" },
    ...{ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: "sk-real-0123456789" },
  };
  const { tried } = agentPresets[name]!.npm!;
  project.edit(
    "study.yaml",
    "{ name: good, command: [agents/good.sh] }",
    `{ preset: ${name}, version: ${tried} }`,
  );
  project.edit("study.yaml", "[tasks/lamp]", `[${tasks.map((task) => `tasks/${task}`).join(", ")}]`);
  project.edit(
    "study.yaml",
    "sandbox: directory",
    `sandbox: bubblewrap, model: ${AGENTS[name]!.model}, agent_timeout_s: ${seconds}`,
  );
  const ended = await project.assay("run", "study.yaml", "--no-report", "--record");
  const leaks = await project.launch(["grep", "-rlE", "sk-(ant-)?real-0123456789", "bench_runs"]).ended;
  const runs = project.records("rollouts").map((record) => {
    const out = `bench_runs/rollouts/runs/${record.id}/out`;
    return {
      record,
      stdout: project.read(`${out}/logs/agent.stdout.txt`),
      patch: project.read(`${out}/artifacts/diff.patch`),
      trajectory: readTrajectoryFile(join(project.dir, out, `trajectories/${record.labels!.task_id}.traj`)),
    };
  });
  return {
    ...{ ended, runs, record: runs[0]!.record, requests: provider.requests, leaks: leaks.stdout },
    ...(fault(1) === undefined && { replayed: await replay(project) }),
  };
}

/** The same agent on its own recording, with no key and no provider. */
async function replay(project: Project) {
  project.env = {};
  await project.assay("run", "study.yaml", "--no-report", "--replay", "rollouts");
  return project.records("rollouts-replay").map(({ id, task, outcome }) => ({
    ...{ task, outcome },
    patch: project.read(`bench_runs/rollouts-replay/runs/${id}/out/artifacts/diff.patch`),
  }));
}

const engine = await testedEngine();
/** Those whose model is a stand-in's here, and who are told of servers. */
const SERVED = ["codex", "claude"];
const LIT = "the lamp burns";

/** A server over standard input and output, with one tool, which does what the task asks for. */
const SERVER = `let text = "";
const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "lamp", version: "1" } }),
  "tools/list": () => ({ tools: [{ name: "light", description: "Lights it.", inputSchema: { type: "object", properties: {} } }] }),
  "tools/call": () => {
    require("node:fs").writeFileSync("/app/lamp", "on\\n");
    return { content: [{ type: "text", text: "${LIT}" }] };
  },
};
process.stdin.on("data", (chunk) => {
  const lines = (text + chunk).split("\\n");
  text = lines.pop();
  for (const { id, method, params } of lines.filter(Boolean).map((line) => JSON.parse(line)))
    if (id !== undefined) say(id, answers[method]?.(params) ?? {});
});
`;
const SERVER_TASK = {
  "task/task.toml":
    '[environment]\nallow_internet = false\n[[environment.mcp_servers]]\nname = "lamp"\ntransport = "stdio"\ncommand = "node"\nargs = ["/srv/server.cjs"]\n',
  "task/instruction.md": "Light the lamp.\n",
  "task/environment/server.cjs": SERVER,
  "task/environment/Dockerfile": `FROM ${BASE_IMAGE}\nCOPY server.cjs /srv/server.cjs\nWORKDIR /app\n`,
  "task/tests/test.sh":
    "grep -qx on lamp && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt\n",
};

/** The server's tool once it is offered, which may take the agent a while. */
function askForLight(body: Json): AskedTool | undefined {
  const text = JSON.stringify(body);
  if (text.includes(LIT)) return undefined;
  const number = text.match(/"(?:function_call_output|tool_result)"/g)?.length ?? 0;
  const offered = listOf(body.tools).flatMap((tool) => [
    { name: wordAt(tool, "name") },
    ...listOf(tool.tools).map((one) => ({ name: wordAt(one, "name"), namespace: wordAt(tool, "name") })),
  ]);
  const light = offered.find(({ name }) => /(^|__)light$/.test(name));
  if (light) return { ...light, input: {}, number: number + 1 };
  const wait = offered.find(({ name }) => name === "WaitForMcpServers");
  return wait ? { ...wait, input: {}, number: number + 1 } : shellCall(body, Array(60).fill("sleep 1"));
}

describe.each(names)("%s from the npm registry", (name) => {
  const { npm } = agentPresets[name]!;
  const { ownTokens } = AGENTS[name]!;
  const isThere = installedVersions(name, npm!).includes(npm!.tried);
  const why = isThere ? problem : `${npm!.name}@${npm!.tried} is not installed`;

  test.skipIf(why !== undefined)(
    `solves two shipped tasks through the gateway, without a network${why ? ` (skipped: ${why})` : ""}`,
    async () => {
      const { runs, leaks, requests, replayed } = await letWork(name, { tasks: Object.keys(SHIPPED) });
      expect(runs).toHaveLength(2);
      for (const { record, stdout, patch, trajectory } of runs) {
        const { metrics } = record;
        expect(record.outcome).toEqual({ status: "ok" });
        expect(metrics).toMatchObject({ solved: 1, model_calls: 2, failed_calls: 0 });
        expect(record.labels).toMatchObject({ agent: name, agent_version: npm!.tried, agent_exit: "0" });
        expect(patch.match(/^diff .*/gm)).toEqual([
          expect.stringContaining(SHIPPED[record.labels!.task_id!]!),
        ]);
        expect(replayed).toContainEqual({ task: record.task, outcome: { status: "ok" }, patch });
        expect(metrics.cost_usd).toBeGreaterThan(0);
        expect(trajectory).toMatchObject({
          trajectory: {
            ...{ format: "assay", exitStatus: "submitted", isResolved: true, submission: patch },
            turns: [{ action: expect.stringContaining("git apply") }, { thought: "Done." }],
            totals: { calls: 2, costUsd: metrics.cost_usd },
            opening: expect.arrayContaining([expect.objectContaining({ kind: "system" })]),
          },
        });
        expect(metrics.tool_calls).toBe(ownTokens ? 1 : null);
        if (ownTokens)
          expect(sumOrUnknown([ownTokens([...jsonLines(stdout)])], true)).toBe(metrics.tokens_total);
        else expect(metrics.tokens_total).toBeGreaterThan(0);
      }
      expect(leaks).toBe("");
      expect(requests.every(({ line }) => /^POST \/v1(beta)?\//.test(line))).toBe(true);
      expect(requests.every(({ headers }) => JSON.stringify(headers).includes("real-0123456789"))).toBe(true);
    },
  );

  // They mostly wait before they try again.
  test.skipIf(why !== undefined).concurrent.each(FAULTS)(
    "is missing where every call ends with the fault %s",
    async (fault) => {
      const { record, ended } = await letWork(name, { fault: () => fault });
      expect(record.outcome).toMatchObject({ status: "failed", owner: "infrastructure" });
      expect(record.metrics.solved).toBeUndefined();
      expect(ended.code).toBe(1);
    },
  );

  if (isQuick) return;
  const whyNot = why ?? (SERVED.includes(name) ? engine.note : "it can't be told of servers");
  test.skipIf(why !== undefined || !SERVED.includes(name) || !engine.isUsable)(
    `lists the tools of its task's MCP server in a container, and calls one${whyNot === "" ? "" : ` (skipped: ${whyNot})`}`,
    async () => {
      await using provider = await aProvider(askForLight);
      using folder = new TempFolder({ ...SERVER_TASK, "study/runs/one/out/x": "" });
      const own = { OPENAI_BASE_URL: `${provider.url}/v1`, ANTHROPIC_BASE_URL: provider.url };
      const env = { ...own, OPENAI_API_KEY: "sk-a", ANTHROPIC_API_KEY: "sk-b" };
      const before = { ...process.env };
      Object.assign(process.env, env);
      try {
        const agent = { preset: name, version: npm!.tried };
        const metrics = await rollout.run(
          {
            params: rollout.params.parse({ sandbox: "podman", agent, model: AGENTS[name]!.model }),
            ...{ seed: 1, task: "task", repeat: 0, iteration: 0, baseDir: folder.path },
            outDir: `${folder.path}/study/runs/one/out`,
            ...{ signal: new AbortController().signal, series: () => {}, warn: () => {} },
          },
          undefined,
        );
        expect(metrics).toMatchObject({ solved: 1, failed_calls: 0 });
        const { body } = provider.requests.at(-1)!;
        expect(JSON.stringify(body)).toContain(LIT);
      } finally {
        for (const key of Object.keys(env))
          if (before[key] === undefined) delete process.env[key];
          else process.env[key] = before[key];
      }
    },
  );

  test.skipIf(why !== undefined)("waits for a model that is slow", async () => {
    const { record } = await letWork(name, { hold: () => sleep(SLOW_MS) });
    expect(record.outcome).toEqual({ status: "ok" });
    expect(record.metrics).toMatchObject({ solved: 1, model_calls: 2, failed_calls: 0 });
    expect(record.metrics.first_token_seconds).toBeGreaterThan((0.9 * SLOW_MS) / 1000);
  });

  test.skipIf(why !== undefined)("carries on after a 429 that says how long to wait", async () => {
    const { record } = await letWork(name, { fault: (call) => (call === 1 ? 429 : undefined) });
    expect(record.outcome).toEqual({ status: "ok" });
    expect(record.metrics).toMatchObject({ solved: 1, failed_calls: 1, retried_calls: 1 });
  });

  test.skipIf(why !== undefined)("is missing where its model stops answering in the middle", async () => {
    const { record } = await letWork(name, { fault: (call) => (call > 1 ? 403 : undefined) });
    expect(record.outcome).toMatchObject({ status: "failed", owner: "infrastructure" });
    expect(record.outcome.reason).toContain("its model stopped answering");
  });
});
