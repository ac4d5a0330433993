import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { studyStatus } from "../../src/api/study-status.ts";
import { collect } from "../../src/archive/collect.ts";
import { latestRecords, readStudyFile } from "../../src/archive/read-records.ts";
import { listenForDamage } from "../../src/core/errors.ts";
import { History } from "../../src/engine/pending.ts";
import { noteLook } from "../../src/read/past.ts";
import { readStudy } from "../../src/read/view-study.ts";
import { TempFolder } from "../support/temp-folder.ts";

const golden = fileURLToPath(new URL("../fixtures/folder-0.1/", import.meta.url));
const goldenStudy = JSON.parse(readFileSync(`${golden}/study.json`, "utf8"));
const lines = readFileSync(`${golden}/journal.jsonl`, "utf8").trim().split("\n");
const WRONG = [null, 7, "x", [], {}, true, [null], { a: null }];

/** Another kind of value than the one that belongs there. */
const kindOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "list" : typeof value);
const wrongFor = (value: unknown) => WRONG.filter((other) => kindOf(other) !== kindOf(value));

/** A copy of the folder of 0.1 with some files replaced; what is told of it, while it is read. */
function damaged(files: Record<string, string>) {
  const folder = new TempFolder();
  cpSync(golden, folder.path, { recursive: true });
  for (const [name, content] of Object.entries(files)) folder.write(name, content);
  const told: string[] = [];
  listenForDamage((text) => told.push(text));
  return Object.assign(folder, { told });
}

const withFirst = (line: unknown) => [JSON.stringify(line), ...lines.slice(1), ""].join("\n");

describe("a folder of Assay 0.1", () => {
  test("is read: study, records, table, answer", async () => {
    using folder = damaged({});
    expect(readStudyFile(folder.path)).toMatchObject({ format: 1, name: "golden", total: 8 });
    expect(await studyStatus(folder.path)).toMatchObject({
      total: 8,
      ok: 6,
      failed: 2,
      left: 0,
      costUsd: 0.06,
    });
    const { records, study } = await readStudy(folder.path);
    expect(records.map(({ outcome }) => outcome.status).sort()).toEqual([
      ...Array(1).fill("failed"),
      ...Array(6).fill("ok"),
      "timeout",
    ]);
    expect(study?.study.analysis).toEqual({ metric: "score", goal: "maximize" });
    const { rows } = await collect(folder.path);
    expect(rows).toBe(8);
    expect(folder.read("aggregate/runs.csv")).toContain("a__seed1__small__e85353aed94c,");
    expect(folder.told).toEqual([]);
  });

  test("of 0.2 is read as well", async () => {
    const studyDir = fileURLToPath(new URL("../fixtures/folder-0.2/", import.meta.url));
    expect(readStudyFile(studyDir)).toMatchObject({
      format: 1,
      name: "golden",
      packages: { assay: "0.2.0" },
    });
    expect(await studyStatus(studyDir)).toMatchObject({ total: 8, ok: 6, failed: 2, left: 0 });
    const { records } = await readStudy(studyDir);
    expect(records.map(({ metrics }) => metrics.score)).toEqual([5, 10, 15, 20, 5, 10, 15, 20]);
  });

  test("with keys that a later 0.x added is read as before", async () => {
    using folder = damaged({
      "study.json": JSON.stringify({ ...goldenStudy, later: 1, study: { ...goldenStudy.study, later: {} } }),
      "journal.jsonl": withFirst({ ...JSON.parse(lines[0]!), later: [1] }),
    });
    expect(await studyStatus(folder.path)).toMatchObject({ total: 8, ok: 6, failed: 2 });
    expect(folder.told).toEqual([]);
  });
});

