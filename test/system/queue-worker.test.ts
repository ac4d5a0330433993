import { describe, expect, test } from "vitest";
import { readAddress } from "../../src/fleet/address.ts";
import { openBroker } from "../../src/fleet/broker/broker.ts";
import { Registry, type WorkerRecord } from "../../src/fleet/registry.ts";
import { FLEET_KEY, fleetProject, holdingStudy, startStudy, startWorker } from "../support/fleet.ts";
import { queueProblem, skipReason, startQueueServer } from "../support/queue-server.ts";
import { waitFor } from "../support/wait-for.ts";

const problem = queueProblem("redis");
describe.skipIf(problem)(`a worker${skipReason(problem)}`, { concurrent: true }, () => {
  test("that is asked to end finishes what it has; asked again, it gives that to others", async () => {
    await using server = await startQueueServer("redis");
    await using project = await fleetProject(server);
    const { tries, letGo } = holdingStudy(project, { seeds: 2 });
    const worker = await startWorker(project);
    const study = startStudy(project);
    const seed = await waitFor("the first run", () => tries()[0]);
    worker.kill("SIGTERM");
    await waitFor("its word", () => worker.stderr.includes("finishing the runs in progress"));
    letGo(seed);
    const { code, stdout } = await worker.ended;
    expect(code).toBe(0);
    expect(stdout).toContain("did 1 run");
    expect(tries().length).toBe(1);

    const impatient = await startWorker(project);
    await waitFor("the second run", () => tries().length === 2);
    impatient.kill("SIGINT");
    await waitFor("its word", () => impatient.stderr.includes("finishing the runs in progress"));
    impatient.kill("SIGINT");
    expect((await impatient.ended).code).toBe(130);
    letGo(1, 2);
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
    const { tries, letGo } = holdingStudy(project, { seeds: 2 });
    const broker = await openBroker(readAddress(server.url), FLEET_KEY);
    const registry = new Registry(broker.store);
    const worker = await startWorker(project, "--labels", "big");
    const study = startStudy(project);
    await waitFor("the run", () => tries().length === 1);
    // What is seen at once belongs together: a machine that stands still makes the next look another one.
    const busy = await seen(registry, ({ doing, isAlive }) => doing.length === 1 && isAlive);
    expect(busy).toMatchObject({ pid: worker.pid, labels: ["big"], jobs: 1, state: "running" });
    expect(busy.targets).toContain("noop");
    expect(busy.doing[0]).toMatchObject({ name: "fleet", run: expect.stringContaining("seed") });
    await registry.order("*", "pause");
    await seen(registry, ({ state }) => state === "paused");
    letGo(1, 2);
    await waitFor(
      "the first run's record",
      () => project.lines("bench_runs/fleet/journal.jsonl").length === 1,
    );
    expect(tries().length).toBe(1);
    await registry.order("*", "resume");
    expect((await study.ended).code).toBe(0);
    await registry.order(busy.id, "drain");
    expect((await worker.ended).code).toBe(0);
    expect(await registry.list()).toEqual([]);
    await broker.close();
  });

  test("that is asked to end while the queue is away ends", async () => {
    await using server = await startQueueServer("redis");
    const text = "study: fleet\ntarget: noop\nseeds: 1\n";
    await using project = await fleetProject(server, { "study.yaml": text });
    const worker = await startWorker(project);
    // It has a queue to take from, and has sent something.
    expect((await startStudy(project).ended).code).toBe(0);
    await server.kill();
    worker.kill("SIGTERM");
    const { code, stdout } = await worker.ended;
    expect(code).toBe(0);
    expect(stdout).toContain("did 1 run");
  });

  test("is told to stop a run when its study is ended", async () => {
    await using server = await startQueueServer("redis");
    await using project = await fleetProject(server);
    const { tries } = holdingStudy(project, { seeds: 1 });
    const worker = await startWorker(project, "--count", "1");
    const study = startStudy(project);
    await waitFor("the run", () => tries().length === 1);
    study.kill("SIGTERM");
    expect((await study.ended).code).toBe(130);
    expect(project.records("fleet")).toMatchObject([{ outcome: { status: "cancelled" } }]);
    // Nothing lets the run end by itself.
    expect((await worker.ended).code).toBe(0);
  });
});

/** The only worker's record, once it is as it should be. */
async function seen(
  registry: Registry,
  holds: (record: WorkerRecord & { isAlive: boolean }) => boolean,
): Promise<WorkerRecord> {
  for (;;) {
    const [record] = await registry.list();
    if (record && holds(record)) return record;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
