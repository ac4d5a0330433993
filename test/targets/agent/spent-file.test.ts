import { linkSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { SpentFile } from "../../../src/targets/agent/spent-file.ts";
import { TempFolder } from "../../support/temp-folder.ts";

test("what a run has cost is replaced whole, so that a kill can't leave less than was known", () => {
  using folder = new TempFolder();
  new SpentFile(folder.path).note(0.25);
  linkSync(`${folder.path}/spent.json`, `${folder.path}/before.json`);
  new SpentFile(folder.path).note(0.5);
  expect(JSON.parse(folder.read("spent.json"))).toEqual({ costUsd: 0.5 });
  // Written into the same file, it would have been empty for a moment.
  expect(JSON.parse(folder.read("before.json"))).toEqual({ costUsd: 0.25 });
  expect(readdirSync(folder.path).sort()).toEqual(["before.json", "spent.json"]);
});

test("a run that has cost nothing leaves no file", () => {
  using folder = new TempFolder();
  new SpentFile(folder.path).note(0);
  expect(readdirSync(folder.path)).toEqual([]);
});
