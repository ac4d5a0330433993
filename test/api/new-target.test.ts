import { describe, expect, test } from "vitest";
import { writeNew } from "../../src/api/scaffold/new-target.ts";
import { checkPresetPath, writePreset } from "../../src/api/write-preset.ts";
import { readPreset } from "../../src/launch/load-study.ts";
import { TempFolder } from "../support/temp-folder.ts";

describe("files of one's own", () => {
  test("are never written over, and none is written when one is there", () => {
    using folder = new TempFolder({ "mine.yaml": "keep" });
    expect(() => writeNew("target", "mine", folder.path)).toThrow(/mine\.yaml exists already/);
    expect(() => folder.read("mine.ts")).toThrow();
    expect(folder.read("mine.yaml")).toBe("keep");
  });

  for (const name of ["", "Mine", "my target", "../mine", "a--b", "1st", "mine.ts", "x".repeat(80)]) {
    test(`can't be called ${JSON.stringify(name).slice(0, 30)}`, () => {
      using folder = new TempFolder();
      expect(() => writeNew("target", name, folder.path)).toThrow(/expected small letters/);
    });
  }

  test("can't have the name of what ships", () => {
    using folder = new TempFolder();
    expect(() => writeNew("target", "memory_db", folder.path)).toThrow(/ships with Assay/);
    expect(() => writeNew("instrument", "heap", folder.path)).toThrow(/ships with Assay/);
  });
});

describe("a preset", () => {
  const params = { mode: "disk", flush_every: 10 };
  for (const name of ["preset.yaml", "preset.json"]) {
    test(`${name} is read as it was written, and may be replaced`, () => {
      using folder = new TempFolder();
      const path = `${folder.path}/${name}`;
      for (let i = 0; i < 2; i++) {
        checkPresetPath(path);
        writePreset(path, params, { title: "farm`", remarks: ["two\nlines: of {remarks}"] });
      }
      expect(readPreset(path)).toEqual(params);
    });
  }

  test("is no other file, and replaces none", () => {
    using folder = new TempFolder({ "study.yaml": "study: s\nparams: {a: 1}\n", "empty.yaml": "{}" });
    expect(() => checkPresetPath(`${folder.path}/study.yaml`)).toThrow(/is not a preset/);
    expect(() => checkPresetPath(`${folder.path}/preset.txt`)).toThrow(/ends in/);
    expect(() => readPreset(`${folder.path}/study.yaml`)).toThrow(/unknown key "study"/);
    expect(() => readPreset(`${folder.path}/empty.yaml`)).toThrow(/is not a preset/);
    expect(() => readPreset(`${folder.path}/none.yaml`)).toThrow(/preset file .* does not exist/);
  });
});
