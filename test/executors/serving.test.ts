import { describe, expect, test } from "vitest";
import type { Setting } from "../../src/core/executor.ts";
import type { CommandRef } from "../../src/core/study.ts";
import { ServingExecutor } from "../../src/executors/serving/serving-executor.ts";
import { aRun, aStudy } from "../support/a-study.ts";
import { TempFolder } from "../support/temp-folder.ts";

/** Answers with its process, and does as the run's task says. */
const PROGRAM = `
let rest = "";
process.stdin.on("data", (text) => {
  const lines = (rest + text).split("\\n");
  rest = lines.pop();
  for (const line of lines) {
    const { id, task, item, params } = JSON.parse(line);
    if (task === "die") process.exit(9);
    if (task === "hang") return;
    console.log("working on " + task);
    console.error("a word on " + task);
    const answer = task === "raise" ? { error: "no such luck" } : { metrics: { pid: process.pid, n: item?.n ?? 0, x: params.x, kind: "plain" } };
    console.log(JSON.stringify({ id, ...answer }));
  }
});
`;

async function serve(temp: TempFolder, tasks: string[], part: Partial<Setting> = {}) {
  const target: CommandRef = {
    kind: "command",
    argv: [process.execPath, "serve.cjs"],
    cwd: temp.path,
    watch: [],
    isWorker: true,
  };
  const setting: Setting = {
    ...{
      target,
      studyDir: `${temp.path}/study`,
      baseDir: temp.path,
      artifacts: "all",
      plugins: [],
      instruments: [],
    },
    ...{ limits: aStudy().limits, iterations: { warmup: 0, measured: 1 }, env: {}, jobs: 1 },
    ...part,
  };
  const executor = new ServingExecutor(setting, target, { isTimed: false });
  const signal = new AbortController().signal;
  const attempts = [];
  for (const [i, task] of tasks.entries())
    attempts.push(
      await executor.execute(
        { run: aRun({ id: `r${i}__${task}`, task, item: { n: i }, params: { x: 1 } }), attempt: 1 },
        signal,
      ),
    );
  await executor.close();
  return attempts;
}

describe("a program that serves many runs", () => {
  test("is one process, and each run has its own fields, output and metrics", async () => {
    using temp = new TempFolder({ "serve.cjs": PROGRAM });
    const [first, second] = await serve(temp, ["a", "b"]);
    expect(first).toMatchObject({
      outcome: { status: "ok" },
      metrics: { n: 0, x: 1 },
      labels: { kind: "plain" },
    });
    expect(second!.metrics).toMatchObject({ n: 1, pid: first!.metrics.pid });
    expect(temp.read("study/runs/r1__b/stdout.txt")).toBe("working on b\n");
    expect(temp.read("study/runs/r1__b/stderr.txt")).toBe("a word on b\n");
    expect(JSON.parse(temp.read("study/runs/r1__b/item.json"))).toEqual({ n: 1 });
  });

  test("fails one run by an error, and goes on", async () => {
    using temp = new TempFolder({ "serve.cjs": PROGRAM });
    const [first, second] = await serve(temp, ["raise", "b"]);
    expect(first!.outcome).toEqual({ status: "failed", owner: "agent", reason: "no such luck" });
    expect(second!.outcome).toEqual({ status: "ok" });
  });

  test("that dies takes one run with it, and the next gets a new process", async () => {
    using temp = new TempFolder({ "serve.cjs": PROGRAM });
    const [before, dead, after] = await serve(temp, ["a", "die", "b"]);
    expect(dead!.outcome).toEqual({
      status: "failed",
      owner: "agent",
      reason: "the worker ended without an answer: exit 9",
      exitCode: 9,
    });
    expect(after!.outcome).toEqual({ status: "ok" });
    expect(after!.metrics.pid).not.toBe(before!.metrics.pid);
  });

  test("that is late is ended, and the next run gets a new process", async () => {
    using temp = new TempFolder({ "serve.cjs": PROGRAM });
    const limits = { ...aStudy().limits, timeoutMs: 3000, graceMs: 0 };
    const [late, next] = await serve(temp, ["hang", "b"], { limits });
    expect(late!.outcome).toMatchObject({ status: "timeout", owner: "agent" });
    expect(next!.outcome).toEqual({ status: "ok" });
  });

  test("that can't be started fails its runs as infrastructure's", async () => {
    using temp = new TempFolder({});
    const [first] = await serve(temp, ["a"]);
    expect(first!.outcome).toMatchObject({ status: "failed" });
    expect(first!.outcome.reason).toContain("the worker ended without an answer");
  });
});
