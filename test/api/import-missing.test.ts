import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { importResults } from "../../src/api/import-results.ts";
import type { RunRecord } from "../../src/core/run.ts";
import { TempFolder } from "../support/temp-folder.ts";

/** Two systems of a leaderboard, of which one was never graded on a task and never tried another. */
function board(): TempFolder {
  const results = (lists: object) => JSON.stringify({ no_generation: [], ...lists });
  return new TempFolder({
    "board/fox/results/results.json": results({ no_logs: ["x-2"], resolved: ["x-1"] }),
    "board/owl/results/results.json": results({ resolved: ["x-1", "x-2", "x-3"] }),
  });
}

/** The newest record of each run: agent's model, task, score, and why it counts as failed. */
function scores(studyDir: string) {
  const newest = new Map<string, RunRecord>();
  for (const line of readFileSync(`${studyDir}/journal.jsonl`, "utf8").trim().split("\n")) {
    const record = JSON.parse(line) as RunRecord;
    newest.set(record.id, record);
  }
  return [...newest.values()]
    .map(({ params, task, metrics, labels }) => [
      params.model,
      task,
      metrics.score ?? null,
      labels?.counted ?? null,
    ])
    .sort();
}

describe("what is missing in imported results", () => {
  test("stays missing, or counts as failed where that is asked for", async () => {
    using folder = board();
    const outRoot = `${folder.path}/out`;
    const plain = await importResults([`${folder.path}/board`], { outRoot, name: "plain" });
    expect(plain).toMatchObject({ total: 5, missing: 1, counted: 0 });
    const asked = { outRoot, name: "counted", missing: "failed" } as const;
    const counted = await importResults([`${folder.path}/board`], asked);
    expect(counted).toMatchObject({ total: 6, missing: 0, counted: 2 });
    expect(scores(counted.studyDir)).toEqual([
      ["fox", "x-1", 1, null],
      ["fox", "x-2", 0, "failed: listed under no_logs"],
      ["fox", "x-3", 0, "failed: no result"],
      ["owl", "x-1", 1, null],
      ["owl", "x-2", 1, null],
      ["owl", "x-3", 1, null],
    ]);
    expect(await importResults([`${folder.path}/board`], asked)).toMatchObject({
      added: 0,
      changed: 0,
      total: 6,
    });
    folder.write("late/fox/results/results.json", JSON.stringify({ resolved: ["x-3"] }));
    await expect(importResults([`${folder.path}/late`], asked)).rejects.toThrow(/counted as failed/);
  });
});

describe("whose results they are", () => {
  test("can be told with the import", async () => {
    using folder = new TempFolder({ "run/eval_results.json": '{"x-1": true}' });
    const set = { model: "gpt-5", agent: "fox" };
    const { studyDir } = await importResults([folder.path], {
      outRoot: `${folder.path}/out`,
      name: "s",
      set,
    });
    const record = JSON.parse(readFileSync(`${studyDir}/journal.jsonl`, "utf8")) as RunRecord;
    expect(record.params).toEqual(set);
  });

  test("is never guessed to be one system's where several have no name", async () => {
    using folder = new TempFolder({
      "a/night.json": JSON.stringify({ resolved_ids: ["x-1"], unresolved_ids: [], error_ids: [] }),
      "b/day.json": JSON.stringify({ resolved_ids: [], unresolved_ids: ["x-1"], error_ids: [] }),
    });
    const request = { outRoot: `${folder.path}/out`, name: "s" };
    const { studyDir, warnings } = await importResults([`${folder.path}/a`, `${folder.path}/b`], request);
    expect(scores(studyDir)).toEqual([
      ["a", "x-1", 1, null],
      ["b", "x-1", 0, null],
    ]);
    expect(warnings).toEqual([
      { kind: "unnamed-model", level: "warn", text: expect.stringContaining("these folders stand for it") },
    ]);
  });
});
