import "../../support/in-memory.ts";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { MachineError } from "../../../src/core/errors.ts";
import { programSandboxes } from "../../../src/sandboxes/index.ts";
import { SandboxError } from "../../../src/sandboxes/sandbox.ts";
import type { Grade } from "../../../src/targets/coding/grading/grade.ts";
import { gradePatch } from "../../../src/targets/coding/grading/grade-patch.ts";
import { rolloutSchema } from "../../../src/targets/coding/params.ts";
import { hashTree } from "../../../src/targets/coding/tasks/hash-tree.ts";
import { openBase } from "../../../src/targets/coding/workspace/open-base.ts";
import { aTask } from "../../support/an-agent-job.ts";
import { titled } from "../../support/sandboxed.ts";
import { TempFolder } from "../../support/temp-folder.ts";

const names = ["directory", "bubblewrap"];

const rubrics = [
  { id: "on", criterion: "It is on", weight: 3 },
  { id: "bright", criterion: "It is bright", weight: 1 },
];
const script = (path: string, rubricId: string | null, content: string) => ({ path, rubricId, content });
const ON = script("check/on.sh", "on", "grep -q on lamp.txt\n");
const BRIGHT = script("check/bright.sh", "bright", "grep -q bright lamp.txt\n");

interface Graded {
  grade: Grade;
  log: string;
  left: string[];
}

/** Grades what a change makes of a repository with a lamp that is off. */
async function gradeChange(
  change: (repo: TempFolder) => void | string,
  grading: object,
  {
    sandbox = "directory",
    params = {},
    task = {},
  }: { sandbox?: string; params?: object; task?: object } = {},
): Promise<Graded> {
  using folder = new TempFolder({ "source/lamp.txt": "off\n", "source/tests/old.sh": "exit 1\n" });
  const source = `${folder.path}/source`;
  const before = hashTree(source);
  const whole = aTask({ source: { kind: "folder", dir: source }, ...task, grading });
  const base = await openBase(whole, { cacheDir: `${folder.path}/bases` });
  using copy = new TempFolder();
  await base.copyTo(`${copy.path}/repo`, { withGit: true });
  const given = change(copy);
  const patch = given ?? (await base.diff(`${copy.path}/repo`)).patch;
  mkdirSync(`${folder.path}/work`);
  mkdirSync(`${folder.path}/logs`);
  const grade = await gradePatch({
    ...{ task: whole, base, patch, sandbox: programSandboxes[sandbox]!, logsDir: `${folder.path}/logs` },
    params: rolloutSchema.parse({ grade_timeout_s: 200, ...params }),
    ...{ signal: new AbortController().signal, workDir: `${folder.path}/work` },
  });
  expect(hashTree(source)).toBe(before);
  return { grade, log: folder.read("logs/eval.log"), left: readdirSync(`${folder.path}/work`) };
}

/** Grades no change in a sandbox that can't be had. */
async function gradeWhere(error: Error): Promise<Grade> {
  using folder = new TempFolder({ "source/lamp.txt": "off\n" });
  const source = { kind: "folder", dir: `${folder.path}/source` } as const;
  const task = aTask({ source, grading: { rubrics, tests: [ON] } });
  const sandbox = { ...programSandboxes.directory!, execute: () => Promise.reject(error) };
  return await gradePatch({
    ...{ task, patch: "", sandbox, logsDir: null, params: rolloutSchema.parse({}) },
    base: await openBase(task, { cacheDir: `${folder.path}/bases` }),
    signal: new AbortController().signal,
  });
}

const lampOn = (repo: TempFolder) => void repo.write("repo/lamp.txt", "on\n");

