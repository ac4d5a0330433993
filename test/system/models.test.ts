import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { aProvider, type ProviderFault } from "../support/a-provider.ts";
import { fixture } from "../support/fixture.ts";
import { fleetEnvironment, startStudy, startWorker } from "../support/fleet.ts";
import { queueProblem, skipReason, startQueueServer } from "../support/queue-server.ts";
import { SmallDisk } from "../support/small-disk.ts";

const KEY = "sk-real-0123456789";
const run = ["run", "study.yaml", "-q", "--no-report"];

async function asking(fault?: (call: number) => ProviderFault | undefined) {
  const project = await fixture("asking");
  const provider = await aProvider("true", fault);
  Object.assign(project.env, { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: provider.url });
  return {
    ...{ project, provider },
    async [Symbol.asyncDispose]() {
      await provider[Symbol.asyncDispose]();
      await project[Symbol.asyncDispose]();
    },
  };
}

describe("a study whose Python program calls models", { concurrent: true }, () => {
  test("is metered, and asks nobody when it runs again from its cache; its key is nowhere", async () => {
    await using trial = await asking((call) => (call === 1 ? 429 : undefined));
    const { project, provider } = trial;
    const first = await project.assay(...run);
    expect(first.code, first.stderr).toBe(0);
    expect(provider.requests).toHaveLength(5);
    const records = project.records("asking");
    expect(records).toHaveLength(4);
    for (const { metrics, costUsd } of records) {
      expect(metrics).toMatchObject({ letters: 5, tokens_input: 600, cached_calls: 0 });
      expect(costUsd).toBe(metrics.cost_usd);
    }
    const again = await project.assay(...run, "--rerun", "all");
    expect(again.code, again.stderr).toBe(0);
    expect(provider.requests).toHaveLength(5);
    for (const { metrics } of project.records("asking").slice(-4))
      expect(metrics).toMatchObject({ letters: 5, cached_calls: 1, model_calls: 0, cost_usd: 0 });
    expect((await project.launch(["grep", "-rl", KEY, "."]).ended).stdout).toBe("");
  });

  test("ends at its budget, and a provider without an answer makes no zero", async () => {
    await using trial = await asking(() => 401);
    const { project } = trial;
    const refused = await project.assay(...run);
    expect(refused.code).toBe(1);
    for (const { outcome, metrics } of project.records("asking")) {
      expect(outcome).toMatchObject({ status: "failed", owner: "infrastructure" });
      expect(metrics.letters).toBeUndefined();
    }
    project.edit("study.yaml", "budgetUsd: 5", "budgetUsd: 0.000001");
    const spent = await project.assay(...run);
    expect(spent.code).toBe(1);
    expect(project.records("asking").at(-1)!.outcome).toMatchObject({ owner: "budget" });
  });

  test("carries on where the disk of its cache is full", async ({ skip }) => {
    await using trial = await asking();
    const { project } = trial;
    using disk = new SmallDisk(`${project.dir}/kept`, "16k");
    if (disk.refusal) skip(disk.refusal);
    await project.launch(["sh", "-c", "head -c 100000 /dev/zero > kept/full"]).ended;
    const { code, stderr } = await project.assay(...run);
    expect(code, stderr).toBe(0);
    for (const { metrics, warnings } of project.records("asking")) {
      expect(metrics).toMatchObject({ letters: 5 });
      expect(warnings!.join()).toMatch(/can't be kept .*ENOSPC/);
    }
    expect(readdirSync(`${project.dir}/kept`)).toContain("full");
  });

  test("refuses models: where Assay meters the calls already, and two limits of the same", async () => {
    await using trial = await asking();
    const { project } = trial;
    project.write("agent.yaml", "study: a\ntarget: agent\nmodels: {}\n");
    const shipped = await project.assay("plan", "agent.yaml");
    expect(shipped).toMatchObject({ code: 2 });
    expect(shipped.stderr).toContain("agent.yaml:3");
    expect(shipped.stderr).toContain("agent ships with Assay");
    project.edit("study.yaml", "seeds: 2", "seeds: 2\nlimits: {callsAtOnce: 3}");
    const twice = await project.assay("plan", "study.yaml");
    expect(twice).toMatchObject({ code: 2 });
    expect(twice.stderr).toContain("models: and limits.callsAtOnce say the same thing");
  });
});

const problem = queueProblem("redis");
describe.skipIf(problem)(`on a queue${skipReason(problem)}`, { concurrent: true }, () => {
  test("the workers' keys pay, their caches answer, and the coordinator needs neither", async () => {
    await using server = await startQueueServer("redis");
    await using trial = await asking();
    const { project, provider } = trial;
    const { OPENAI_API_KEY, OPENAI_BASE_URL } = project.env;
    project.env = {
      ...fleetEnvironment(server, project),
      OPENAI_API_KEY: OPENAI_API_KEY!,
      OPENAI_BASE_URL: OPENAI_BASE_URL!,
    };
    await startWorker(project);
    await startWorker(project);
    project.env = fleetEnvironment(server, project);
    for (const [round, rerun] of [[], ["--rerun", "all"]].entries()) {
      const { code, stderr } = await startStudy(project, "-q", ...rerun).ended;
      expect(code, stderr).toBe(0);
      expect(provider.requests).toHaveLength(4);
      const records = project.records("asking").slice(-4);
      for (const { id, metrics, costUsd } of records) {
        expect(metrics).toMatchObject({ letters: 5, model_calls: 1 - round, cached_calls: round });
        expect(costUsd).toBe(metrics.cost_usd);
        expect(project.lines(`bench_runs/asking/runs/${id}/out/model_calls.jsonl`)).toHaveLength(1);
      }
    }
    expect((await project.launch(["grep", "-rl", KEY, "."]).ended).stdout).toBe("");
  });

  test("the budget holds for all workers together", async () => {
    await using server = await startQueueServer("redis");
    await using trial = await asking();
    const { project, provider } = trial;
    Object.assign(project.env, fleetEnvironment(server, project));
    project.edit("study.yaml", "budgetUsd: 5", "budgetUsd: 0.0001");
    await startWorker(project);
    await startWorker(project);
    const { code, stderr } = await startStudy(project, "-q").ended;
    expect(code, stderr).toBe(1);
    const records = project.records("asking");
    expect(records.map(({ outcome }) => outcome.owner)).toContain("budget");
    expect(records.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0)).toBeLessThanOrEqual(0.0001);
    expect(provider.requests.length).toBeLessThan(4);
  });
});
