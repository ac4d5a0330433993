import { describe, expect, test } from "vitest";
import { fixture, type Project } from "../support/fixture.ts";
import { assayPath } from "../support/launch.ts";
import { canRun, isAlive, processesIn } from "../support/processes.ts";
import { waitFor } from "../support/wait-for.ts";

const statuses = (project: Project) => project.records("slow").map(({ outcome }) => outcome.status);
const twoStarted = (project: Project) =>
  waitFor("two runs to start", () => project.lines("started.txt").length === 2);

/** Starts a program on a terminal of its own, prints its process, and closes the terminal once `close` is there. */
const ON_A_TERMINAL = `
import os, pty, select, sys
child, terminal = pty.fork()
if child == 0: os.execvp(sys.argv[1], sys.argv[1:])
print(child, flush=True)
while not os.path.exists("close"):
    if select.select([terminal], [], [], 0.05)[0]: os.read(terminal, 65536)
os.close(terminal)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
`;

describe("a signal that a terminal sends", () => {
  test.each([
    ["SIGHUP", 129],
    ["SIGQUIT", 131],
  ] as const)("%s ends what runs, records it and exits %i", async (signal, code) => {
    await using project = await fixture("slow");
    const runner = project.start("run", "study.yaml", "--no-report");
    await twoStarted(project);
    runner.kill(signal);
    expect(await runner.ended).toMatchObject({ code, stdout: expect.stringContaining("2 cancelled") });
    expect(statuses(project)).toEqual(["cancelled", "cancelled"]);
    expect(processesIn(project.dir)).toEqual([]);
  });

  test("hanging up again, as a shell and the kernel both do, does not cut the ending short", async () => {
    await using project = await fixture("slow");
    const runner = project.start("run", "study.yaml", "--no-report");
    await twoStarted(project);
    runner.kill("SIGHUP");
    await waitFor("the first to be heard", () => runner.stderr.includes("ending what runs"));
    for (const signal of ["SIGHUP", "SIGTERM"] as const) runner.kill(signal);
    expect((await runner.ended).code).toBe(129);
    expect(statuses(project)).toEqual(["cancelled", "cancelled"]);
    expect(processesIn(project.dir)).toEqual([]);
  });

  test("closing the terminal ends the programs, and their runs are recorded", async ({ skip }) => {
    skip(!canRun("python3", "-c", "import pty"), "python3 is not installed");
    await using project = await fixture("slow");
    const shown = project.launch([
      "python3",
      "-c",
      ON_A_TERMINAL,
      process.execPath,
      assayPath,
      "run",
      "study.yaml",
    ]);
    await twoStarted(project);
    project.write("close", "");
    const { stdout } = await shown.ended;
    const [pid, code] = stdout.trim().split("\n").map(Number);
    expect(code).toBe(129);
    expect(isAlive(pid!)).toBe(false);
    expect(statuses(project)).toEqual(["cancelled", "cancelled"]);
    expect(processesIn(project.dir)).toEqual([]);
    expect(project.exists("bench_runs/slow/lock.json")).toBe(false);
  });
});

test("a study whose program is itself `assay run` leaves nothing after the second Ctrl-C", async () => {
  await using project = await fixture("slow", {
    "outer.yaml": `{study: outer, target: {command: [${process.execPath}, ${assayPath}, run, study.yaml]}}`,
  });
  const runner = project.start("run", "outer.yaml", "--no-report");
  await twoStarted(project);
  runner.kill("SIGINT");
  await waitFor("the first to be heard", () => runner.stderr.includes("finishing the runs in progress"));
  runner.kill("SIGINT");
  expect((await runner.ended).code).toBe(130);
  expect(processesIn(project.dir)).toEqual([]);
});

describe("assay run --detach", () => {
  const ended = (stdout: string) => {
    const pid = Number(/as process (\d+);/.exec(stdout)![1]);
    return waitFor("the study in the background to end", () => !isAlive(pid));
  };

  test("returns at once, the study continues without a terminal, and `assay status --follow` follows it to its end", async () => {
    await using project = await fixture("slow");
    const left = await project.run("study.yaml", "--detach");
    expect(left).toMatchObject({ code: 0, stderr: expect.stringContaining("6 runs -> bench_runs/slow") });
    expect(left.stdout).toMatch(/^slow runs in the background as process \d+;/);
    expect(left.stdout).toContain("assay status slow --follow");
    await twoStarted(project);
    const attached = project.start("status", "slow", "--follow");
    await waitFor("it to show the study", () => attached.stdout.includes("0/6"));
    const leaving = project.start("status", "slow", "--follow");
    await waitFor("it to show the study", () => leaving.stdout.includes("0/6"));
    leaving.kill("SIGINT");
    expect(await leaving.ended).toMatchObject({ code: 0, stderr: expect.stringContaining("slow continues") });
    project.write("go", "");
    const { code, stdout } = await attached.ended;
    expect(code).toBe(0);
    expect(stdout).toContain("slow: 6 ok, 0 failed, 0 left of 6 runs");
    await ended(left.stdout);
    expect(project.read("bench_runs/slow.log")).toContain("6 ok of 6 runs");
  });

  test("tells a mistake before it returns, as `assay run` does", async () => {
    await using project = await fixture("slow", { "study.yaml": "{study: slow, target: ./none.mjs}" });
    const asked = await project.run("study.yaml", "--detach");
    const plain = await project.run("study.yaml");
    expect(asked).toEqual(plain);
    expect(asked.code).toBe(2);
  });

  test("a study that somebody runs is not run twice", async () => {
    await using project = await fixture("slow");
    const first = await project.run("study.yaml", "--detach");
    const second = await project.run("study.yaml", "--detach");
    expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining("is being run by process") });
    await project.assay("cancel", "slow");
    await ended(first.stdout);
    expect(statuses(project)).toEqual(["cancelled", "cancelled"]);
    expect(processesIn(project.dir)).toEqual([]);
  });
});
