import { describe, expect, test } from "vitest";
import {
  findStudy,
  isStudy,
  latestRecords,
  launchesOf,
  listStudies,
  readStudyFile,
} from "../../src/archive/read-records.ts";
import { aRecord } from "../support/a-study.ts";
import { TempFolder } from "../support/temp-folder.ts";

describe("a study on disk", () => {
  test("is found by its path and by its name below the root", () => {
    using root = new TempFolder({
      "smoke/journal.jsonl": "",
      "old/runs/x/meta.json": "{}",
      "notes/readme.md": "",
    });
    expect(findStudy("smoke", root.path)).toBe(`${root.path}/smoke`);
    expect(findStudy(`${root.path}/old`)).toBe(`${root.path}/old`);
    expect(listStudies(root.path).sort()).toEqual([`${root.path}/old`, `${root.path}/smoke`]);
    expect(listStudies("/nowhere")).toEqual([]);
  });

  test("that is not there is told with what is near", () => {
    using root = new TempFolder({ "smoke/journal.jsonl": "", "notes/readme.md": "" });
    expect(() => findStudy("smok", root.path)).toThrow('Did you mean "smoke"?');
    expect(() => findStudy(`${root.path}/notes`)).toThrow(
      "holds no results: expected a study's folder, with journal.jsonl or runs/ in it, got readme.md",
    );
    expect(() => findStudy("any", "/nowhere")).toThrow("`assay run FILE` makes one.");
  });

  test("whose launches are kept apart is found by its name, newest first, and by name and time", () => {
    using root = new TempFolder({
      "nightly/20250824__12-34-56/journal.jsonl": "",
      "nightly/20250825__01-00-00/journal.jsonl": "",
      "nightly/20250826__01-00-00/notes.txt": "no study",
      "smoke/journal.jsonl": "",
    });
    const launch = (stamp: string) => `${root.path}/nightly/${stamp}`;
    expect(findStudy("nightly", root.path)).toBe(launch("20250825__01-00-00"));
    expect(findStudy("nightly/20250824__12-34-56", root.path)).toBe(launch("20250824__12-34-56"));
    expect(findStudy(`${root.path}/nightly`)).toBe(launch("20250825__01-00-00"));
    expect(launchesOf(`${root.path}/nightly`)).toHaveLength(2);
    expect(launchesOf(`${root.path}/smoke`)).toEqual([]);
    expect(listStudies(root.path).sort()).toEqual([launch("20250825__01-00-00"), `${root.path}/smoke`]);
    expect(() => findStudy("nightly/20250824__12-34-57", root.path)).toThrow("20250824__12-34-56");
  });

  test("is not the folder beside data/rollouts with links to all runs", () => {
    using root = new TempFolder({
      "data/runs/20250824__12-34-56-0/results.json": "{}",
      "data/rollouts/nightly/20250824__12-34-56/study.json": "{}",
    });
    expect(isStudy(`${root.path}/data`)).toBe(false);
  });

  test("that is not there by its path is told with what is near too", () => {
    using root = new TempFolder({ "smoke/journal.jsonl": "" });
    expect(() => findStudy(`${root.path}/smokee`)).toThrow('Did you mean "smoke"?');
  });

  test("has the newest record of each run, and a study.json or none", () => {
    const lines = [aRecord({ id: "a" }), aRecord({ id: "b" }), aRecord({ id: "a", attempt: 2 })];
    using folder = new TempFolder({
      "journal.jsonl": lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    });
    expect(latestRecords(folder.path).map(({ id, attempt }) => [id, attempt])).toEqual([
      ["a", 2],
      ["b", 1],
    ]);
    expect(readStudyFile(folder.path)).toBeUndefined();
    expect(latestRecords("/nowhere")).toEqual([]);
  });
});
