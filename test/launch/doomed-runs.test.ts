import { mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RandomStream } from "../../src/core/random.ts";
import type { RunRecord } from "../../src/core/run.ts";
import { longestStall } from "../../src/core/stall.ts";
import { runDir } from "../../src/core/study-folder.ts";
import type { History } from "../../src/engine/pending.ts";
import { DoomedRuns } from "../../src/launch/doomed-runs.ts";
import type { PreparedStudy } from "../../src/launch/prepare-study.ts";
import { conformalLimit } from "../../src/stats/index.ts";
import { aRecord, aRun } from "../support/a-study.ts";
import { TempFolder } from "../support/temp-folder.ts";

const doomed = { metric: "passed", goal: "maximize", success: "solved", atLeast: 1, rate: 0.25 } as const;

test("a stall is how many values in a row bring no new best, whichever way is better", () => {
  expect(longestStall([1, 1, 1, 2, 2], "maximize")).toEqual({ longest: 2, now: 1 });
  expect(longestStall([3, 2, 2.5, 1], "minimize")).toEqual({ longest: 1, now: 0 });
  expect(longestStall([1, Number.NaN, Number.NaN], "maximize")).toEqual({ longest: 2, now: 2 });
  expect(longestStall([], "maximize")).toEqual({ longest: 0, now: 0 });
});

test("a further score exceeds the limit no more often than the rate, whatever the distribution", () => {
  const next = new RandomStream(1, "conformal").sequence();
  for (const draw of [next, () => Math.exp(4 * next()), () => Math.floor(3 * next())]) {
    let beyond = 0;
    for (let i = 0; i < 4000; i++) {
      const found = conformalLimit(Array.from({ length: 19 }, draw), 0.05);
      if (found.known && draw() > found.limit) beyond++;
    }
    expect(beyond / 4000).toBeLessThanOrEqual(0.05 + 3 * Math.sqrt((0.05 * 0.95) / 4000));
  }
  expect(conformalLimit([1, 2], 0.05)).toMatchObject({ known: false });
});

test("the limit comes from the runs that began first, not from those that were quick", () => {
  using folder = new TempFolder();
  const runs = ["slow", "b", "c", "d", "e"].map((task) => aRun({ task, id: `run-${task}` }));
  const [slow, ...quick] = runs;
  const series = (id: string, values: number[]) => {
    mkdirSync(runDir(folder.path, id), { recursive: true });
    const lines = values.map((passed, i) => JSON.stringify({ step: i + 1, passed }));
    writeFileSync(`${runDir(folder.path, id)}/series.jsonl`, lines.join("\n"));
  };
  const before = new Map<string, RunRecord>();
  const make = () =>
    new DoomedRuns(
      { studyDir: folder.path, plan: { runs: () => runs } } as unknown as PreparedStudy,
      { recordOf: ({ id }: { id: string }) => before.get(id) } as unknown as History,
      doomed,
    );
  const stuck = { id: quick.at(-1)!.id, values: [1, 1, 1, 1, 1] };
  const rules = make();
  for (const run of runs) rules.handle({ kind: "started", run, reason: "new" });
  const end = (run: (typeof runs)[number], values: number[]) => {
    series(run.id, values);
    const record = aRecord({ ...run, metrics: { solved: 1 }, startedAtMs: runs.indexOf(run) });
    before.set(run.id, record);
    rules.handle({ kind: "ended", record });
  };
  for (const run of quick.slice(0, 3)) end(run, [1, 2, 3]);
  // Three have succeeded, as the rate asks for, but the one that began first is not over.
  expect(rules.rule.judge(stuck)).toMatchObject({ stop: false });
  end(slow!, [1, 1, 1, 2]);
  expect(rules.rule.judge({ ...stuck, values: [1, 1, 1] }).stop).toBe(false);
  expect(rules.rule.judge(stuck)).toEqual({
    stop: true,
    why: "4 values of passed without progress, where those that succeed go 2 at most",
  });
  // After a kill the records say the same.
  const resumed = make();
  resumed.handle({ kind: "started", run: quick.at(-1)!, reason: "new" });
  expect(resumed.rule.judge(stuck)).toEqual(rules.rule.judge(stuck));
});
