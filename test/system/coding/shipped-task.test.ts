import "../../support/in-memory.ts";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { taskSetDir } from "../../../src/targets/agent/tasks/load-task.ts";
import { readTask } from "../../../src/targets/coding/tasks/index.ts";
import { openBase } from "../../../src/targets/coding/workspace/open-base.ts";
import { everythingIn } from "../../support/a-repository.ts";
import { TempFolder } from "../../support/temp-folder.ts";

const OPTIONS = { applyOverrides: true, overrides: null };
const SHIPPED = taskSetDir("shipped", ".");

describe("a task that ships", () => {
  test("fails as it is, and passes with its own solution", async () => {
    using folder = new TempFolder();
    const task = readTask(join(SHIPPED, "library-loans"), OPTIONS);
    const before = everythingIn(task.dir);
    const base = await openBase(task, { cacheDir: join(folder.path, "cache") });
    const patches = ["", readFileSync(task.solution!.path, "utf8")];
    const exits = await Promise.all(
      patches.map(async (patch, index) => {
        const copy = join(folder.path, `copy${index}`);
        await base.copyTo(copy, { withGit: false });
        await base.apply(copy, patch);
        const script = task.grading.tests[0]!;
        for (const [path, text] of [
          ...Object.entries(task.grading.files),
          [script.path, script.content] as const,
        ]) {
          mkdirSync(join(copy, dirname(path)), { recursive: true });
          writeFileSync(join(copy, path), text);
        }
        return spawnSync("sh", [script.path], { cwd: copy }).status;
      }),
    );
    expect(exits).toEqual([1, 0]);
    expect(everythingIn(task.dir)).toEqual(before);
  });

  test("passes only with the words that its check ends with", () => {
    using folder = new TempFolder({
      "task.json": JSON.stringify({
        id: "x",
        instruction: "i",
        test: "echo 'all well'",
        check: "node check/run.js",
        passes: "all well",
      }),
      "repo/a.js": "",
      "check/run.js": "process.exit(0)",
    });
    const [script] = readTask(folder.path, OPTIONS).grading.tests;
    writeFileSync(join(folder.path, "grade.sh"), script!.content);
    const run = () => spawnSync("sh", ["grade.sh"], { cwd: folder.path }).status;
    expect(run()).toBe(1);
    folder.write("check/run.js", "console.log('1 of 1'); console.log('all well')");
    expect(run()).toBe(0);
    folder.write("check/run.js", "console.log('all well'); process.exit(3)");
    expect(run()).toBe(3);
  });
});
