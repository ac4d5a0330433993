import { describe, expect, test } from "vitest";
import {
  fleetProject,
  holdingStudy,
  SAFE_LEASE,
  SHORT_LEASE,
  startStudy,
  startWorker,
} from "../support/fleet.ts";
import { queueProblem, skipReason, startQueueServer } from "../support/queue-server.ts";
import { waitFor } from "../support/wait-for.ts";

const STUDY = "study: fleet\ntarget: ./step.ts\n";

const problem = queueProblem("redis");
describe.skipIf(problem)(`when one thing dies${skipReason(problem)}`, { concurrent: true }, () => {
  test("a Redis that forgets everything is given the runs again", async () => {
    await using server = await startQueueServer("redis", { forgets: true });
    const text = `${STUDY}params: {waitMs: 100}\nseeds: 20\n`;
    await using project = await fleetProject(server, { "study.yaml": text });
    await startWorker(project);
    const study = startStudy(project);
    await waitFor("some runs", () => project.lines("bench_runs/fleet/journal.jsonl").length >= 5);
    await server.kill();
    await server.start();
    expect((await study.ended).code).toBe(0);
    expect(new Set(project.records("fleet").map(({ seed }) => seed)).size).toBe(20);
    expect(project.records("fleet").length).toBe(20);
  });

  test("a coordinator that comes back neither queues again what is under way nor loses what came meanwhile", async () => {
    await using server = await startQueueServer("redis");
    await using project = await fleetProject(server);
    const { tries, letGo } = holdingStudy(project, { seeds: 2 });
    await startWorker(project, "--jobs", "2");
    const first = startStudy(project);
    await waitFor("both runs", () => tries().length === 2);
    first.kill("SIGKILL");
    await first.ended;
    letGo(1);
    const second = startStudy(project);
    await waitFor(
      "the first run",
      () => project.lines("bench_runs/fleet/journal.jsonl").length === 1 || second.isOver,
    );
    expect(second.stderr).not.toContain("assay:");
    letGo(2);
    expect((await second.ended).code).toBe(0);
    expect(project.records("fleet").map(({ seed }) => seed)).toEqual([1, 2]);
    expect(tries().length).toBe(2);
  });

  test("the late result of a worker that was frozen is a second attempt, not a second run", async () => {
    await using server = await startQueueServer("redis");
    await using project = await fleetProject(server);
    const { tries, letGo } = holdingStudy(project, { seeds: 2, params: "costUsd: 0.25" });
    const frozen = await startWorker(project, ...SHORT_LEASE);
    const study = startStudy(project, "--json");
    const seed = await waitFor("the first run", () => tries()[0]);
    frozen.kill("SIGSTOP");
    // Only the frozen one loses what it has: this one is given more time.
    await startWorker(project, "--jobs", "2", ...SAFE_LEASE);
    await waitFor("its second try", () => tries().filter((one) => one === seed).length === 2);
    letGo(seed);
    await waitFor("its record", () => project.lines("bench_runs/fleet/journal.jsonl").length === 1);
    frozen.kill("SIGCONT");
    await waitFor("the late result", () => project.lines("bench_runs/fleet/late.jsonl").length === 1);
    letGo(1, 2);
    const ended = await study.ended;
    expect(ended.code, ended.stderr).toBe(0);
    const records = project.records("fleet");
    expect(records.length).toBe(2);
    const record = records.find((one) => one.seed === Number(seed))!;
    expect(record).toMatchObject({
      attempt: 2,
      earlier: [{ reason: expect.stringContaining("fell silent") }],
    });
    expect(record.earlier![0]!.wallMs).toBeGreaterThan(0);
    const late = project.lines("bench_runs/fleet/late.jsonl").map((line) => JSON.parse(line));
    expect(late).toMatchObject([{ id: record.id, attempt: 2, outcome: { status: "ok" }, costUsd: 0.25 }]);
    expect(late[0].metrics.twice).toBe(2 * Number(seed));
    // Paid for three times, for two runs.
    expect(records.map(({ costUsd }) => costUsd)).toEqual([0.25, 0.25]);
    expect(JSON.parse(ended.stdout).costUsd).toBeCloseTo(0.75);
    const status = await project.assay("status", "fleet", "--json");
    expect(JSON.parse(status.stdout).costUsd).toBeCloseTo(0.75);
    const again = await startStudy(project, "--json").ended;
    expect(JSON.parse(again.stdout)).toMatchObject({ ok: 0, skipped: 2, costUsd: 0.75 });
    const { stdout } = await project.assay("show", record.id);
    expect(stdout).toMatch(/before it: a worker fell silent/);
    expect(stdout).toMatch(/attempt 2, which came late from \S+: ok in .*\$0\.25/);
  });

  test("a run that kills its worker each time is parked and named, and harms no other", async () => {
    await using server = await startQueueServer("redis");
    const text = `${STUDY}params: {killAt: 3}\nseeds: 12\nlimits: {retries: 0}\nexecutor: {kind: queue, queue: {mostDeaths: 2}}\n`;
    await using project = await fleetProject(server, { "study.yaml": text });
    for (let i = 0; i < 5; i++) await startWorker(project, ...SHORT_LEASE);
    const { code } = await startStudy(project).ended;
    expect(code).toBe(1);
    const records = project.records("fleet");
    expect(records.length).toBe(12);
    const failures = records.filter(({ outcome }) => outcome.status !== "ok");
    expect(failures).toMatchObject([
      {
        seed: 3,
        outcome: {
          status: "failed",
          owner: "infrastructure",
          reason: "parked: 2 workers fell silent while they ran it",
        },
      },
    ]);
  });
});
