import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import type { Executor, Setting } from "../../../src/core/executor.ts";
import type { Run } from "../../../src/core/run.ts";
import type { ServiceRef } from "../../../src/core/service.ts";
import type { CommandRef } from "../../../src/core/study.ts";
import { createExecutor } from "../../../src/executors/index.ts";
import { aRun, aStudy } from "../../support/a-study.ts";
import { isAlive } from "../../support/processes.ts";
import { TempFolder } from "../../support/temp-folder.ts";

/** Counts its visitors, says who it is, and dies when asked to. */
const SERVER = `
const [port, name = ""] = process.argv.slice(2);
let visits = 0;
require("http").createServer((request, response) => {
  if (request.url === "/die") { console.log("farewell"); setTimeout(() => process.exit(3), 10); return; }
  if (request.url === "/reset") visits = 0;
  if (request.url === "/visit") visits++;
  response.end(JSON.stringify({ visits, pid: process.pid, name }));
}).listen(Number(port), "127.0.0.1", () => console.log("open"));
`;
/** Visits the service as its task says; what it can't have is a score of 0, as programs like to say. */
const CLIENT = `
const { writeFileSync } = require("fs");
const task = process.env.ASSAY_TASK ?? "/visit";
fetch("http://" + process.env.ASSAY_SERVICE + task).then((r) => r.json()).catch((error) => {
  if (task === "/die" && process.env.STUBBORN) return new Promise(() => setInterval(() => {}, 1000));
  return { score: 0 };
}).then((metrics) => writeFileSync(process.env.ASSAY_OUT_DIR + "/metrics.json", JSON.stringify(metrics)));
`;

const node = (cwd: string, ...words: string[]): CommandRef => ({
  ...{ kind: "command", argv: [process.execPath, ...words], cwd, watch: [] },
});

interface Trial extends Disposable {
  temp: TempFolder;
  executor: Executor;
  execute(part?: Partial<Run>): ReturnType<Executor["execute"]>;
}

async function open(
  service: (dir: string) => Partial<ServiceRef> = () => ({}),
  part: Partial<Setting> = {},
): Promise<Trial> {
  const temp = new TempFolder({ "server.cjs": SERVER, "client.cjs": CLIENT });
  const ref: ServiceRef = {
    ...{ name: "", by: node(temp.path, "server.cjs", "${port}"), ready: { kind: "port" } },
    ...{ readyMs: 60_000, per: "study", provides: {}, ...service(temp.path) },
  };
  const limits = { ...aStudy().limits, graceMs: 1000 };
  const executor = await createExecutor("process", {
    ...{ target: node(temp.path, "client.cjs"), studyDir: `${temp.path}/study`, baseDir: temp.path },
    ...{ artifacts: "all", plugins: [], instruments: [], iterations: { warmup: 0, measured: 1 } },
    ...{ limits, env: {}, jobs: 2, services: [ref], ...part },
  });
  const { signal } = new AbortController();
  let count = 0;
  return {
    temp,
    executor,
    execute: (run = {}) => executor.execute({ run: aRun({ id: `r${++count}`, ...run }), attempt: 1 }, signal),
    [Symbol.dispose]: () => temp[Symbol.dispose](),
  };
}

describe("a service", { concurrent: true }, () => {
  test("is one process for all runs, which is stopped after them, and what it printed is kept", async () => {
    using trial = await open();
    const first = await trial.execute();
    const second = await trial.execute();
    expect([first.metrics.visits, second.metrics.visits]).toEqual([1, 2]);
    expect(second.metrics.pid).toBe(first.metrics.pid);
    await trial.executor.close();
    expect(isAlive(first.metrics.pid!)).toBe(false);
    expect(trial.temp.read("study/services/service.log")).toContain("open\n");
  });

  test.each<[string, Partial<ServiceRef>]>([
    ["a line", { ready: { kind: "line", pattern: "^open$" } }],
    ["an answer", { ready: { kind: "http", url: "http://127.0.0.1:${port}/health" } }],
  ])("is ready by %s", async (_, part) => {
    using trial = await open(() => part);
    expect((await trial.execute()).metrics.visits).toBe(1);
    await trial.executor.close();
  });

  test("of one run is another process for each, of a cell one for its runs, with its parameters", async () => {
    using alone = await open(() => ({ per: "run" }));
    const pids = [await alone.execute(), await alone.execute()].map(({ metrics }) => metrics.pid);
    expect(new Set(pids).size).toBe(2);
    await alone.executor.close();
    using cells = await open((dir) => ({ per: "cell", by: node(dir, "server.cjs", "${port}", "${size}") }));
    const [a, b, c] = [
      await cells.execute({ params: { size: "small" } }),
      await cells.execute({ params: { size: "large" } }),
      await cells.execute({ params: { size: "small" } }),
    ];
    expect([a, b, c].map(({ labels }) => labels?.name)).toEqual(["small", "large", "small"]);
    expect(c.metrics).toMatchObject({ visits: 2, pid: a.metrics.pid });
    await cells.executor.close();
  });

  test("that is reset is as at its start for each run, and has one run at a time", async () => {
    const url = "fetch('http://127.0.0.1:' + process.env.PORT + '/reset').then((r) => r.text())";
    using again = await open((dir) => ({ reset: node(dir, "-e", url) }));
    const attempts = await Promise.all([again.execute(), again.execute()]);
    attempts.push(await again.execute(), await again.execute());
    expect(attempts.map(({ metrics }) => metrics.visits)).toEqual([1, 1, 1, 1]);
    expect(new Set(attempts.slice(0, 2).map(({ metrics }) => metrics.pid)).size).toBe(2);
    await again.executor.close();
  });

  test("whose reset fails is started anew", async () => {
    using trial = await open((dir) => ({ reset: node(dir, "-e", "process.exit(1)") }), { jobs: 1 });
    const [first, second] = [await trial.execute(), await trial.execute()];
    expect(second.metrics.visits).toBe(1);
    expect(second.metrics.pid).not.toBe(first.metrics.pid);
    await trial.executor.close();
  });

  test("serves a program that does many runs, which finds it in its environment", async () => {
    const worker = `require("readline").createInterface({ input: process.stdin }).on("line", async (line) => {
      const answer = await fetch("http://" + process.env.ASSAY_SERVICE + "/visit");
      console.log(JSON.stringify({ id: JSON.parse(line).id, metrics: { ...(await answer.json()), own: process.pid } }));
    });`;
    using other = new TempFolder({ "worker.cjs": worker });
    const target = { ...node(other.path, "worker.cjs"), isWorker: true as const };
    using trial = await open(undefined, { target });
    const [first, second] = [await trial.execute(), await trial.execute()];
    expect([first.metrics.visits, second.metrics.visits]).toEqual([1, 2]);
    expect(second.metrics.own).toBe(first.metrics.own);
    await trial.executor.close();
  });
});

