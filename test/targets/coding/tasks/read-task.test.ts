import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { taskSetDir } from "../../../../src/targets/agent/tasks/load-task.ts";
import { taskVersion } from "../../../../src/targets/coding/find-task.ts";
import { readTask } from "../../../../src/targets/coding/tasks/index.ts";
import { TempFolder } from "../../../support/temp-folder.ts";

const OPTIONS = { applyOverrides: true, overrides: null };
const SHIPPED = taskSetDir("shipped", ".");

describe("a folder", () => {
  test("that is no task is told what was looked for", () => {
    using folder = new TempFolder({ "README.md": "" });
    expect(() => readTask(folder.path, OPTIONS)).toThrow(
      /is no task: expected tb_meta\.json \(tb-meta\), or task\.toml .*\(harbor\), or task\.yaml .*\(terminal-bench\), or instance\.json \(swe-bench\), or task\.json .*\(assay\)/,
    );
    expect(() => readTask(join(folder.path, "nowhere"), OPTIONS)).toThrow(/nowhere does not exist/);
  });
});

describe("a task that ships", () => {
  const names = readdirSync(SHIPPED, { withFileTypes: true }).filter((entry) => entry.isDirectory());

  test.each(names.map(({ name }) => name))("is a rollout, too: %s", (name) => {
    const task = readTask(join(SHIPPED, name), OPTIONS);
    expect(task).toMatchObject({
      id: name,
      format: "assay",
      source: { dir: join(SHIPPED, name, "repo") },
      warnings: [],
    });
    expect(task.solution).toEqual({ kind: "patch", path: join(SHIPPED, name, "reference.patch") });
    expect(Object.keys(task.grading.files)).toContain("check/run.js");
  });

  test.each(["repo", "check"])("without %s/ is a mistake that is named", (name) => {
    using folder = new TempFolder();
    cpSync(join(SHIPPED, "library-loans"), join(folder.path, "t"), { recursive: true });
    rmSync(join(folder.path, "t", name), { recursive: true });
    expect(() => readTask(join(folder.path, "t"), OPTIONS)).toThrow(new RegExp(`t/${name} is missing`));
  });
});

describe("the version of a task", () => {
  const own = { applyOverrides: true, overrides: null };

  test("stands for its content alone, wherever it is", () => {
    using folder = new TempFolder({ "t/tb_meta.json": "{}", "t/repo/a": "a", "t/.git/HEAD": "x" });
    const version = taskVersion(join(folder.path, "t"), own);
    cpSync(join(folder.path, "t"), join(folder.path, "u"), { recursive: true });
    expect(taskVersion(join(folder.path, "u"), own)).toBe(version);
    folder.write("u/.git/HEAD", "y");
    expect(taskVersion(join(folder.path, "u"), own)).toBe(version);
    folder.write("u/repo/a", "b");
    expect(taskVersion(join(folder.path, "u"), own)).not.toBe(version);
    folder.write("u/repo/a", "a");
    expect(taskVersion(join(folder.path, "u"), own)).toBe(version);
    folder.write("u/repo/b", "");
    expect(taskVersion(join(folder.path, "u"), own)).not.toBe(version);
  });

  test("counts the overrides that hold, and no others", () => {
    using folder = new TempFolder({ "t/tb_meta.json": "{}", "t/overrides.json": "{}", "o.json": "{}" });
    const dir = join(folder.path, "t");
    const versions = () =>
      [
        own,
        { applyOverrides: false, overrides: null },
        { applyOverrides: true, overrides: join(folder.path, "o.json") },
      ].map((options) => taskVersion(dir, options));
    const [first, without, other] = versions();
    expect(new Set([first, without, other]).size).toBe(3);
    folder.write("t/overrides.json", '{"prompt": "x"}');
    expect(versions()).toEqual([expect.not.stringMatching(first!), without, other]);
    folder.write("o.json", '{"prompt": "y"}');
    expect(versions().slice(1)).toEqual([without, expect.not.stringMatching(other!)]);
    expect(() => taskVersion(dir, { applyOverrides: true, overrides: "/not/there.json" })).toThrow(
      /do not exist/,
    );
    expect(existsSync(join(dir, "overrides.json"))).toBe(true);
  });
});
