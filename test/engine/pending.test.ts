import { rmSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { RunRecord } from "../../src/core/run.ts";
import { countPending, History, selectPending } from "../../src/engine/pending.ts";
import { Plan } from "../../src/plan/plan.ts";
import { aRecord, aStudy, axis } from "../support/a-study.ts";
import { TempFolder } from "../support/temp-folder.ts";

const plan = new Plan(aStudy({ axes: [axis("n", 1, 2, 3)] }), "noop@1");
const runs = [...plan.runs()];

/** A study's folder in which these records' runs left an output and their meta.json. */
function selectionIn(folder: TempFolder, records: RunRecord[], part = {}) {
  folder.write("journal.jsonl", records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  for (const { id, files, params, seed, variant, flags } of records) {
    const meta = { params: { ...params, seed }, ablation_name: variant, ablation_flags: flags };
    folder.write(`runs/${id}/meta.json`, JSON.stringify(meta));
    for (const file of files ?? []) folder.write(`runs/${id}/out/${file}`, "x");
  }
  const history = new History(`${folder.path}/journal.jsonl`, plan.axisNames);
  return {
    plan,
    history,
    studyDir: folder.path,
    program: "noop@1",
    rerun: "failed",
    artifacts: "all" as const,
    ...part,
  };
}
const done = runs.map((run) => aRecord({ ...run, files: ["summary.csv", "deep/trace.json"] }));
const reasons = (selection: ReturnType<typeof selectionIn>) =>
  [...selectPending(selection)].map(({ run, reason }) => `${run.params.n} ${reason}`);

describe("what is pending", () => {
  test("is everything at first and nothing when all is done", () => {
    using fresh = new TempFolder();
    const first = selectionIn(fresh, []);
    expect(reasons(first)).toEqual(["1 new", "2 new", "3 new"]);
    expect(countPending(first)).toEqual({ pending: 3, finished: 0, scoring: 0 });
    using folder = new TempFolder();
    expect(countPending(selectionIn(folder, done))).toEqual({ pending: 0, finished: 3, scoring: 0 });
  });

  test("is with the word of an owner what failed by its doing, and neither results nor new runs", () => {
    using folder = new TempFolder();
    const failed = (run: (typeof runs)[number], owner: "agent" | "infrastructure") =>
      aRecord({ ...run, outcome: { status: "failed", owner, reason: "x" } });
    const records = [failed(runs[0]!, "agent"), failed(runs[1]!, "infrastructure")];
    const selection = selectionIn(folder, records, { rerun: "infrastructure" });
    expect(reasons(selection)).toEqual(["2 failed before (infrastructure)"]);
    expect(countPending(selection)).toEqual({ pending: 1, finished: 0, scoring: 0 });
    expect(reasons({ ...selection, rerun: "agent" })).toEqual(["1 failed before (agent)"]);
    expect(countPending({ ...selection, rerun: "grader" })).toEqual({ pending: 0, finished: 0, scoring: 0 });
  });

  test("is a run whose output is missing, and that run alone", () => {
    using folder = new TempFolder();
    const selection = selectionIn(folder, done);
    rmSync(`${folder.path}/runs/${runs[1]!.id}/out/deep/trace.json`);
    rmSync(`${folder.path}/runs/${runs[2]!.id}`, { recursive: true });
    expect(reasons(selection)).toEqual([
      "2 output missing: deep/trace.json",
      "3 output missing: summary.csv",
    ]);
    expect(reasons({ ...selection, artifacts: "none" } as never)).toEqual([]);
  });

  test("is a run without its meta.json, but not one that left a link to nowhere", () => {
    using folder = new TempFolder();
    const selection = selectionIn(folder, done);
    rmSync(`${folder.path}/runs/${runs[0]!.id}/meta.json`);
    const link = `${folder.path}/runs/${runs[1]!.id}/out/summary.csv`;
    rmSync(link);
    symlinkSync("/nowhere/at/all", link);
    expect(reasons(selection)).toEqual(["1 output missing: meta.json"]);
  });

  test("is a run whose meta.json tells of another run: somebody edited it", () => {
    using folder = new TempFolder();
    const selection = selectionIn(folder, done);
    const edit = (i: number, change: object) => {
      const path = `runs/${runs[i]!.id}/meta.json`;
      folder.write(path, JSON.stringify({ ...JSON.parse(folder.read(path)), ...change }));
    };
    edit(0, { params: { n: 7, seed: 1 } });
    edit(1, { ablation_flags: ["--disable_hedging"] });
    edit(2, { remark: "kept" });
    expect(reasons(selection)).toEqual(["1 meta.json was edited", "2 meta.json was edited"]);
    edit(2, { exit_code: 1 });
    expect(reasons(selection).at(-1)).toBe("3 meta.json was edited");
    folder.write(`runs/${runs[2]!.id}/meta.json`, "{");
    expect(reasons(selection).at(-1)).toBe("3 meta.json was edited");
  });

  test("is what failed, with the attempts that it has behind it", () => {
    using folder = new TempFolder();
    const failure = aRecord({ ...runs[1]!, outcome: { status: "failed" }, attempt: 3 });
    const selection = selectionIn(folder, [done[0]!, failure]);
    expect(
      [...selectPending(selection)].map(({ reason, attemptsBefore }) => [reason, attemptsBefore]),
    ).toEqual([
      ["failed before", 3],
      ["new", 0],
    ]);
  });

  test("is what is asked for by --rerun: all, or one by the beginning or end of its id", () => {
    using folder = new TempFolder();
    const selection = selectionIn(folder, done.slice(0, 2));
    expect(reasons({ ...selection, rerun: "all" })).toEqual([
      "1 asked for (--rerun all)",
      "2 asked for (--rerun all)",
      "3 new",
    ]);
    expect(reasons({ ...selection, rerun: runs[1]!.id })).toEqual(["2 asked for (--rerun)"]);
    expect(reasons({ ...selection, rerun: runs[1]!.id.slice(-12) })).toEqual(["2 asked for (--rerun)"]);
    expect(() => countPending({ ...selection, rerun: "nothing" })).toThrow(
      "--rerun nothing: no run of this study has that id",
    );
  });
});
