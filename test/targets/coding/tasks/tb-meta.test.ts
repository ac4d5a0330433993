import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readTask } from "../../../../src/targets/coding/tasks/index.ts";
import { everythingIn } from "../../../support/a-repository.ts";
import { TempFolder } from "../../../support/temp-folder.ts";

const META = {
  task_id: "slugs",
  metadata: { title: "Slugs with accents", tags: ["node", "small"] },
  repo: {},
  lm: { instructions: "Mend slug()." },
  evaluation: {
    rubrics: [
      { id: "accents", criterion: "Accents go", weight: 2 },
      { id: "kept", criterion: "The rest stays", weight: 1 },
    ],
    test_scripts: [
      { path: "checks/accents.sh", rubric_id: "accents", content: "#!/bin/sh\ntrue\n" },
      { path: "./checks//kept.sh", rubric_id: "kept", content: "#!/bin/sh\ntrue\n" },
    ],
  },
};
const PLAIN = { applyOverrides: true, overrides: null };

function taskFolder(meta: object = META, files: Record<string, string> = {}): TempFolder {
  return new TempFolder({ "tb_meta.json": JSON.stringify(meta), "repo/a.js": "a\n", ...files });
}

/** Reads the task with these overrides, and sees to it that nothing was written. */
function readWith(overrides: object, files: Record<string, string> = {}, meta: object = META) {
  using folder = taskFolder(meta, { "overrides.json": JSON.stringify(overrides), ...files });
  const before = everythingIn(folder.path);
  try {
    return { ...readTask(folder.path, PLAIN), root: folder.path };
  } finally {
    expect(everythingIn(folder.path)).toEqual(before);
  }
}

