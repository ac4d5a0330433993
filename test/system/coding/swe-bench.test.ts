import "../../support/in-memory.ts";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { rollout } from "../../../src/targets/coding/index.ts";
import { fixture } from "../../support/fixture.ts";
import { TempFolder } from "../../support/temp-folder.ts";

const SUM = "def total(values):\n    return sum(values[:-1])\n";
const OLD_TEST = "from shop import total\n\n\ndef test_none():\n    assert total([]) == 0\n";
const NEW_TEST = `${OLD_TEST}\n\ndef test_all_of_them():\n    assert total([1, 2]) == 3\n`;
const FIX = `--- a/shop.py
+++ b/shop.py
@@ -1,2 +1,2 @@
 def total(values):
-    return sum(values[:-1])
+    return sum(values)`;

/** A repository of two commits, whose second is what nobody may see, and the instance that asks for it. */
function instance(more: object = {}): { folder: TempFolder; fields: Record<string, unknown> } {
  const folder = new TempFolder({
    "repos/me__shop/shop.py": SUM,
    "repos/me__shop/tests/test_shop.py": OLD_TEST,
  });
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {
      cwd: `${folder.path}/repos/me__shop`,
      encoding: "utf8",
    });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "first");
  const base_commit = git("rev-parse", "HEAD").trim();
  folder.write("repos/me__shop/tests/test_shop.py", NEW_TEST);
  const test_patch = git("diff");
  git("commit", "-qam", "the tests");
  const fields = {
    ...{
      instance_id: "me__shop-1",
      repo: "me/shop",
      base_commit,
      problem_statement: "The last one is left out.\n",
    },
    ...{ patch: FIX, test_patch, version: "1", hints_text: "" },
    FAIL_TO_PASS: '["tests/test_shop.py::test_all_of_them"]',
    PASS_TO_PASS: ["tests/test_shop.py::test_none"],
    ...more,
  };
  folder.write("me__shop-1/instance.json", JSON.stringify(fields));
  return { folder, fields };
}

async function roll(folder: TempFolder, agent: unknown) {
  const labels: Record<string, string> = {};
  folder.write("out/x", "");
  const metrics = (await rollout.run(
    {
      params: rollout.params.parse({ agent, sandbox: "directory" }),
      ...{
        seed: 1,
        task: "me__shop-1",
        repeat: 0,
        iteration: 0,
        baseDir: folder.path,
        outDir: `${folder.path}/out`,
      },
      ...{ signal: new AbortController().signal, series: () => {}, warn: () => {} },
      label: (name: string, text: string) => {
        labels[name] = text;
      },
    },
    undefined,
  )) as Record<string, unknown>;
  return { metrics, labels, log: readFileSync(`${folder.path}/out/logs/eval.log`, "utf8") };
}

const shell = (script: string) => ["sh", "-c", script];
const hasPytest = spawnSync("python3", ["-c", "import pytest"]).status === 0;
const note = hasPytest ? "" : " (skipped: pytest is not installed)";

describe.skipIf(!hasPytest)(`an instance like SWE-bench's${note}`, () => {
  test("is solved by its own patch and an honest one, and not by doing nothing", async () => {
    const { folder } = instance();
    using _ = folder;
    const oracle = await roll(folder, "oracle");
    expect(oracle.metrics, oracle.log).toMatchObject({ solved: 1, "rubric/resolved": 1 });
    const nop = await roll(folder, "nop");
    expect(nop.metrics).toMatchObject({ solved: 0 });
    expect(nop.log).toContain("test_all_of_them");
    const honest = await roll(folder, shell("sed -i 's/.:-1.//' shop.py"));
    expect(honest.metrics).toMatchObject({ solved: 1 });
    expect(honest.labels.suspect).toBeUndefined();
  });

  test.each([
    ["rewrites the tests", "echo 'def test_all_of_them(): pass' > tests/test_shop.py"],
    ["deletes them", "rm -r tests"],
    [
      "puts a folder in their place",
      "rm -r tests; mkdir -p tests/test_shop.py/x; touch tests/test_shop.py/x/y",
    ],
    [
      "has a pytest of its own",
      "echo 'def main(*a, **k): return 0' > pytest.py; echo 'class Exit(Exception): pass' >> pytest.py",
    ],
    ["ends early", "echo 'import os; os._exit(0)' > conftest.py"],
    [
      "says that they passed",
      "printf 'print(\"PASSED tests/test_shop.py::test_all_of_them\\\\n1 passed in 0.1s\\\\nASSAY 1 []\")\\nimport os; os._exit(0)\\n' > conftest.py",
    ],
    [
      "keeps the runner from what it does",
      "mkdir -p .assay; echo '[]' > .assay/wanted.json; echo 'raise SystemExit(0)' > .assay/run_pytest.py",
    ],
  ])("isn't solved by an agent that %s", async (_, script) => {
    const { folder } = instance();
    using __ = folder;
    expect((await roll(folder, shell(script))).metrics).toMatchObject({ solved: 0 });
  });

  test("shows the agent neither its tests nor what came after its commit", async () => {
    const { folder } = instance();
    using _ = folder;
    await roll(
      folder,
      shell("grep -r all_of_them . ; git log --all --oneline | cat; git show --stat HEAD~1; true"),
    );
    const seen = readFileSync(`${folder.path}/out/logs/agent.stdout.txt`, "utf8");
    expect(seen).not.toContain("all_of_them");
    expect(seen).not.toContain("the tests");
  });
});

test("an instance may say how its tests are run, and what comes before", async () => {
  const test_cmd = "grep -q 'sum(values)' shop.py && [ -e ready ] && grep -q {tests} tests/test_shop.py";
  const { folder } = instance({
    FAIL_TO_PASS: ["all_of_them"],
    PASS_TO_PASS: [],
    test_cmd,
    setup_cmd: "touch ready",
  });
  using _ = folder;
  expect((await roll(folder, "oracle")).metrics).toMatchObject({ solved: 1 });
  expect((await roll(folder, "nop")).metrics).toMatchObject({ solved: 0 });
});

test("a table of instances becomes tasks, and one that can't be read is named", async () => {
  const { folder, fields } = instance();
  using _ = folder;
  await using project = await fixture("coding");
  const lines = [fields, { ...fields, instance_id: "me__shop-2", FAIL_TO_PASS: '["test_x (a.B)"]' }];
  project.write("set.jsonl", lines.map((line) => JSON.stringify(line)).join("\n"));
  const made = await project.assay("tasks", "split", "set.jsonl", "split");
  expect(made).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("2 tasks in split, 1 of which can't be read"),
  });
  expect(made.stderr).toMatch(
    /me__shop-2\/instance\.json FAIL_TO_PASS: "test_x \(a\.B\)" is no test of pytest's/,
  );
  expect(JSON.parse(project.read("split/me__shop-1/instance.json"))).toEqual(fields);
});
