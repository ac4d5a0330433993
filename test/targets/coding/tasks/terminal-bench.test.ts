import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readTask } from "../../../../src/targets/coding/tasks/index.ts";
import { everythingIn } from "../../../support/a-repository.ts";
import { TempFolder } from "../../../support/temp-folder.ts";

const OPTIONS = { applyOverrides: true, overrides: null };
const YAML = `# canary
instruction: |-
  Sort the list.
author_name: A
difficulty: medium
tags:
  - games
parser_name: pytest
max_agent_timeout_sec: 600.0
max_test_timeout_sec: 60.0
estimated_duration_sec:
`;

function benchTask(files: Record<string, string> = {}): TempFolder {
  return new TempFolder({
    "task.yaml": YAML,
    Dockerfile: "FROM ghcr.io/x/python\nWORKDIR /app\nCOPY . /app\n",
    "docker-compose.yaml": "services: {}\n",
    "list.txt": "b\na\n",
    "run-tests.sh": "#!/bin/bash\npytest $TEST_DIR/test_outputs.py -rA\n",
    "solution.sh": "sort -o list.txt list.txt\n",
    "tests/test_outputs.py": "def test_x(): pass\n",
    ...files,
  });
}

describe("a task of Terminal-Bench", () => {
  test("is read with what is its own kept away from the agent", () => {
    using folder = benchTask();
    const before = everythingIn(folder.path);
    const task = readTask(folder.path, OPTIONS);
    expect(task).toMatchObject({
      id: folder.path.split("/").at(-1),
      format: "terminal-bench",
      tags: ["games"],
      instruction: "Sort the list.",
      overlay: { copies: { "list.txt": join(folder.path, "list.txt") } },
      limits: { agentMs: 600_000, graderMs: 60_000 },
      workDir: "/app",
      solution: { kind: "script", path: join(folder.path, "solution.sh") },
      warnings: [],
    });
    expect(Object.keys(task.overlay.copies)).toEqual(["list.txt"]);
    expect(task.grading).toMatchObject({
      verdict: "exit",
      mounts: { "/tests": [join(folder.path, "tests")] },
    });
    expect(everythingIn(folder.path)).toEqual(before);
  });

  test.each([
    ["all passed", 0, "== short test summary info ==\nPASSED a\nPASSED b\n== 2 passed ==\n", 0],
    ["one failed, whatever ran last", 0, "== short test summary info ==\nPASSED a\nFAILED b - x\n", 1],
    ["an error", 0, "== short test summary info ==\nPASSED a\nERROR b\n", 1],
    ["nothing passed", 0, "== short test summary info ==\nSKIPPED [1] a\n", 1],
    ["no summary", 0, "hello\n", 1],
    ["all passed, though the script failed later", 3, "== short test summary info ==\nPASSED a\n", 0],
    ["the runner is missing", 127, "pytest: command not found\n", 127],
  ])("goes by what pytest says: %s", (_, code, output, exit) => {
    using folder = benchTask({ "run-tests.sh": `cat <<'E'\n${output}E\nexit ${code}\n` });
    const { grading } = readTask(folder.path, OPTIONS);
    using copy = new TempFolder();
    mkdirSync(join(copy.path, ".assay"));
    for (const [path, text] of Object.entries(grading.files)) writeFileSync(join(copy.path, path), text);
    writeFileSync(join(copy.path, grading.tests[0]!.path), grading.tests[0]!.content);
    const result = spawnSync("bash", [grading.tests[0]!.path], { cwd: copy.path, encoding: "utf8" });
    expect(result.stdout).toBe(output);
    expect(result.status).toBe(exit);
  });

  test("with another parser goes by the exit code, and says so", () => {
    using folder = benchTask({ "task.yaml": YAML.replace("pytest", "swebench") });
    const { warnings, grading } = readTask(folder.path, OPTIONS);
    expect(warnings).toEqual([
      "the output of run-tests.sh is for the parser swebench: here its exit code tells",
    ]);
    expect(grading.tests[0]!.content).toContain("exec bash .assay/run-tests.sh");
  });

  test("of the oldest kind has its instruction among descriptions", () => {
    using folder = benchTask({ "task.yaml": "descriptions:\n  - key: base\n    description: Do it.\n" });
    expect(readTask(folder.path, OPTIONS).instruction).toBe("Do it.");
  });

  test("that lacks something or is broken is a mistake that is named", () => {
    using folder = benchTask();
    rmSync(join(folder.path, "run-tests.sh"));
    expect(() => readTask(folder.path, OPTIONS)).toThrow(
      /run-tests\.sh is missing: expected the script that runs the tests/,
    );
    folder.write("task.yaml", "difficulty: easy\n");
    expect(() => readTask(folder.path, OPTIONS)).toThrow(
      /task\.yaml instruction: expected what the agent is told, got nothing/,
    );
    folder.write("task.yaml", "a: [\n");
    expect(() => readTask(folder.path, OPTIONS)).toThrow(/task\.yaml can't be read/);
  });
});