describe("tb_meta.json", () => {
  test("says all that a task is", () => {
    using folder = taskFolder(META, { "solution.patch": "" });
    const task = readTask(folder.path, PLAIN);
    expect(task).toMatchObject({
      id: "slugs",
      title: "Slugs with accents",
      tags: ["node", "small"],
      format: "tb-meta",
      instruction: "Mend slug().",
      source: { kind: "folder", dir: join(folder.path, "repo") },
      overlay: { files: {}, copies: {}, remove: [] },
      env: {},
      limits: {},
      solution: { kind: "patch", path: join(folder.path, "solution.patch") },
      warnings: [],
    });
    expect(task.grading.rubrics).toEqual(META.evaluation.rubrics);
    expect(task.grading.tests.map(({ path, rubricId }) => [path, rubricId])).toEqual([
      ["checks/accents.sh", "accents"],
      ["checks/kept.sh", "kept"],
    ]);
  });

  test("may leave out what can be guessed", () => {
    const tests = [{ path: "t.sh", content: "true" }];
    using folder = taskFolder({
      lm: { instructions: "x" },
      metadata: null,
      evaluation: { test_scripts: tests },
    });
    const { id, title, tags, grading } = readTask(folder.path, PLAIN);
    expect([id, title, tags]).toEqual([folder.path.split("/").at(-1), null, []]);
    expect(grading.rubrics).toEqual([{ id: "tests", criterion: "All test scripts pass", weight: 1 }]);
    expect(grading.tests[0]!.rubricId).toBe("tests");
  });

  test("may name a test that is a file, and a script of the task's own metrics", () => {
    const evaluation = {
      test_scripts: [{ path: "tests/x.sh" }, { path: "a.js" }],
      metrics_script: { path: "m.sh", content: "echo {}" },
    };
    using folder = taskFolder({ ...META, evaluation }, { "tests/x.sh": "exit 0\n" });
    const { grading } = readTask(folder.path, PLAIN);
    expect(grading.tests.map(({ content }) => content)).toEqual(["exit 0\n", "a\n"]);
    expect(grading).toMatchObject({ metricsScript: "m.sh", files: { "m.sh": "echo {}" } });
  });

  test("may name a repository by its address or by a path", () => {
    const repo = { start_commit_sha: "abc123", branch: "main", subdir: "lib/x", sparse_checkout: ["lib"] };
    using folder = taskFolder(META, { "code/HEAD": "" });
    const read = (git_url: string) => {
      folder.write("tb_meta.json", JSON.stringify({ ...META, repo: { ...repo, git_url } }));
      return readTask(folder.path, PLAIN).source;
    };
    const facts = { kind: "git", branch: "main", commit: "abc123", subdir: "lib/x", sparse: ["lib"] };
    expect(read("https://example.com/x.git")).toEqual({ ...facts, url: "https://example.com/x.git" });
    expect(read("git@example.com:me/x.git")).toEqual({ ...facts, url: "git@example.com:me/x.git" });
    for (const url of ["code", "./code", join(folder.path, "code"), `file://${join(folder.path, "code")}`])
      expect(read(url)).toEqual({ ...facts, url: join(folder.path, "code") });
  });

  test("without a commit is a task that may change", () => {
    using folder = taskFolder({ ...META, repo: { git_url: "https://example.com/x.git", branch: "next" } });
    expect(readTask(folder.path, PLAIN).warnings).toEqual([
      "the repository has no start_commit_sha, so the task is whatever next holds at the time",
    ]);
  });

  const evaluation = (change: object) => ({ ...META, evaluation: { ...META.evaluation, ...change } });
  const script = (change: object) => evaluation({ test_scripts: [{ path: "x.sh", content: "", ...change }] });
  test.each([
    [
      "a rubric of the same name",
      evaluation({ rubrics: [{ id: "a" }, { id: "a" }] }),
      /evaluation\.rubrics: the rubric "a" appears twice/,
    ],
    [
      "no weight at all",
      evaluation({ rubrics: [{ id: "a", weight: 0 }], test_scripts: [] }),
      /no rubric has any weight/,
    ],
    [
      "a weight below nothing",
      evaluation({ rubrics: [{ id: "a", weight: -1 }] }),
      /rubrics\.0\.weight: expected a number of at least 0, got -1/,
    ],
    [
      "a rubric that is not there",
      script({ rubric_id: "acents" }),
      /there is no rubric "acents".*Did you mean "accents"/,
    ],
    [
      "a test without its text",
      script({ content: null }),
      /test_scripts\.0: the test script x\.sh has no content.*put x\.sh into/,
    ],
    [
      "a test outside",
      script({ path: "../x.sh" }),
      /"\.\.\/x\.sh" leads out of the repository: expected a path inside/,
    ],
    ["a test of an absolute path", script({ path: "/x.sh" }), /is absolute/],
    ["a test in .git", script({ path: ".git/hooks/x" }), /leads into \.git/],
    [
      "no instructions",
      { ...META, lm: {} },
      /lm\.instructions: the task tells the agent nothing: expected a text/,
    ],
    [
      "a list of instructions",
      { ...META, lm: { instructions: ["a"] } },
      /tb_meta\.json lm\.instructions: expected a text, got \["a"\]/,
    ],
    [
      "a commit that is an option",
      { ...META, repo: { git_url: "https://x.example/y", start_commit_sha: "--upload-pack=x" } },
      /repo\.start_commit_sha: expected a name/,
    ],
    [
      "an address that runs programs",
      { ...META, repo: { git_url: "ext::sh -c x" } },
      /repo\.git_url: expected an address/,
    ],
    [
      "a path that is not there",
      { ...META, repo: { git_url: "./nowhere" } },
      /the repository .*nowhere does not exist/,
    ],
    ["a subdir outside", { ...META, repo: { git_url: ".", subdir: "../x" } }, /repo\.subdir: .*leads out/],
  ])("with %s is a mistake that is named", (_, meta, message) => {
    using folder = taskFolder(meta);
    expect(() => readTask(folder.path, PLAIN)).toThrow(message);
  });

  test("that is broken or lacks its repository is named with the file", () => {
    using broken = new TempFolder({ "tb_meta.json": "{" });
    expect(() => readTask(broken.path, PLAIN)).toThrow(/tb_meta\.json can't be read: got .*JSON/);
    using bare = new TempFolder({ "tb_meta.json": JSON.stringify(META) });
    expect(() => readTask(bare.path, PLAIN)).toThrow(
      /no repository: expected an address, or a folder repo\/ beside it, got neither/,
    );
  });
});

describe("overrides.json", () => {
  test("replaces what it names", () => {
    const task = readWith(
      {
        prompt: "Do it well.",
        overlay_files: { "LM_INSTRUCTIONS.md": "ignored", "repo/x": "1", beside: "2" },
        overlay_repo_files: { "data/y.csv": "3" },
        remove_repo_paths: ["old", "./a.js"],
        inject_files: { "tools/z": "extra/z.txt" },
        environment_variables: { TIMEOUT_SEC: 90, MODE: "fast", DEBUG: true },
        rubrics: [{ id: "one" }],
        test_scripts: [{ path: "one.sh", rubric_id: "one", content: "true" }],
      },
      { "extra/z.txt": "z" },
    );
    expect(task.instruction).toBe("Do it well.");
    expect(task.overlay).toEqual({
      files: { x: "1", beside: "2", "data/y.csv": "3" },
      copies: { "tools/z": join(task.root, "extra/z.txt") },
      remove: ["old", "a.js"],
    });
    expect(task.env).toEqual({ TIMEOUT_SEC: "90", MODE: "fast", DEBUG: "true" });
    expect(task.limits).toEqual({ agentMs: 90_000 });
    expect(task.grading.rubrics).toEqual([{ id: "one", criterion: "one", weight: 1 }]);
    expect(task.warnings).toEqual(["overlay_files: beside is put into the repository itself"]);
  });

  test("may list injected files, and lies over the folder overlay_repo_files/", () => {
    const { overlay, root } = readWith(
      {
        inject_files: ["x.txt", { path: "y", source: "x.txt" }, { path: "z", content: "Z" }],
        overlay_repo_files: { b: "B" },
      },
      { "x.txt": "x", "overlay_repo_files/a": "a", "overlay_repo_files/b": "b" },
    );
    expect(overlay.files).toEqual({ b: "B", z: "Z" });
    expect(overlay.copies).toEqual({
      a: join(root, "overlay_repo_files/a"),
      "x.txt": join(root, "x.txt"),
      y: join(root, "x.txt"),
    });
  });

  test("changes a part of the repository's facts, or all of them with another address", () => {
    const repo = { git_url: "https://a.example/x", start_commit_sha: "abc", branch: "main" };
    const read = (overrides: object) => readWith({ repo: overrides }, {}, { ...META, repo }).source;
    expect(read({ start_commit_sha: "def" })).toMatchObject({
      url: "https://a.example/x",
      commit: "def",
      branch: "main",
    });
    expect(read({ git_url: "https://b.example/x" })).toMatchObject({
      url: "https://b.example/x",
      commit: null,
      branch: null,
    });
  });

  test("holds only if it shall, and another file may hold instead", () => {
    using folder = taskFolder(META, {
      "overrides.json": JSON.stringify({ prompt: "own" }),
      "other.json": JSON.stringify({ lm_instructions: "other" }),
    });
    const read = (applyOverrides: boolean, overrides: string | null) =>
      readTask(folder.path, { applyOverrides, overrides }).instruction;
    expect(read(true, null)).toBe("own");
    expect(read(false, null)).toBe("Mend slug().");
    expect(read(true, join(folder.path, "other.json"))).toBe("other");
    expect(read(true, "other.json")).toBe("other");
    expect(read(false, "other.json")).toBe("Mend slug().");
    expect(() => read(true, "none.json")).toThrow(/none\.json is missing: expected overrides of the task/);
  });

  test("warns of a key that means nothing", () => {
    const { warnings } = readWith({ overlay_repo_file: {} });
    expect(warnings).toEqual([
      expect.stringMatching(
        /overrides\.json has "overlay_repo_file", which means nothing here\. Did you mean "overlay_repo_files"\?/,
      ),
    ]);
  });

  test.each([
    [{ overlay_repo_files: { "../x": "" } }, /overlay_repo_files: "\.\.\/x" leads out of the repository/],
    [{ overlay_files: { "repo/../../x": "" } }, /overlay_files: .* leads out of the repository/],
    [{ remove_repo_paths: ["ok", "/etc"] }, /remove_repo_paths\.1: "\/etc" is absolute/],
    [{ remove_repo_paths: ["."] }, /is the repository itself/],
    [
      { inject_files: { x: "../../etc/passwd" } },
      /inject_files: expected a file in the task's folder, got .*/,
    ],
    [
      { inject_files: { x: "nowhere" } },
      /expected a file in the task's folder, got nowhere, which is missing/,
    ],
    [{ inject_files: [3] }, /inject_files/],
    [{ remove_repo_paths: "x" }, /remove_repo_paths: expected a list, got "x"/],
    [{ test_scripts: [{ path: "a/../../b", content: "" }] }, /overrides\.json test_scripts\.0: .*leads out/],
  ])("may not leave the repository or the task: %j", (overrides, message) => {
    expect(() => readWith(overrides)).toThrow(message);
  });

  test("may not inject what a link of the task leads to", () => {
    using folder = taskFolder(META, { "overrides.json": JSON.stringify({ inject_files: { x: "link" } }) });
    symlinkSync("/etc/passwd", join(folder.path, "link"));
    expect(() => readTask(folder.path, PLAIN)).toThrow(/got link, which is elsewhere or no file/);
  });
});
