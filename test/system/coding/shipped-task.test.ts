import "../../support/in-memory.ts";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { directory } from "../../../src/sandboxes/directory.ts";
import { taskSetDir } from "../../../src/targets/agent/tasks/load-task.ts";
import { gradePatch } from "../../../src/targets/coding/grading/grade-patch.ts";
import { rolloutSchema } from "../../../src/targets/coding/params.ts";
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
    const grades = await Promise.all(
      patches.map((patch) =>
        gradePatch({
          ...{ task, base, patch, sandbox: directory, logsDir: null, params: rolloutSchema.parse({}) },
          signal: new AbortController().signal,
        }),
      ),
    );
    expect(grades.map(({ score }) => score)).toEqual([0, 1]);
    expect(grades[0]!.tests[0]!.reason).toMatch(/^\d+: expected .*, got /);
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