describe.each(await titled(names))("a patch graded in $title", ({ sandbox, isUsable }) => {
  const grade = (change: Parameters<typeof gradeChange>[0], grading: object, more: object = {}) =>
    gradeChange(change, grading, { sandbox, ...more });
  const runs = test.runIf(isUsable);

  runs("is worth the weighted share of its rubrics, and leaves nothing behind", async () => {
    const { grade: found, log, left } = await grade(lampOn, { rubrics, tests: [ON, BRIGHT] });
    expect(found).toMatchObject({ patch: "plain", score: 0.75, isSolved: false });
    expect(found.problem).toBeUndefined();
    expect(found.tests.map(({ verdict }) => verdict)).toEqual(["passed", "failed"]);
    expect(log).toContain("check/bright.sh: failed (exit 1");
    expect(left).toEqual([]);
  });

  runs("can't replace the tests that it is graded by, nor lead them elsewhere", async () => {
    const { grade: found } = await grade(
      (repo) => {
        repo.write("repo/check/on.sh", "exit 0\n");
        repo.write("repo/check/bright.sh/deep", "");
      },
      { rubrics, tests: [ON, BRIGHT] },
    );
    expect(found).toMatchObject({ score: 0, isSolved: false });
  });

  runs("can't replace a test through what an earlier test runs", async () => {
    const { grade: found } = await grade(
      (repo) => void repo.write("repo/tests/old.sh", "echo exit 0 > check/bright.sh\n"),
      { rubrics, tests: [script("check/on.sh", "on", "sh tests/old.sh\n"), BRIGHT] },
    );
    expect(found.tests.map(({ verdict }) => verdict)).toEqual(["passed", "failed"]);
  });

  runs("that changes nothing is graded, and full marks for it are told", async () => {
    const { grade: found } = await grade(() => {}, { tests: [script("t.sh", null, "exit 0\n")] });
    expect(found).toMatchObject({ patch: "empty", score: 1, isSolved: true });
    expect(found.warnings).toEqual([expect.stringContaining("they can't tell")]);
  });

  runs("that does not apply scores 0, and no test runs", async () => {
    const patch = "--- a/lamp.txt\n+++ b/lamp.txt\n@@ -1 +1 @@\n-broken\n+on\n";
    const { grade: found } = await grade(() => patch, { rubrics, tests: [ON] });
    expect(found).toMatchObject({ patch: "refused", score: 0, isSolved: false, tests: [] });
    expect(found.problem).toMatchObject({
      owner: "agent",
      reason: expect.stringContaining("does not apply"),
    });
  });

  runs("has a reward where the task's test leaves one, under the paths that the test knows", async () => {
    using mounted = new TempFolder({
      "check.sh": "grep -q on /app/lamp.txt && echo 0.5 > /logs/verifier/reward.txt\n",
    });
    const before = hashTree(mounted.path);
    const { grade: found } = await grade(
      lampOn,
      {
        ...{ rubrics: [rubrics[0]], verdict: "reward", mounts: { "/tests": [mounted.path] } },
        tests: [script("run-tests.sh", "on", "cd /tests && touch cache && sh /tests/check.sh; exit 1\n")],
      },
      { task: { workDir: "/app" } },
    );
    expect(found).toMatchObject({ score: 0.5, isSolved: false });
    expect(found.problem).toBeUndefined();
    expect(hashTree(mounted.path)).toBe(before);
  });

  runs("is graded with the links that the task's own files have", async () => {
    using mounted = new TempFolder({ "data/real.txt": "yes\n" });
    symlinkSync("data/real.txt", `${mounted.path}/link.txt`);
    symlinkSync("data", `${mounted.path}/folder`);
    const content = "grep -q yes /tests/link.txt && grep -q yes /tests/folder/real.txt\n";
    const { grade: found } = await grade(lampOn, {
      ...{ rubrics: [rubrics[0]], mounts: { "/tests": [mounted.path] } },
      tests: [script("t.sh", "on", content)],
    });
    expect(found).toMatchObject({ score: 1 });
  });

  runs("whose test hangs or forks away leaves no process and no score", async () => {
    const forks = script("t.sh", "on", "(sleep 3000; touch late) & setsid sleep 3000 & exit 0\n");
    const forked = await grade(lampOn, { rubrics, tests: [forks] });
    expect(forked.grade).toMatchObject({ score: 1 });
    const hangs = script("t.sh", "on", "setsid sleep 3000 & sleep 3000\n");
    const hung = await grade(lampOn, { rubrics, tests: [hangs] }, { params: { grade_timeout_s: 1 } });
    expect(hung.grade).toMatchObject({ score: 0, isSolved: false });
    expect(hung.grade.tests[0]!.reason).toContain("time was up");
    expect(hung.grade.warnings).toContainEqual(expect.stringContaining("no solution to tell by"));
  });

  runs("that makes a test hang which ends without it has failed the test", async () => {
    const waits = script("t.sh", "on", "while grep -q on lamp.txt; do sleep 0.05; done; exit 1\n");
    const gradeWithin = async (seconds: number) =>
      (await grade(lampOn, { rubrics, tests: [waits] }, { params: { grade_timeout_s: seconds } })).grade;
    let found = await gradeWithin(1);
    // On a slow machine it may take as long without the patch.
    for (let seconds = 2; found.score === null && seconds < 40; seconds *= 2)
      found = await gradeWithin(seconds);
    expect(found).toMatchObject({ score: 0, isSolved: false });
    expect(found.tests[0]!.reason).toContain("without the patch it runs");
  });

  runs("has no network while it is graded, where the sandbox has one to take away", async () => {
    await using server = await listen();
    const calls = `require("net").connect(${server.port}, "127.0.0.1").on("connect", () => process.exit(0)).on("error", () => process.exit(1));\n`;
    const tests = [script("t.cjs", "on", calls)];
    const closed = await grade(lampOn, { rubrics, tests });
    expect(closed.grade.score).toBe(sandbox === "bubblewrap" ? 0 : 1);
    const open = await grade(lampOn, { rubrics, tests }, { params: { grade_network: true } });
    expect(open.grade.score).toBe(1);
  });
});

