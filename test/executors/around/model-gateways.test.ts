import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import type { Setting } from "../../../src/core/executor.ts";
import type { Run } from "../../../src/core/run.ts";
import type { CommandRef } from "../../../src/core/study.ts";
import { createExecutor } from "../../../src/executors/index.ts";
import { Budget } from "../../../src/models/gate/budget.ts";
import { GATE_VARIABLE, openGateServer } from "../../../src/models/gate/gate-server.ts";
import { aProvider, type Provider, type ProviderFault } from "../../support/a-provider.ts";
import { aRun, aStudy } from "../../support/a-study.ts";
import { TempFolder } from "../../support/temp-folder.ts";

const KEY = "sk-real-0123456789";
/** Asks as often as its task says, and takes what it can't have for a score of 0, as programs like to do. */
const PROGRAM = `
const { writeFileSync } = require("fs");
const { OPENAI_BASE_URL, OPENAI_API_KEY, CODEX_API_KEY = "", OWN_KEY, ASSAY_TASK = "1", ASSAY_OUT_DIR } = process.env;
const ask = () => fetch(OPENAI_BASE_URL + "/chat/completions", {
  method: "POST",
  headers: { authorization: "Bearer " + (OWN_KEY ?? OPENAI_API_KEY), "content-type": "application/json" },
  body: JSON.stringify({ model: "gpt-4o-mini", messages: [{ role: "user", content: "Hello" }] }),
}).then((response) => response.ok ? response.json() : {});
(async () => {
  let answered = 0;
  for (let i = 0; i < Number(ASSAY_TASK); i++) if ((await ask()).choices) answered++;
  writeFileSync(ASSAY_OUT_DIR + "/seen.txt", [OPENAI_API_KEY, CODEX_API_KEY].join());
  writeFileSync(ASSAY_OUT_DIR + "/metrics.json", JSON.stringify({ answered }));
})();
`;
/** The same as a process that stays: one JSON line for each run. */
const WORKER = `
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", async (line) => {
  const { id } = JSON.parse(line);
  const { OPENAI_BASE_URL, OPENAI_API_KEY } = process.env;
  const response = await fetch(OPENAI_BASE_URL + "/chat/completions", {
    method: "POST",
    headers: { authorization: "Bearer " + OPENAI_API_KEY, "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4o-mini", messages: [{ role: "user", content: id }] }),
  });
  await response.text();
  console.log(JSON.stringify({ id, metrics: { status: response.status, pid: process.pid } }));
});
`;

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

interface Trial {
  temp: TempFolder;
  provider: Provider;
  execute(part?: Partial<Run>): ReturnType<Awaited<ReturnType<typeof createExecutor>>["execute"]>;
  out(run: string, file: string): string;
}

async function open(
  models: (dir: string) => Partial<Setting["models"]> = () => ({}),
  {
    fault,
    part = {},
    budgetUsd,
    program = {},
  }: {
    fault?: (call: number) => ProviderFault | undefined;
    part?: Partial<Setting>;
    budgetUsd?: number;
    program?: Pick<CommandRef, "isWorker">;
  } = {},
): Promise<Trial> {
  const temp = new TempFolder({ "ask.cjs": PROGRAM, "worker.cjs": WORKER });
  const provider = await aProvider("true", fault);
  const gate = await openGateServer(new Budget(budgetUsd ?? null));
  const file = program.isWorker ? "worker.cjs" : "ask.cjs";
  const executor = await createExecutor("process", {
    target: { kind: "command", argv: [process.execPath, file], cwd: temp.path, watch: [], ...program },
    ...{ studyDir: `${temp.path}/study`, baseDir: temp.path, artifacts: "all", plugins: [], instruments: [] },
    ...{ iterations: { warmup: 0, measured: 1 }, limits: aStudy().limits, jobs: 1 },
    models: { tries: 4, ...models(temp.path) },
    ...part,
    env: {
      ...{ OPENAI_BASE_URL: provider.url, OPENAI_API_KEY: KEY, CODEX_API_KEY: KEY },
      ...{ [GATE_VARIABLE]: gate.address, ...part.env },
    },
  });
  opened.push(
    () => temp[Symbol.dispose](),
    () => provider[Symbol.asyncDispose](),
    () => gate.close(),
    () => executor.close(),
  );
  const { signal } = new AbortController();
  let count = 0;
  return {
    ...{ temp, provider },
    execute: (run = {}) => executor.execute({ run: aRun({ id: `r${++count}`, ...run }), attempt: 1 }, signal),
    out: (run, file) => readFileSync(`${temp.path}/study/runs/${run}/out/${file}`, "utf8"),
  };
}