describe("study.json", () => {
  test("of a later format is refused, with who wrote it and what to do", () => {
    const packages = { assay: "3.1.0" };
    using folder = damaged({ "study.json": JSON.stringify({ format: 2, packages, anything: "else" }) });
    expect(() => readStudyFile(folder.path)).toThrow(
      /study\.json has a format that this version can't read: expected at most 1, got 2\. Assay 3\.1\.0 wrote it, this is .*: install the later one\./,
    );
  });

  test.each(WRONG)("that is %j is told, and the records are used", async (value) => {
    using folder = damaged({ "study.json": JSON.stringify(value) });
    expect(await studyStatus(folder.path)).toMatchObject({ total: null, ok: 6, failed: 2 });
    expect(folder.told).toEqual([
      expect.stringMatching(/study\.json is damaged: .*expected .*The records are read/),
    ]);
  });

  test("with a wrong value under any key that counts is told, with the key", () => {
    const { format: _, study, ...rest } = goldenStudy;
    const places: [string, unknown, (value: unknown) => object][] = [
      ...Object.keys(rest).map(
        (key) => [key, rest[key], (v: unknown) => ({ ...goldenStudy, [key]: v })] as [string, unknown, never],
      ),
      ...Object.keys(study).map(
        (key) =>
          [
            `study.${key}`,
            study[key],
            (v: unknown) => ({ ...goldenStudy, study: { ...study, [key]: v } }),
          ] as [string, unknown, never],
      ),
    ];
    for (const [key, value, replaced] of places) {
      // Without git it is null, within it an object; how many runs a search without end has is null.
      const wrong = key === "git" || key === "total" ? [7.5, "x", true].slice(1) : wrongFor(value);
      for (const other of wrong) {
        using folder = damaged({ "study.json": JSON.stringify(replaced(other)) });
        expect(readStudyFile(folder.path), `${key} = ${JSON.stringify(other)}`).toBeUndefined();
        expect(folder.told, key).toEqual([expect.stringContaining(`is damaged: ${key}`)]);
      }
    }
  });
});

describe("a line of the journal", () => {
  const [first] = lines.map((line) => JSON.parse(line));

  test.each([
    ...WRONG.map((value) => ["itself", value] as const),
    ...Object.keys(first).flatMap((key) =>
      wrongFor(first[key])
        .filter((value) => !(key === "task" && value === "x"))
        .map((value) => [key, { ...first, [key]: value }] as const),
    ),
    ["outcome", { ...first, outcome: { ...first.outcome, status: "excellent" } }] as const,
    ["outcome", { ...first, outcome: { ...first.outcome, reason: [] } }] as const,
    ["metrics", { ...first, metrics: { score: "0.5" } }] as const,
    ["earlier", { ...first, earlier: [{}] }] as const,
    ["files", { ...first, files: { length: 1 } }] as const,
  ])("with a wrong %s (%#) is told and passed over; the others are used", async (key, line) => {
    using folder = damaged({ "journal.jsonl": withFirst(line) });
    expect(latestRecords(folder.path)).toHaveLength(7);
    const problem = key === "itself" ? "" : key;
    expect(folder.told).toEqual([
      expect.stringMatching(
        new RegExp(`journal\\.jsonl: passed over a line that is not a record; line 1: ${problem}`),
      ),
    ]);
    const { rows } = await collect(folder.path);
    expect(rows).toBe(7);
  });

  test("of an unknown status is no result: its run is done again", () => {
    const strange = { ...first, outcome: { status: "excellent" } };
    using folder = damaged({ "journal.jsonl": withFirst(strange) });
    const history = new History(`${folder.path}/journal.jsonl`, ["policy"]);
    expect(history.isFinished(first)).toBe(false);
    expect(history).toMatchObject({ size: 7, brokenLines: 1, firstBroken: { line: 1 } });
    history.close();
  });

  test("of the shape of the others, but with a wrong value, stays out of the table", async () => {
    const strange = (change: object) => JSON.stringify({ ...first, ...change });
    using folder = damaged({
      "journal.jsonl": [
        ...lines,
        strange({ id: "a__seed9__small__000000000001", outcome: { ...first.outcome, status: "weird" } }),
        strange({ id: "a__seed9__small__000000000002", metrics: { ...first.metrics, score: true } }),
        "",
      ].join("\n"),
    });
    expect((await collect(folder.path)).rows).toBe(8);
    expect(folder.read("aggregate/runs.csv")).not.toMatch(/weird|true/);
  });
});

test.each(["live.json", "lock.json", "late.jsonl"])("a %s of any shape is done without", async (name) => {
  for (const value of WRONG) {
    using folder = damaged({ [name]: `${JSON.stringify(value)}\n` });
    expect(await studyStatus(folder.path)).toMatchObject({ ok: 6, runner: null, running: [] });
  }
});

test("pipes in place of what readers append to keep no reader waiting", async () => {
  using folder = damaged({});
  for (const name of ["looks.jsonl", "late.jsonl"]) spawnSync("mkfifo", [`${folder.path}/${name}`]);
  noteLook(folder.path, 6);
  await expect(studyStatus(folder.path)).rejects.toThrow(/late\.jsonl: it is a pipe.*Move it away/);
});
