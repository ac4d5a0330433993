import { rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readTree } from "../../src/sandboxes/read-tree.ts";
import { makePatch } from "../../src/targets/agent/patch/make-patch.ts";
import { TempFolder } from "../support/temp-folder.ts";

/** What is handed in after a change to a repository of two files. */
function patchAfter(change: (folder: TempFolder) => void): { patch: string; warnings: string[] } {
  using folder = new TempFolder({ "src/z.txt": "z\n", "log.txt": "one\n" });
  const known = readTree(folder.path);
  change(folder);
  const warnings: string[] = [];
  const after = readTree(folder.path, { known, mostNew: 20, warn: (text) => warnings.push(text) });
  return { patch: makePatch(known, after), warnings };
}

test("an agent that makes more files than can be handed in deletes nothing by that", () => {
  const { patch, warnings } = patchAfter((folder) => {
    for (let i = 0; i < 30; i++) writeFileSync(`${folder.path}/${i}.tmp`, "");
    writeFileSync(`${folder.path}/src/z.txt`, "mended\n");
  });
  expect(patch).toContain("--- a/src/z.txt\n+++ b/src/z.txt\n");
  expect(patch).not.toContain("+++ /dev/null");
  expect(warnings).toEqual(["10 of 30 new files are left out: they are too many"]);
});

test("a text that has grown is changed, not deleted", () => {
  const { patch, warnings } = patchAfter((folder) =>
    writeFileSync(`${folder.path}/log.txt`, `one\n${"x".repeat(5 << 20)}\n`),
  );
  expect(patch.startsWith("--- a/log.txt\n+++ b/log.txt\n")).toBe(true);
  expect(warnings).toEqual([]);
});

test("a text that is none any more counts as unchanged, and that is told; one that is gone is gone", () => {
  const { patch, warnings } = patchAfter((folder) => {
    writeFileSync(`${folder.path}/log.txt`, Buffer.from([0, 1, 2]));
    rmSync(`${folder.path}/src/z.txt`);
  });
  expect(patch).toContain("--- a/src/z.txt\n+++ /dev/null");
  expect(patch).not.toContain("log.txt");
  expect(warnings).toEqual([expect.stringContaining("log.txt is no longer text")]);
});
