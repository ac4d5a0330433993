import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readAddress } from "../../src/fleet/address.ts";
import { openBroker } from "../../src/fleet/broker/broker.ts";
import { Registry } from "../../src/fleet/registry.ts";
import { FLEET_KEY, fleetProject, startStudy, startWorker } from "../support/fleet.ts";
import { queueProblem, startQueueServer } from "../support/queue-server.ts";
import { waitFor } from "../support/wait-for.ts";

describe.skipIf(queueProblem("redis"))("a worker", { concurrent: true }, () => {
  test("that is asked to end finishes what it has; asked again, it gives that to others", async () => {
    await using server = await startQueueServer("redis");
    await using project = await fleetProject(server);
    const marks = project.path("marks");
    project.write(
      "study.yaml",
      `study: fleet\ntarget: ./step.ts\nparams: {holds: true, marks: ${marks}}\nseeds: 2\n`,
    );
    const worker = await startWorker(project);
    const study = startStudy(project);
    await waitFor("the first run", () => project.lines("marks").length === 1);
    const [seed] = project.lines("marks")[0]!.split(" ");
    worker.kill("SIGTERM");
    await waitFor("its word", () => worker.stderr.includes("letting what runs finish"));
    writeFileSync(`${marks}.${seed}`, "");
    const { code, stdout } = await worker.ended;
    expect(code).toBe(0);
    expect(stdout).toContain("did 1 run");
    expect(project.lines("marks").length).toBe(1);

    const impatient = await startWorker(project);
    await waitFor("the second run", () => project.lines("marks").length === 2);
    impatient.kill("SIGINT");
    await waitFor("its word", () => impatient.stderr.includes("letting what runs finish"));
    impatient.kill("SIGINT");
    expect((await impatient.ended).code).toBe(130);
    for (const n of [1, 2]) writeFileSync(`${marks}.${n}`, "");
    await startWorker(project);
    expect((await study.ended).code).toBe(0);
    const records = project.records("fleet");
    expect(records.length).toBe(2);
    // Given back, not lost: no earlier try died.
    expect(records.flatMap(({ earlier }) => earlier ?? [])).toEqual([]);
  });

  test("takes only what it has the labels for, and no more than its count", async () => {
    await using server = await startQueueServer("redis");
    const text =
      "study: fleet\ntarget: noop\nseeds: 6\nexecutor: {kind: queue, queue: {needs: {labels: [gpu]}}}\n";
    await using project = await fleetProject(server, { "study.yaml": text });
    const plain = await startWorker(project);
    const study = startStudy(project);
    await waitFor("a word about it", () => study.stderr.includes("lacks the label gpu"));
    const counted = await startWorker(project, "--labels", "big,gpu", "--count", "2");
    expect((await counted.ended).stdout).toContain("did 2 runs");
    await startWorker(project, "--labels", "gpu");
    expect((await study.ended).code).toBe(0);
    plain.kill("SIGTERM");
    expect((await plain.ended).stdout).toContain("did 0 runs");
    expect(project.records("fleet").length).toBe(6);
  });

  test("is in the registry with what it has and does, and obeys orders", async () => {
    await using server = await startQueueServer("redis");
    await using project = await fleetProject(server);
    const marks = project.path("marks");
    project.write(
      "study.yaml",
      `study: fleet\ntarget: ./step.ts\nparams: {holds: true, marks: ${marks}}\nseeds: 2\n`,
    );
    const broker = await openBroker(readAddress(server.url), FLEET_KEY);
    const registry = new Registry(broker.store);
    const worker = await startWorker(project, "--labels", "big");
    const study = startStudy(project);
    await waitFor("the run", () => project.lines("marks").length === 1);
    const record = async () => (await registry.list())[0]!;
    await until(async () => (await record()).doing.length === 1);
    expect(await record()).toMatchObject({
      pid: worker.pid,
      labels: ["big"],
      jobs: 1,
      state: "running",
      isAlive: true,
    });
    expect((await record()).targets).toContain("noop");
    expect((await record()).doing[0]).toMatchObject({ name: "fleet", run: expect.stringContaining("seed") });
    await registry.order("*", "pause");
    await until(async () => (await record()).state === "paused");
    writeFileSync(`${marks}.1`, "");
    writeFileSync(`${marks}.2`, "");
    await waitFor(
      "the first run's record",
      () => project.lines("bench_runs/fleet/journal.jsonl").length === 1,
    );
    expect(project.lines("marks").length).toBe(1);
    await registry.order("*", "resume");
    expect((await study.ended).code).toBe(0);
    await registry.order((await record()).id, "drain");
    expect((await worker.ended).code).toBe(0);
    expect(await registry.list()).toEqual([]);
    await broker.close();
  });

  test("is told to stop a run when its study is ended", async () => {
    await using server = await startQueueServer("redis");
    await using project = await fleetProject(server);
    const marks = project.path("marks");
    project.write(
      "study.yaml",
      `study: fleet\ntarget: ./step.ts\nparams: {holds: true, marks: ${marks}}\nseeds: 1\n`,
    );
    const worker = await startWorker(project, "--count", "1");
    const study = startStudy(project);
    await waitFor("the run", () => project.lines("marks").length === 1);
    study.kill("SIGTERM");
    expect((await study.ended).code).toBe(130);
    expect(project.records("fleet")).toMatchObject([{ outcome: { status: "cancelled" } }]);
    // Nothing lets the run end by itself.
    expect((await worker.ended).code).toBe(0);
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  let isHeld = false;
  const ask = async () => {
    while (!isHeld) {
      isHeld = await holds();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  void ask();
  await waitFor("the registry", () => isHeld);
}
