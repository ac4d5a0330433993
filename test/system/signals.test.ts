import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fixture } from "../support/fixture.ts";
import { canRun, isAlive, processesIn } from "../support/processes.ts";
import { waitFor } from "../support/wait-for.ts";

describe("SIGINT", () => {
  test("once: nothing more is launched, what runs finishes, exit 130, and the same command resumes it", async () => {
    await using project = await fixture("slow");
    const runner = project.start("run", "study.yaml", "--no-report");
    await waitFor("two runs to start", () => project.lines("started.txt").length === 2);
    runner.kill("SIGINT");
    await waitFor("the runner to hear of it", () => runner.stderr.includes("finishing the runs in progress"));
    project.write("go", "");
    const { code, stdout } = await runner.ended;
    expect(code).toBe(130);
    expect(stdout).toContain("2 ok, 4 left of 6 runs");
    expect(stdout).toContain("stopped early (interrupted); the same command resumes it");
    expect(project.lines("started.txt")).toHaveLength(2);
    expect(project.records("slow").map(({ outcome }) => outcome.status)).toEqual(["ok", "ok"]);
    expect(project.list("bench_runs/slow/runs")).toHaveLength(2);
    const next = await project.run("study.yaml");
    expect(next).toMatchObject({ code: 0, stdout: expect.stringContaining("4 ok, 2 done before of 6 runs") });
    expect(project.lines("started.txt").sort()).toEqual(["1", "2", "3", "4", "5", "6"]);
  });

  test.each([
    ["programs", "slow", "{study: slow, target: {command: [sh, wait.sh]}, seeds: 6, executor: {jobs: 2}}"],
    ["modules", "modules", "{study: slow, target: ./waiting.mjs, seeds: 6, executor: {jobs: 2}}"],
  ])(
    "leaves every earlier result where it was when %s are done again, once or twice",
    async (_, files, study) => {
      await using project = await fixture(files, { "study.yaml": study });
      project.write("go", "");
      expect((await project.run("study.yaml")).code).toBe(0);
      const good = () =>
        project
          .list("bench_runs/slow/runs")
          .map((id) => JSON.parse(project.read(`bench_runs/slow/runs/${id}/meta.json`)).status);
      for (const signals of [1, 2]) {
        rmSync(project.path("go"), { force: true });
        rmSync(project.path("started.txt"));
        const again = project.start("run", "study.yaml", "--rerun", "all", "--no-report");
        await waitFor("two runs to start", () => project.lines("started.txt").length === 2);
        again.kill("SIGINT");
        await waitFor("the runner to hear of it", () =>
          again.stderr.includes("finishing the runs in progress"),
        );
        if (signals === 2) again.kill("SIGINT");
        else project.write("go", "");
        expect((await again.ended).code).toBe(130);
        expect(good()).toEqual(Array(6).fill("ok"));
        const next = await project.run("study.yaml");
        expect(next.stdout).toContain("0 ok, 6 done before of 6 runs");
      }
    },
  );

  test("twice: whole process trees end at once, exit 130, and the cancelled runs run again", async () => {
    await using project = await fixture("slow");
    project.edit("wait.sh", "until", 'trap "" TERM INT; sleep 1000 & until');
    // At once: whoever waited for a grace to pass would wait for longer than the test may take.
    project.write("study.yaml", `${project.read("study.yaml")}limits: { grace: 1h }\n`);
    const runner = project.start("run", "study.yaml", "--no-report");
    await waitFor("two runs to start", () => project.lines("started.txt").length === 2);
    runner.kill("SIGINT");
    await waitFor("the first to be heard", () => runner.stderr.includes("finishing the runs in progress"));
    runner.kill("SIGINT");
    const { code, stdout } = await runner.ended;
    expect(code).toBe(130);
    expect(stdout).toContain("2 cancelled");
    expect(processesIn(project.dir)).toEqual([]);
    project.write("go", "");
    const next = await project.run("study.yaml");
    expect(next.stderr.match(/: cancelled before/g)).toHaveLength(2);
    expect(next.stdout).toContain("6 ok of 6 runs");
  });

  test("in a thread study lets what runs finish, and twice ends it", async () => {
    await using project = await fixture("modules", {
      "study.yaml": "{study: waiting, target: ./waiting.mjs, seeds: 6, executor: {jobs: 2}}",
    });
    const first = project.start("run", "study.yaml", "--no-report");
    await waitFor("two runs to start", () => project.lines("started.txt").length === 2);
    first.kill("SIGINT");
    await waitFor("the runner to hear of it", () => first.stderr.includes("finishing the runs in progress"));
    project.write("go", "");
    expect(await first.ended).toMatchObject({ code: 130, stdout: expect.stringContaining("2 ok, 4 left") });
    rmSync(project.path("go"));
    const second = project.start("run", "study.yaml", "--no-report");
    await waitFor("two more to start", () => project.lines("started.txt").length === 4);
    second.kill("SIGINT");
    await waitFor("the runner to hear of it", () => second.stderr.includes("finishing the runs in progress"));
    second.kill("SIGINT");
    expect(await second.ended).toMatchObject({ code: 130, stdout: expect.stringContaining("2 cancelled") });
  });

  test("SIGTERM ends what runs at once", async () => {
    await using project = await fixture("slow");
    const runner = project.start("run", "study.yaml", "--no-report");
    await waitFor("two runs to start", () => project.lines("started.txt").length === 2);
    runner.kill("SIGTERM");
    expect((await runner.ended).code).toBe(130);
    expect(processesIn(project.dir)).toEqual([]);
  });
});