describe("a program with models:", () => {
  test("asks its provider with a key that it never sees, and all that it takes is known", async () => {
    const trial = await open();
    const { outcome, metrics, costUsd, files } = await trial.execute({ id: "one", task: "2" });
    expect(outcome).toMatchObject({ status: "ok" });
    expect(metrics).toMatchObject({ answered: 2, model_calls: 2, failed_calls: 0, cached_calls: 0 });
    expect(metrics).toMatchObject({ tokens_input: 1200, tokens_cached: 800, tokens_output: 100 });
    expect(costUsd).toBeCloseTo(metrics.cost_usd!, 12);
    expect(costUsd).toBeGreaterThan(0);
    expect(trial.provider.requests.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${KEY}`,
      `Bearer ${KEY}`,
    ]);
    const [placeholder, other] = trial.out("one", "seen.txt").split(",");
    expect(placeholder).toMatch(/^assay-/);
    expect(other).toBe(placeholder);
    expect(files).toEqual(
      expect.arrayContaining(["model_calls.jsonl", "trace.jsonl", "trajectories/2.traj", "spent.json"]),
    );
    const kept = files!.map((file) => trial.out("one", file)).join("");
    expect(kept).not.toContain(KEY);
    expect(JSON.parse(trial.out("one", "trajectories/2.traj"))).toMatchObject({
      info: { model: "gpt-4o-mini", model_stats: { api_calls: 2 } },
    });
    expect(JSON.parse(trial.out("one", "spent.json"))).toEqual({ costUsd });
  });

  test("is paid for only where it shows the key of its run", async () => {
    const trial = await open(undefined, { part: { env: { OWN_KEY: "sk-own" } } });
    expect((await trial.execute()).metrics).toMatchObject({ answered: 1 });
    expect(trial.provider.requests[0]!.headers.authorization).toBe("Bearer sk-own");
  });

  test("is not told of what another try mends", async () => {
    const trial = await open(undefined, { fault: (call) => (["hang-up", 429, 529] as const)[call - 1] });
    const { outcome, metrics } = await trial.execute();
    expect(outcome).toMatchObject({ status: "ok" });
    expect(metrics).toMatchObject({ answered: 1, model_calls: 4, failed_calls: 3, retried_calls: 3 });
  });

  test.each([
    ["no key", 401, "infrastructure", 1],
    ["a provider that stays full", 429, "infrastructure", 4],
    ["a wrong request", 400, undefined, 1],
  ] as const)("is not blamed for %s", async (_, status, owner, calls) => {
    let answered = 0;
    const trial = await open(undefined, { fault: () => (answered++ === 0 ? undefined : status) });
    const { outcome, metrics } = await trial.execute({ task: "2" });
    expect(outcome.owner).toBe(owner);
    expect(outcome.status).toBe(owner ? "failed" : "ok");
    expect("answered" in metrics).toBe(owner === undefined);
    expect(trial.provider.requests).toHaveLength(1 + calls);
  });

  test("stops at the study's budget, which is nobody's fault", async () => {
    const trial = await open(undefined, { budgetUsd: 0.02 });
    const { outcome, metrics } = await trial.execute({ task: "50" });
    expect(outcome).toMatchObject({ status: "failed", owner: "budget" });
    expect(outcome.reason).toContain("budget of $0.02");
    expect(metrics.cost_usd).toBeLessThanOrEqual(0.02);
    expect(trial.provider.requests.length).toBeLessThan(50);
  });

  test("as a process that stays finds its models at one address, and each run has its own calls", async () => {
    const trial = await open(undefined, { program: { isWorker: true } });
    const first = await trial.execute();
    const second = await trial.execute();
    expect(first.metrics).toMatchObject({ status: 200, model_calls: 1 });
    expect(second.metrics).toMatchObject({ status: 200, model_calls: 1, pid: first.metrics.pid });
  });
});

describe("a cache of answers", () => {
  test("answers the same run again for nothing, and tells what that has spared", async () => {
    const trial = await open((dir) => ({ cacheDir: `${dir}/cache` }), { budgetUsd: 0.0201 });
    const asked = await trial.execute({ task: "1" });
    const again = await trial.execute({ task: "1" });
    expect(trial.provider.requests).toHaveLength(1);
    expect(again.metrics).toMatchObject({ answered: 1, model_calls: 0, cached_calls: 1, cost_usd: 0 });
    expect(again.metrics.saved_usd).toBeCloseTo(asked.metrics.cost_usd!, 12);
    expect(again.metrics.saved_seconds).toBeGreaterThanOrEqual(0);
    expect(again.metrics.model_seconds).toBe(0);
    expect(again.costUsd).toBe(0);
  });

  test("keeps samples apart: by seed, task, repeat, and within a run", async () => {
    const trial = await open((dir) => ({ cacheDir: `${dir}/cache` }));
    await trial.execute({ task: "3" });
    expect(trial.provider.requests).toHaveLength(3);
    await trial.execute({ task: "3", seed: 2 });
    await trial.execute({ task: "3", repeat: 1 });
    expect(trial.provider.requests).toHaveLength(9);
    const { metrics } = await trial.execute({ task: "3" });
    expect(metrics).toMatchObject({ cached_calls: 3 });
    expect(trial.provider.requests).toHaveLength(9);
    await trial.execute({ task: "1" });
    expect(trial.provider.requests).toHaveLength(10);
  });

  test("that can't be written breaks no run", async () => {
    const trial = await open((dir) => ({ cacheDir: `${dir}/taken/cache` }));
    writeFileSync(`${trial.temp.path}/taken`, "");
    const { outcome, metrics, warnings } = await trial.execute();
    expect(outcome).toMatchObject({ status: "ok" });
    expect(metrics).toMatchObject({ answered: 1 });
    expect(warnings!.join()).toContain("can't be kept");
    expect(existsSync(`${trial.temp.path}/taken/cache`)).toBe(false);
  });
});
