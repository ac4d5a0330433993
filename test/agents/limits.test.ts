import "../support/in-memory.ts";
import { describe, expect, test } from "vitest";
import { bubblewrap } from "../../src/sandboxes/bubblewrap/index.ts";
import { agentPresets } from "../../src/targets/coding/agents/index.ts";
import { agentFolder, installedVersions } from "../../src/targets/coding/agents/installed.ts";
import { aProvider } from "../support/a-provider.ts";
import { fixture, type Project } from "../support/fixture.ts";
import { fleetEnvironment, startStudy, startWorker } from "../support/fleet.ts";
import { queueProblem, startQueueServer } from "../support/queue-server.ts";

/** What holds for all runs of a study together, with agents that call as they like; each with a model that has a price. */
const AGENTS: Record<string, { model: string; byHand: string }> = {
  codex: {
    model: "gpt-5-mini",
    byHand:
      'CODEX_API_KEY=$OPENAI_API_KEY "$0" exec --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox -c openai_base_url=$OPENAI_BASE_URL -m gpt-5-mini "Read it."',
  },
  claude: {
    model: "claude-sonnet-4-0",
    byHand:
      'IS_SANDBOX=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 "$0" -p --permission-mode bypassPermissions --model claude-sonnet-4-0 "Read it."',
  },
};
const chosen = (process.env.ASSAY_TEST_AGENTS ?? "").split(" ").filter((name) => name !== "");
const problem = await bubblewrap.problem!();
/** Each run makes two calls, and the stand-in says that each took so many tokens. */
const CALL_TOKENS = 1050;