describe("nothing is left behind", () => {
  test("a run past its time is asked, then killed, and recorded as a timeout", async () => {
    await using project = await fixture("stubborn");
    // Long enough for a shell to start, and to hear of it, on a machine that is busy with other things.
    project.edit("study.yaml", "timeout: 1s, grace: 200ms", "timeout: 4s, grace: 4s");
    project.write("program.sh", "trap 'echo asked' TERM; echo up; while :; do sleep 0.02; done");
    const ran = await project.run("study.yaml");
    expect(ran.code).toBe(1);
    const record = project.onlyRecord("stubborn");
    expect(record.outcome).toEqual({
      status: "timeout",
      owner: "agent",
      reason: "still running after 4 s",
    });
    expect(record.wallMs).toBeGreaterThanOrEqual(7990);
    expect(project.read(`bench_runs/stubborn/runs/${record.id}/stdout.txt`)).toBe("up\nasked\n");
    expect(processesIn(project.dir)).toEqual([]);
  });

  test("a run that obeys TERM ends within its grace", async () => {
    await using project = await fixture("stubborn");
    project.edit("study.yaml", "grace: 200ms", "grace: 60s");
    const ran = await project.run("study.yaml");
    expect(ran.stderr).toContain("timeout");
    expect(project.onlyRecord("stubborn").wallMs).toBeLessThan(61_000);
  });

  test("a child that ignores TERM, double-forks and calls setsid is gone after timeout and grace", async ({
    skip,
  }) => {
    skip(!canRun("python3", "--version"), "python3 is not installed");
    await using project = await fixture("stubborn");
    project.edit("study.yaml", "[sh, program.sh]", "[python3, daemon.py]");
    project.edit("study.yaml", "1s", "5s");
    expect((await project.run("study.yaml")).code).toBe(1);
    expect(isAlive(Number(project.read("daemon.pid")))).toBe(false);
    expect(processesIn(project.dir)).toEqual([]);
    expect(project.onlyRecord("stubborn").outcome.status).toBe("timeout");
  });

  test("a run that exits 0 and leaves a background process behind leaves nothing after the study", async ({
    skip,
  }) => {
    skip(!canRun("setsid", "true"), "setsid (util-linux) is not installed");
    await using project = await fixture("stubborn");
    project.write(
      "program.sh",
      "setsid sh -c 'trap \"\" TERM; while :; do sleep 0.1; done' >/dev/null 2>&1 &\necho $! >left.pid\nsleep 1000 &\nexit 0",
    );
    const ran = await project.run("study.yaml");
    expect(ran.code).toBe(0);
    expect(isAlive(Number(project.read("left.pid")))).toBe(false);
    expect(processesIn(project.dir)).toEqual([]);
  });

  test("what a killed runner left over is ended at the next start, which says so", async ({ skip }) => {
    skip(!canRun("setsid", "true"), "setsid (util-linux) is not installed");
    await using project = await fixture("slow");
    project.edit(
      "wait.sh",
      "until",
      '[ -e go ] || setsid sh -c "trap : TERM; while :; do sleep 0.1; done" &\nuntil',
    );
    const runner = project.start("run", "study.yaml", "--no-report");
    await waitFor("two runs to start", () => project.lines("started.txt").length === 2);
    await waitFor("their daemons", () => processesIn(project.dir).length >= 6);
    runner.kill("SIGKILL");
    await runner.ended;
    expect(processesIn(project.dir).length).toBeGreaterThan(0);
    project.write("go", "");
    const next = await project.run("study.yaml");
    expect(next.stdout).toMatch(/ended \d+ processes left over by an earlier launch/);
    expect(next.stdout).toContain("6 ok of 6 runs");
    expect(processesIn(project.dir)).toEqual([]);
  });
});
