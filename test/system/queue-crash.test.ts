import { existsSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fleetProject, startStudy, startWorker } from "../support/fleet.ts";
import type { Launched } from "../support/launch.ts";
import { queueProblem, startQueueServer } from "../support/queue-server.ts";
import { waitFor } from "../support/wait-for.ts";

const STUDY = "study: fleet\ntarget: ./step.ts\n";

describe.skipIf(queueProblem("redis"))("when things die", () => {
  test("every run has one record after workers, the coordinator and Redis were killed", async () => {
    await using server = await startQueueServer("redis");
    const text = `${STUDY}params: {waitMs: 20}\nseeds: 600\n`;
    await using project = await fleetProject(server, { "study.yaml": text });
    const done = () => project.lines("bench_runs/fleet/journal.jsonl").length;
    const workers: Launched[] = [];
    for (let i = 0; i < 4; i++) workers.push(await startWorker(project));
    let study = startStudy(project);
    for (const share of [60, 120, 180, 240, 300, 360]) {
      await waitFor(`${share} runs`, () => done() >= share || study.isOver, { deadlineMs: 120_000 });
      workers.shift()!.kill("SIGKILL");
      workers.push(await startWorker(project));
      if (share === 120 || share === 240) {
        study.kill("SIGKILL");
        await study.ended;
        study = startStudy(project);
      }
      if (share === 300) {
        await server.kill();
        await server.start();
      }
    }
    const { code, stderr } = await study.ended;
    expect(stderr).not.toMatch(/refused|bug/);
    expect(code).toBe(0);
    const records = project.records("fleet");
    expect(new Set(records.map(({ id }) => id)).size).toBe(600);
    expect(records.length).toBe(600);
    expect(records.filter(({ outcome }) => outcome.status !== "ok")).toEqual([]);
    for (const { id, seed } of records)
      expect(project.read(`bench_runs/fleet/runs/${id}/out/data.txt`)).toBe(String(seed).padEnd(10, "."));
  });

  test("a Redis that forgets everything is given the runs again", async () => {
    await using server = await startQueueServer("redis", { forgets: true });
    const text = `${STUDY}params: {waitMs: 100}\nseeds: 40\n`;
    await using project = await fleetProject(server, { "study.yaml": text });
    await startWorker(project);
    const study = startStudy(project);
    await waitFor("some runs", () => project.lines("bench_runs/fleet/journal.jsonl").length >= 10);
    await server.kill();
    await server.start();
    expect((await study.ended).code).toBe(0);
    expect(new Set(project.records("fleet").map(({ seed }) => seed)).size).toBe(40);
    expect(project.records("fleet").length).toBe(40);
  });

  test("a coordinator that comes back neither queues again what is under way nor loses what came meanwhile", async () => {
    await using server = await startQueueServer("redis");
    await using project = await fleetProject(server);
    const marks = project.path("marks");
    project.write("study.yaml", `${STUDY}params: {holds: true, marks: ${marks}}\nseeds: 2\n`);
    await startWorker(project, "--jobs", "2");
    const first = startStudy(project);
    await waitFor("both runs", () => project.lines("marks").length === 2);
    first.kill("SIGKILL");
    await first.ended;
    writeFileSync(`${marks}.1`, "");
    const second = startStudy(project);
    await waitFor("the first run", () => project.lines("bench_runs/fleet/journal.jsonl").length === 1);
    writeFileSync(`${marks}.2`, "");
    expect((await second.ended).code).toBe(0);
    expect(project.records("fleet").map(({ seed }) => seed)).toEqual([1, 2]);
    expect(project.lines("marks").length).toBe(2);
  });

  test("the late result of a worker that was frozen is a second attempt, not a second run", async () => {
    await using server = await startQueueServer("redis");
    await using project = await fleetProject(server);
    const marks = project.path("marks");
    project.write("study.yaml", `${STUDY}params: {holds: true, marks: ${marks}}\nseeds: 2\n`);
    const frozen = await startWorker(project);
    const study = startStudy(project);
    await waitFor("the first run", () => project.lines("marks").length === 1);
    const [seed] = project.lines("marks")[0]!.split(" ");
    frozen.kill("SIGSTOP");
    await startWorker(project, "--jobs", "2");
    await waitFor(
      "its second try",
      () => project.lines("marks").filter((line) => line.startsWith(`${seed} `)).length === 2,
    );
    writeFileSync(`${marks}.${seed}`, "");
    await waitFor("its record", () => project.lines("bench_runs/fleet/journal.jsonl").length === 1);
    frozen.kill("SIGCONT");
    await waitFor("the late result", () => existsSync(project.path("bench_runs/fleet/late.jsonl")));
    writeFileSync(`${marks}.1`, "");
    writeFileSync(`${marks}.2`, "");
    expect((await study.ended).code).toBe(0);
    const records = project.records("fleet");
    expect(records.length).toBe(2);
    const record = records.find((one) => one.seed === Number(seed))!;
    expect(record.earlier).toMatchObject([{ reason: expect.stringContaining("fell silent") }]);
    const late = project.lines("bench_runs/fleet/late.jsonl").map((line) => JSON.parse(line));
    expect(late).toMatchObject([
      { id: record.id, attempt: 2, outcome: { status: "ok" }, metrics: { twice: 2 * Number(seed) } },
    ]);
  });

  test("a run that kills its worker each time is parked and named, and harms no other", async () => {
    await using server = await startQueueServer("redis");
    const text = `${STUDY}params: {killAt: 3}\nseeds: 12\nlimits: {retries: 0}\nexecutor: {kind: queue, queue: {mostDeaths: 2}}\n`;
    await using project = await fleetProject(server, { "study.yaml": text });
    for (let i = 0; i < 4; i++) await startWorker(project);
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
