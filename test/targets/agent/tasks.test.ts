import { chmodSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { directory } from "../../../src/sandboxes/directory.ts";
import { memory } from "../../../src/sandboxes/memory/index.ts";
import { grade } from "../../../src/targets/agent/grade.ts";
import { agent } from "../../../src/targets/agent/index.ts";
import { agentSchema } from "../../../src/targets/agent/params.ts";
import { applyPatch } from "../../../src/targets/agent/patch/apply-patch.ts";
import { listTasks, loadTask, taskSetDir } from "../../../src/targets/agent/tasks/load-task.ts";
import { hashTree } from "../../../src/targets/coding/tasks/hash-tree.ts";
import { TempFolder } from "../../support/temp-folder.ts";

const dir = taskSetDir("shipped", ".");
const tasks = listTasks(dir);
const signal = new AbortController().signal;
const limits = { timeoutMs: 50_000, outputBytes: 10_000, signal };

describe("the tasks that ship", () => {
  test("are at least twenty, of three levels, and long ones have many files", () => {
    expect(tasks.length).toBeGreaterThanOrEqual(20);
    expect(new Set(tasks.flatMap(({ subsets }) => subsets))).toEqual(new Set(["small", "medium", "long"]));
    for (const { name, subsets } of tasks)
      if (subsets.includes("long")) expect(loadTask(dir, name).files.size).toBeGreaterThan(45);
  });

  test("are the same files as ever, or the target has a new version", () => {
    // A shipped task is no part of a run's identity: the target's version stands for all of them.
    const hash = hashTree(dir, (path) => path === "README.md");
    expect({ version: agent.version, hash }).toEqual({ version: "3", hash: "ff68a6f437d95f6f" });
  });

  test.each(tasks)("$name fails as it is, and passes with its reference patch", async ({ name }) => {
    const task = loadTask(dir, name);
    const patch = readFileSync(`${dir}/${name}/reference.patch`, "utf8");
    const before = await memory.open(task.files, { parentDir: null });
    expect((await before.run(task.test, limits)).exitCode).toBe(1);
    const after = await memory.open(applyPatch(task.files, patch), { parentDir: null });
    expect(await after.run(task.test, limits)).toMatchObject({ exitCode: 0, output: `${task.passes}\n` });
    const place = { sandbox: memory, parentDir: null, signal };
    expect(await grade(task, patch, place)).toEqual({ isSolved: true, report: "" });
    const hunks = patch.split(/^(?=--- )/m);
    // One of several mistakes mended is not enough.
    if (hunks.length > 1)
      for (const part of hunks) expect((await grade(task, part, place)).isSolved).toBe(false);
  });

  test.each(tasks)("$name shows the agent neither its check nor its answer", ({ name }) => {
    const { files, checkFiles } = loadTask(dir, name);
    const answer = readFileSync(`${dir}/${name}/reference.patch`, "utf8");
    expect([...files.keys()].filter((path) => /^check\/|\.patch$|task\.json/.test(path))).toEqual([]);
    expect([...files.values()]).not.toContain(answer);
    expect(checkFiles.size).toBeGreaterThan(0);
  });
});

describe("a task set of one's own", () => {
  test("is a folder of such folders", () => {
    using folder = new TempFolder({
      "one/task.json": '{"id": "one", "instruction": "Do it.", "test": "true", "check": "true"}',
      "one/repo/a.txt": "a",
      "one/check/b.txt": "b",
    });
    expect(listTasks(folder.path)).toEqual([{ name: "one", subsets: ["all"] }]);
    expect(loadTask(folder.path, "one").checkFiles).toEqual(new Map([["check/b.txt", "b"]]));
  });

  test.each<[string, string, boolean]>([
    ["repo/a.txt", "other", true],
    ["repo/new.txt", "", true],
    ["check/b.txt", "other", true],
    ["task.json", '{"id": "one", "instruction": "Do that.", "test": "true", "check": "true"}', true],
    [
      "task.json",
      '{"id": "one", "instruction": "Do it.", "test": "true", "check": "true", "level": "x"}',
      false,
    ],
    ["reference.patch", "what the agent never sees", false],
  ])("has a version a task: %s (%s) changes it: %s", (name, text, changes) => {
    using folder = new TempFolder({
      "set/one/task.json": '{"id": "one", "instruction": "Do it.", "test": "true", "check": "true"}',
      "set/one/repo/a.txt": "a",
      "set/one/check/b.txt": "b",
    });
    const versionOf = () => agent.taskVersion!("one", agentSchema.parse({ task_set: "./set" }), folder.path);
    const before = versionOf();
    expect(before).toMatch(/^[0-9a-f]{12}$/);
    folder.write(`set/one/${name}`, text);
    expect(versionOf() !== before).toBe(changes);
  });

  test("keeps executable bits, bytes that are no text, and links, for the agent and for grading", async () => {
    const bytes = Buffer.from([0, 255, 10, 0xe9]);
    using folder = new TempFolder({
      "one/task.json":
        '{"id": "one", "instruction": "Do it.", "test": "./run.sh", "check": "./check/run.sh && ./run.sh"}',
      "one/repo/run.sh":
        "#!/bin/sh\ncmp data/logo.bin current/logo.bin && cat data/latin1.txt current/logo.bin\n",
      "one/repo/data/logo.bin": bytes,
      "one/repo/data/latin1.txt": Buffer.from("caf\xe9\n", "latin1"),
      "one/repo/answer.txt": "no\n",
      "one/check/run.sh": "#!/bin/sh\ngrep -q yes answer.txt && cmp check/logo.bin current/logo.bin\n",
      "one/check/logo.bin": bytes,
    });
    for (const name of ["one/repo/run.sh", "one/check/run.sh"]) chmodSync(`${folder.path}/${name}`, 0o755);
    symlinkSync("data", `${folder.path}/one/repo/current`);
    const task = loadTask(folder.path, "one");
    const workspace = await directory.open(task.files, { parentDir: folder.path, rest: task.rest });
    expect(await workspace.run(task.test, limits)).toMatchObject({ exitCode: 0 });
    const known = task.files;
    expect(await workspace.snapshot({ known })).toEqual(known);
    await workspace.close();
    const patch = "--- a/answer.txt\n+++ b/answer.txt\n@@ -1,1 +1,1 @@\n-no\n+yes\n";
    const place = { sandbox: directory, parentDir: folder.path, signal };
    expect(await grade(task, patch, place)).toMatchObject({ isSolved: true });
    expect(await grade(task, patch.replace("+yes", "+maybe"), place)).toMatchObject({ isSolved: false });
  });

  test.each<[string, (path: string) => void]>([
    ["a bit", (path) => chmodSync(`${path}/repo/run.sh`, 0o644)],
    ["a byte", (path) => writeFileSync(`${path}/repo/logo.bin`, Buffer.from([0, 2]))],
    ["a link", (path) => symlinkSync("run.sh", `${path}/repo/link`)],
  ])("has another version with %s of it changed", (_, change) => {
    using folder = new TempFolder({
      "set/one/task.json": '{"id": "one", "instruction": "Do it.", "test": "true", "check": "true"}',
      "set/one/repo/run.sh": "exit 0\n",
      "set/one/repo/logo.bin": Buffer.from([0, 1]),
      "set/one/check/b.txt": "b",
    });
    chmodSync(`${folder.path}/set/one/repo/run.sh`, 0o755);
    const versionOf = () => agent.taskVersion!("one", agentSchema.parse({ task_set: "./set" }), folder.path);
    const before = versionOf();
    change(`${folder.path}/set/one`);
    expect(versionOf()).not.toBe(before);
  });

  test("has them alone: those that ship go by the target's version", () => {
    expect(agent.taskVersion!("shop-pricing", agentSchema.parse({}), ".")).toBeUndefined();
  });

  test("that is missing, empty or broken is told in words", () => {
    using folder = new TempFolder({ "one/task.json": '{"id": 1}', "two.txt": "" });
    expect(() => listTasks(`${folder.path}/none`)).toThrow("does not exist");
    expect(() => listTasks(folder.path)).toThrow("is no task");
    expect(() => loadTask(dir, "shop-pricin")).toThrow('Did you mean "shop-pricing"?');
    expect(() => loadTask(dir, "../tasks/shop-pricing")).toThrow("there is no task");
  });
});