describe("a service that fails", { concurrent: true }, () => {
  test("before it is ready is infrastructure's, and ends the study at the third time in a row", async () => {
    using other = new TempFolder({ "broken.cjs": "console.error('no such table'); process.exit(4);" });
    using trial = await open(() => ({ by: node(other.path, "broken.cjs"), name: "db" }));
    for (let i = 0; i < 2; i++)
      expect((await trial.execute()).outcome).toEqual({
        ...{ status: "failed", owner: "infrastructure" },
        reason: "service db ended by itself (exit 4): no such table",
      });
    await expect(trial.execute()).rejects.toThrow(/3 times in a row.*study\/services/s);
    await trial.executor.close();
  });

  test("by being late is told what was waited for", async () => {
    using other = new TempFolder({ "slow.cjs": "setInterval(() => {}, 1000);" });
    using trial = await open(() => ({ by: node(other.path, "slow.cjs"), readyMs: 50 }));
    expect((await trial.execute()).outcome.reason).toMatch(
      /^the service was not ready after 50 ms: nothing listens on port \d+$/,
    );
    await trial.executor.close();
  });

  test("because somebody else has its port is no service at all", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    using trial = await open(() => ({ ready: { kind: "port", port } }));
    expect((await trial.execute()).outcome).toMatchObject({
      ...{ owner: "infrastructure", reason: `the service: port ${port} is taken by another process` },
    });
    await trial.executor.close();
    server.close();
  });

  test("in the middle of a run makes it no result, though the run says 0; the next one has a new process", async () => {
    using trial = await open(undefined, { jobs: 1 });
    const before = await trial.execute();
    const during = await trial.execute({ task: "/die" });
    expect(during.outcome).toMatchObject({ status: "failed", owner: "infrastructure" });
    expect(during.outcome.reason).toMatch(/^the service ended by itself/);
    expect(during.metrics).toEqual({});
    expect(JSON.parse(trial.temp.read("study/runs/r2/meta.json"))).toMatchObject({
      ...{ status: "failed", owner: "infrastructure", metrics: {} },
    });
    const after = await trial.execute();
    expect(after).toMatchObject({ outcome: { status: "ok" }, metrics: { visits: 1 } });
    expect(after.metrics.pid).not.toBe(before.metrics.pid);
    await trial.executor.close();
  });

  test("in the middle of a run that would wait for ever ends it", async () => {
    using trial = await open(undefined, { jobs: 1, env: { STUBBORN: "1" } });
    const { outcome } = await trial.execute({ task: "/die" });
    expect(outcome).toEqual({
      ...{ status: "failed", owner: "infrastructure" },
      reason: "the service ended by itself (exit 3): farewell",
    });
    await trial.executor.close();
  });

  test("to answer, though it lives, is what a run failed of", async () => {
    using other = new TempFolder({
      "deaf.cjs": `const server = require("net").createServer((s) => s.on("data", () => { s.destroy(); server.close(); })).listen(Number(process.env.PORT), "127.0.0.1"); setInterval(() => {}, 1000);`,
      "client.cjs": `fetch("http://" + process.env.ASSAY_SERVICE + "/").catch(() => process.exit(1));`,
    });
    using trial = await open(() => ({ by: node(other.path, "deaf.cjs") }), {
      target: node(other.path, "client.cjs"),
    });
    expect((await trial.execute()).outcome).toMatchObject({
      owner: "infrastructure",
      reason: expect.stringMatching(/^the service no longer answers: nothing listens on port/),
    });
    await trial.executor.close();
  });

  test("leaves a run alone that fails by itself", async () => {
    using other = new TempFolder({ "client.cjs": "process.exit(5);" });
    using trial = await open(undefined, { target: node(other.path, "client.cjs") });
    expect((await trial.execute()).outcome).toMatchObject({ owner: "agent", exitCode: 5 });
    await trial.executor.close();
  });
});