async function aStudy(name: string, limits: string) {
  const times: number[] = [];
  const provider = await aProvider("true", undefined, () => {
    times.push(performance.now());
    return undefined;
  });
  const project = await fixture("coding");
  project.env = {
    ...{ OPENAI_BASE_URL: `${provider.url}/v1`, OPENAI_API_KEY: "sk-real-0123456789" },
    ...{ ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: "sk-ant-real-0123456789" },
  };
  const { tried } = agentPresets[name]!.npm!;
  project.edit(
    "study.yaml",
    "{ name: good, command: [agents/good.sh] }",
    `{ preset: ${name}, version: ${tried} }`,
  );
  project.edit("study.yaml", "sandbox: directory", `sandbox: bubblewrap, model: ${AGENTS[name]!.model}`);
  project.edit("study.yaml", "executor:", `seeds: 3\nlimits: ${limits}\nexecutor:`);
  const how = () => project.records("rollouts").map(({ outcome }) => outcome.owner ?? outcome.status);
  return {
    ...{ project, provider, how },
    /** Seconds from the first call to each. */
    seconds: () => times.map((time) => (time - times[0]!) / 1000),
    async [Symbol.asyncDispose]() {
      await project[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

const run = (project: Project, ...words: string[]) => project.run("study.yaml", ...words);

/** What waits for a minute, or has three launches, on a busy machine. */
const PATIENCE_MS = 900_000;

describe.each(Object.keys(AGENTS))("all runs of %s together", { timeout: PATIENCE_MS }, (name) => {
  const { npm } = agentPresets[name]!;
  const isThere = installedVersions(name, npm!).includes(npm!.tried);
  const isQuick = process.env.ASSAY_TEST_QUICK !== undefined;
  const isChosen = chosen.length === 0 || chosen.includes(name);
  const isOff = !isChosen || isQuick || !isThere || problem !== undefined;
  const tried = test.skipIf(isOff).concurrent;

  tried("keep to a number of calls within a minute, and wait for their turn", async () => {
    await using study = await aStudy(name, "{ callsPerMinute: 5 }");
    expect((await run(study.project)).code).toBe(0);
    expect(study.how()).toEqual(["ok", "ok", "ok"]);
    const seconds = study.seconds();
    expect(seconds).toHaveLength(6);
    expect(seconds[4]).toBeLessThan(60);
    expect(seconds[5]).toBeGreaterThan(59);
  });

  tried("end at a number of tokens, and go on with more", async () => {
    await using study = await aStudy(name, `{ tokens: ${2.5 * CALL_TOKENS} }`);
    expect((await run(study.project, "--jobs", "1")).code).toBe(1);
    expect(study.how().sort()).toEqual(["budget", "budget", "ok"]);
    expect(study.provider.requests).toHaveLength(3);
    const refused = study.project.records("rollouts").find(({ outcome }) => outcome.owner === "budget")!;
    expect(refused.outcome.reason).toContain("the study's limit of 2625 tokens is reached: 3150 are used");
    expect(refused.metrics.solved).toBeUndefined();
    study.project.edit("study.yaml", "tokens: 2625", "tokens: 1000000");
    expect((await run(study.project)).code).toBe(0);
    expect(study.how().filter((how) => how === "ok")).toHaveLength(3);
  });

  tried("make no call that may cost more than is left, and go on with more", async () => {
    await using study = await aStudy(name, "{ costUsd: 0.01 }");
    expect((await run(study.project)).code).toBe(1);
    expect(study.how()).toEqual(["budget", "budget", "budget"]);
    expect(study.provider.requests).toEqual([]);
    study.project.edit("study.yaml", "costUsd: 0.01", "costUsd: 10");
    expect((await run(study.project)).code).toBe(0);
    expect(study.how().filter((how) => how === "ok")).toHaveLength(3);
  });

  test
    .skipIf(isOff || queueProblem("redis") !== undefined)
    .concurrent("share calls, tokens, dollars and a pace on two workers of a queue", async () => {
      await using server = await startQueueServer("redis");
      await using study = await aStudy(name, "{ calls: 5, tokens: 100000, costUsd: 20, callsPerMinute: 4 }");
      const { project, provider } = study;
      project.env = { ...project.env, ...fleetEnvironment(server, project) };
      const workers = await Promise.all([startWorker(project), startWorker(project)]);
      expect((await startStudy(project).ended).code).toBe(1);
      expect(study.how().sort()).toEqual(["budget", "ok", "ok"]);
      expect(provider.requests).toHaveLength(5);
      // The server's bucket holds four calls, and gets another every 15 s.
      expect(study.seconds()[4]).toBeGreaterThan(14);
      project.edit("study.yaml", "costUsd: 20", "costUsd: 0.001");
      project.edit("study.yaml", "calls: 5", "calls: 50");
      expect((await startStudy(project).ended).code).toBe(1);
      expect(provider.requests).toHaveLength(5);
      project.edit("study.yaml", "costUsd: 0.001", "costUsd: 20");
      expect((await startStudy(project).ended).code).toBe(0);
      expect(study.how().filter((how) => how === "ok")).toHaveLength(3);
      for (const worker of workers) worker.kill("SIGTERM");
      await Promise.all(workers.map(({ ended }) => ended));
    });

  tried("are answered from the cache when they start again, for nothing and without a provider", async () => {
    await using provider = await aProvider("cat README.md; ls");
    await using project = await fixture("coding");
    const program = `${agentFolder(name, npm!.tried)}/node_modules/${npm!.program}`;
    const script = `rm -rf home; mkdir -p home repo; export HOME=$PWD/home; cd repo; git init -q; echo lamp > README.md; ${AGENTS[name]!.byHand}`;
    project.write(
      "cached.yaml",
      JSON.stringify({
        ...{ study: "cached", target: { command: ["sh", "-c", script, program] }, models: { cache: true } },
        ...{ seeds: 2, executor: { jobs: 1 } },
      }),
    );
    project.env = {
      ...{ OPENAI_BASE_URL: `${provider.url}/v1`, OPENAI_API_KEY: "sk-real-0123456789" },
      ...{ ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: "sk-ant-real-0123456789" },
    };
    const launch = async () => {
      const { code, stderr } = await project.run("cached.yaml", "--rerun", "all");
      expect({ code, stderr }).toMatchObject({ code: 0 });
      return project.records("cached").slice(-2);
    };
    for (const { metrics } of await launch()) {
      expect(metrics).toMatchObject({ model_calls: 2, cached_calls: 0, failed_calls: 0 });
      expect(metrics.cost_usd).toBeGreaterThan(0);
    }
    // Another seed is another sample.
    expect(provider.requests).toHaveLength(4);
    for (const { metrics } of await launch())
      expect(metrics).toMatchObject({ model_calls: 0, cached_calls: 2, failed_calls: 0, cost_usd: 0 });
    expect(provider.requests).toHaveLength(4);
  });
});
