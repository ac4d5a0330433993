import "../../support/in-memory.ts";
import { expect, test } from "vitest";
import { directory } from "../../../src/sandboxes/directory.ts";
import { gradePatch } from "../../../src/targets/coding/grading/grade-patch.ts";
import { rolloutSchema } from "../../../src/targets/coding/params.ts";
import { openBase } from "../../../src/targets/coding/workspace/open-base.ts";
import { aTask } from "../../support/an-agent-job.ts";
import { TempFolder } from "../../support/temp-folder.ts";

/** Tests of somebody else: they know no proof, and their runner prints how many passed. */
const CONTENT = `node --test-reporter=tap - <<'JS'
const { test } = require("node:test");
const { half } = require("./half.js");
test("four", () => { if (half(4) !== 2) throw new Error("no"); });
test("six", () => { if (half(6) !== 3) throw new Error("no"); });
JS
`;

const changeTo = (line: string) =>
  `--- a/half.js\n+++ b/half.js\n@@ -1 +1 @@\n-exports.half = (n) => n;\n+${line}\n`;

test("tests of others that pass in smaller number than with the task's own solution are told, and still count", async () => {
  using folder = new TempFolder({
    "task/repo/half.js": "exports.half = (n) => n;\n",
    "task/solution.patch": changeTo("exports.half = (n) => n / 2;"),
  });
  const dir = `${folder.path}/task`;
  const task = aTask({
    ...{ dir, source: { kind: "folder", dir: `${dir}/repo` } },
    solution: { kind: "patch", path: `${dir}/solution.patch` },
    grading: { tests: [{ path: "t.sh", rubricId: null, content: CONTENT }] },
  });
  const base = await openBase(task, { cacheDir: `${folder.path}/bases` });
  const grade = (line: string) =>
    gradePatch({
      ...{ task, base, patch: changeTo(line), sandbox: directory, logsDir: null },
      ...{ params: rolloutSchema.parse({}), signal: new AbortController().signal },
    });
  const honest = await grade("exports.half = (n) => n * 0.5;");
  expect(honest).toMatchObject({ score: 1, suspicions: [] });
  const early = await grade("exports.half = () => process.exit(0);");
  expect(early.score).toBe(1);
  expect(early.suspicions).toContainEqual({
    kind: "fewer tests than the solution",
    evidence: "t.sh: 0 passed, 2 with the task's own solution",
  });
});