async function listen() {
  const server = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port: (server.address() as AddressInfo).port, [Symbol.asyncDispose]: close };
}

describe("a grade", () => {
  test.each([
    ["an interpreter that is not there", "#!/opt/none/python9\n", "is not installed"],
    [
      "a program that is not there",
      "no-such-runner --all\n",
      "no-such-runner could not be started (exit 127)",
    ],
    ["no pytest", "echo 'python3: No module named pytest' >&2; exit 1\n", "pytest is not installed"],
  ])("with %s is missing, and the grader's fault", async (_, content, reason) => {
    const { grade } = await gradeChange(lampOn, { rubrics, tests: [ON, script("t.sh", "bright", content)] });
    expect(grade).toMatchObject({ score: null, isSolved: null, problem: { owner: "grader" } });
    expect(grade.problem!.reason).toContain(reason);
    expect(grade.problem!.reason).toContain("t.sh could not run");
  });

  test("of a test that only the patch keeps from running is a test that failed", async () => {
    const tests = [
      script("t.sh", "on", "sh tests/old.sh && { echo no-such: not found; exit 127; }; exit 1\n"),
    ];
    const { grade } = await gradeChange((repo) => void repo.write("repo/tests/old.sh", "exit 0\n"), {
      ...{ rubrics, tests },
    });
    expect(grade).toMatchObject({ score: 0, isSolved: false });
    expect(grade.tests[0]!.reason).toContain("no-such could not be started");
  });

  describe("of a task whose tests can't begin before it is solved", () => {
    /** A module that is not there yet, by a test's own name: pytest calls that a wrong call (exit 4). */
    const collects = script("t.sh", "on", "python3 -m pytest -q check/test_lamp.py::test_on\n");
    const files = { "check/test_lamp.py": "from lamp import is_on\n\ndef test_on():\n    assert is_on()\n" };
    const solves = (repo: TempFolder) => void repo.write("repo/lamp.py", "def is_on():\n    return True\n");
    const SOLUTION =
      "diff --git a/lamp.py b/lamp.py\nnew file mode 100644\n--- /dev/null\n+++ b/lamp.py\n@@ -0,0 +1,2 @@\n+def is_on():\n+    return True\n";
    const hasPytest = spawnSync("python3", ["-m", "pytest", "--version"]).status === 0;

    test.runIf(hasPytest)("a wrong patch has failed, and the right one passes", async () => {
      for (const wrong of [lampOn, () => {}]) {
        const { grade } = await gradeChange(wrong, { rubrics, tests: [collects], files });
        expect(grade).toMatchObject({ score: 0, isSolved: false, tests: [{ exitCode: 4 }] });
        expect(grade.problem).toBeUndefined();
      }
      const { grade } = await gradeChange(solves, { rubrics, tests: [collects], files });
      expect(grade).toMatchObject({ score: 1 });
    });

    test.runIf(hasPytest)("the task's own solution says so", async () => {
      using folder = new TempFolder({ "solution.patch": SOLUTION });
      const solution = { kind: "patch", path: `${folder.path}/solution.patch` };
      const { grade } = await gradeChange(
        lampOn,
        { rubrics, tests: [collects], files },
        { task: { solution } },
      );
      expect(grade).toMatchObject({ score: 0, isSolved: false });
      expect(grade.tests[0]!.reason).toContain("with the task's own solution it runs (exit 0)");
    });

    test("and an endless loop that is the task's bug is a test that failed", async () => {
      using folder = new TempFolder({ "solve.sh": "echo on > lamp.txt\n" });
      const loops = script("t.sh", "on", "until grep -q on lamp.txt; do sleep 0.05; done\n");
      const solution = { kind: "script", path: `${folder.path}/solve.sh` };
      const wrong = (repo: TempFolder) => void repo.write("repo/lamp.txt", "dim\n");
      for (const task of [{ solution }, {}]) {
        const gradeWithin = async (seconds: number) => {
          const params = { grade_timeout_s: seconds };
          return (await gradeChange(wrong, { rubrics, tests: [loops] }, { params, task })).grade;
        };
        let found = await gradeWithin(1);
        // On a slow machine even the solution may take as long.
        for (let seconds = 2; found.score === null && seconds < 40; seconds *= 2)
          found = await gradeWithin(seconds);
        expect(found).toMatchObject({ score: 0, isSolved: false });
      }
    });
  });

  test.each([
    ["hangs", "sleep 3000\n", 1, "its time was up"],
    ["can't be collected", "echo 'ERROR: not found: x.py'; exit 4\n", 200, "called wrongly"],
  ])(
    "of a test that %s with the task's own solution, too, is missing, and the grader's fault",
    async (_, content, seconds, reason) => {
      using folder = new TempFolder({ "solve.sh": "echo on > lamp.txt\n" });
      const solution = { kind: "script", path: `${folder.path}/solve.sh` };
      const { grade } = await gradeChange(
        lampOn,
        { rubrics, tests: [script("t.sh", "on", content)] },
        { params: { grade_timeout_s: seconds }, task: { solution } },
      );
      expect(grade).toMatchObject({ score: null, isSolved: null, problem: { owner: "grader" } });
      expect(grade.problem!.reason).toContain(reason);
      expect(grade.problem!.reason).toContain("so with the task's own solution");
    },
  );

  test("without a reward is 0 where the test leaves one for the task's own solution", async () => {
    using folder = new TempFolder({ "solve.sh": "echo on > lamp.txt\n" });
    const solution = { kind: "script", path: `${folder.path}/solve.sh` };
    const content = "grep -q on lamp.txt && echo 1 > /logs/verifier/reward.txt\n";
    const grading = { rubrics: [rubrics[0]], verdict: "reward", tests: [script("t.sh", "on", content)] };
    const wrong = (repo: TempFolder) => void repo.write("repo/lamp.txt", "dim\n");
    const { grade } = await gradeChange(wrong, grading, { task: { solution } });
    expect(grade).toMatchObject({ score: 0, isSolved: false });
    expect((await gradeChange(lampOn, grading, { task: { solution } })).grade).toMatchObject({ score: 1 });
  });

  test.each([
    ["nothing", "exit 0\n", "left no reward"],
    ["garbage", "echo much > /logs/verifier/reward.txt\n", "not a number"],
  ])("whose test leaves %s as its reward is missing", async (_, content, reason) => {
    const { grade } = await gradeChange(lampOn, {
      ...{ rubrics: [rubrics[0]], verdict: "reward", tests: [script("t.sh", "on", content)] },
    });
    expect(grade).toMatchObject({ score: null, problem: { owner: "grader" } });
    expect(grade.problem!.reason).toContain(reason);
  });

  test("has the task's own metrics, and a warning where they can't be read", async () => {
    const measuring = (content: string) => ({
      ...{ rubrics, tests: [ON], metricsScript: "m.sh", files: { "m.sh": content } },
    });
    const good = await gradeChange(
      lampOn,
      measuring('printf \'{"lines": %s, "name": "x"}\' "$(grep -c ^+on "$ASSAY_PATCH_FILE")"\n'),
    );
    expect(good.grade.custom).toEqual({ lines: 1 });
    expect(good.grade.warnings).toEqual([expect.stringContaining("bright"), expect.stringContaining("name")]);
    const bad = await gradeChange(lampOn, measuring("echo none\n"));
    expect(bad.grade).toMatchObject({ custom: {}, score: 1 });
    expect(bad.grade.warnings.at(-1)).toContain("no JSON object");
  });

  test("of a test past its memory is a test that failed", async () => {
    const hungry = script("t.js", "on", "const kept = []; for (;;) kept.push(Buffer.alloc(1 << 22, 1));\n");
    const { grade } = await gradeChange(lampOn, { rubrics, tests: [hungry] }, { params: { memory_mb: 200 } });
    expect(grade).toMatchObject({ score: 0, tests: [{ verdict: "failed" }] });
  });

  test("keeps the beginning and the end of what a test prints", async () => {
    const loud = script(
      "t.sh",
      "on",
      "echo first; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo last\n",
    );
    const { grade } = await gradeChange(lampOn, { rubrics, tests: [loud] });
    const { output } = grade.tests[0]!;
    expect(output.length).toBeLessThan(500_000);
    expect([output.startsWith("first"), output.trimEnd().endsWith("last")]).toEqual([true, true]);
  });

  test("without any test is missing", async () => {
    const { grade } = await gradeChange(lampOn, { rubrics });
    expect(grade).toMatchObject({
      score: null,
      problem: { owner: "grader", reason: "the task has no tests" },
    });
  });

  test("where the sandbox could not start is missing, and the infrastructure's, so that it is tried again", async () => {
    const found = await gradeWhere(new SandboxError("no namespace could be made"));
    expect(found).toMatchObject({ score: null, problem: { owner: "infrastructure" } });
    expect(found.problem!.reason).toContain("no namespace could be made");
  });

  test("where the disk is full is none: the study stops, as no run could go on", async () => {
    const full = Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
    await expect(gradeWhere(full)).rejects.toThrow(MachineError);
  });

  test("is given by tests that have the study's variables, its keys apart", async () => {
    const says = script("t.sh", "on", 'echo "[$FLAVOUR] [$KEY]"; [ "$FLAVOUR" = sweet ]\n');
    const { grade: found, log } = await gradeChange(
      lampOn,
      { rubrics, tests: [says] },
      { params: { env: { FLAVOUR: "sweet", KEY: "${envvar:HOME}" } } },
    );
    expect(found.tests[0]!.verdict).toBe("passed");
    expect(log).toContain("[sweet] []");
  });
});
