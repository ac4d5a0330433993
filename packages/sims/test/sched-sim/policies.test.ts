import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadPolicy, resolvePolicy, schedSim, simulate } from "../../src/sched-sim/index.ts";
import { byAge, policies } from "../../src/sched-sim/policies.ts";
import { definePolicy, type TierOption } from "../../src/sched-sim/policy.ts";
import { runSim, SMALL } from "./run-sim.ts";

const settings = {
  escalationMinSPerCent: 0.5,
  hedgeAfterP95: 1.5,
  weights: { path: 1, slack: 0.5, age: 0.1 },
};
const call = {
  workflow: 0,
  type: "Plan" as const,
  readyS: 0,
  remainingPathS: 3,
  slackS: 0,
  remainingWorkS: 30,
  spareUsd: 1,
};
const option = (priceUsd: number, expectedWaitS: number): TierOption => ({
  tierId: 0,
  priceUsd,
  expectedWaitS,
  serviceP50S: 1,
  serviceP95S: 2,
});

describe.each([...policies])("policy %s", (name, policy) => {
  it("has its name and one sentence about itself", () => {
    expect(policy.name).toBe(name);
    expect(policy.description).toMatch(/^[A-Z][^.]*\.$|^[A-Z].*\d\.\d.*\.$/);
  });

  it("runs a workload to its end", () => {
    const { summary } = runSim({ ...SMALL, policy: name });
    expect(summary.workflows_finished).toBe(SMALL.workflows);
  });

  it("takes the only tier that there is", () => {
    expect(policy.route(call, [option(0.01, 100)], settings)).toBe(0);
  });
});

describe("escalation", () => {
  const { route } = policies.get("dag_escalation")!;

  it("takes the dearer tier when it saves half a second for each further cent", () => {
    expect(route(call, [option(0.01, 2.1), option(0.05, 0)], settings)).toBe(1);
    expect(route(call, [option(0.01, 1.9), option(0.05, 0)], settings)).toBe(0);
  });

  it("leaves embeddings where they are cheap", () => {
    expect(route({ ...call, type: "Embed" }, [option(0.01, 99), option(0.05, 0)], settings)).toBe(0);
  });

  it("stays cheap under pacing when there is nothing to spare", () => {
    const paced = policies.get("budget_paced")!;
    const options = [option(0.01, 99), option(0.05, 0)];
    expect(paced.route(call, options, settings)).toBe(1);
    expect(paced.route({ ...call, spareUsd: 0.04 }, options, settings)).toBe(0);
  });
});

describe("a policy of one's own", () => {
  const lifo = definePolicy({
    name: "lifo",
    description: "Last come, first served.",
    priority: (ready) => ready.readyS,
    route: () => 0,
  });

  it("is one object", () => {
    const params = schedSim.params.parse({ workflows: 10 });
    expect(simulate(params, 1, lifo).summary).not.toEqual(simulate(params, 1).summary);
    expect(resolvePolicy(lifo)).toBe(lifo);
  });

  it("loads from a TypeScript file", async () => {
    const dir = mkdtempSync(join(tmpdir(), "policy-"));
    const file = join(dir, "my-policy.ts");
    const source =
      'export default { name: "mine", description: "Mine.", priority: (call: { readyS: number }) => -call.readyS, route: () => 0 };';
    writeFileSync(file, source);
    const mine = await loadPolicy(file, dir);
    rmSync(dir, { recursive: true });
    const params = schedSim.params.parse({ ...SMALL, policy: file });
    const fifo = runSim({ ...SMALL, policy: "fifo_cheapest" });
    expect(simulate(params, 1, mine).summary).toEqual(fifo.summary);
  });

  it("that lacks a function is told what to write", () => {
    expect(() => resolvePolicy({ name: "broken", priority: byAge })).toThrow(
      /needs a function route.*definePolicy/,
    );
    expect(() => resolvePolicy("ful")).toThrow(/no policy "ful".*Did you mean "full"/);
  });

  it("that decides nonsense is named", () => {
    const params = schedSim.params.parse(SMALL);
    expect(() => simulate(params, 1, { ...lifo, route: () => 7 })).toThrow(/policy lifo: route gave 7 of 2/);
    expect(() => simulate(params, 1, { ...lifo, priority: () => Number.NaN })).toThrow(
      /policy lifo: priority gave NaN/,
    );
  });
});
