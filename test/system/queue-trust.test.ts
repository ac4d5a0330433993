import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readAddress } from "../../src/fleet/address.ts";
import { type Broker, type FleetJob, openBroker } from "../../src/fleet/broker/broker.ts";
import { type Envelope, open, seal } from "../../src/fleet/envelope.ts";
import { LaunchProof } from "../../src/fleet/launch-proof.ts";
import { classOf, describeClass } from "../../src/fleet/needs.ts";
import { type ChunkMessage, KEYS, resultsQueue, type StudyMessage } from "../../src/fleet/protocol.ts";
import { Registry } from "../../src/fleet/registry.ts";
import type { Project } from "../support/fixture.ts";
import { FLEET_KEY, fleetProject, holdingStudy, startStudy, startWorker } from "../support/fleet.ts";
import { type QueueServer, queueProblem, skipReason, startQueueServer } from "../support/queue-server.ts";
import { waitFor } from "../support/wait-for.ts";

const STUDY = "0123456789abcdef";
const NEEDS = { ownCode: true };
const RUN = {
  id: "seed1__baseline__0123456789ab",
  params: {},
  variant: "baseline",
  flags: [],
  seed: 1,
  task: null,
  repeat: 0,
};

async function openFleet(server: QueueServer): Promise<Broker & AsyncDisposable> {
  const broker = await openBroker(readAddress(server.url), FLEET_KEY);
  const said = describeClass(NEEDS, await broker.store.nowMs());
  await broker.store.setFields(KEYS.classes, { [classOf(NEEDS)]: said });
  return { ...broker, [Symbol.asyncDispose]: () => broker.close() };
}

/** Queues a chunk as an intruder would: a real study of this project, with something wrong. */
async function queueChunk(
  { store, queue }: Broker,
  project: Project,
  { message = {}, run = {}, protocol, change = (envelope) => envelope }: Wrong = {},
): Promise<void> {
  const own: StudyMessage = {
    name: "intruder",
    setting: {
      target: {
        kind: "command",
        argv: ["sh", "-c", `touch ${project.path("ran")}`],
        cwd: project.dir,
        watch: [],
      },
      studyDir: "",
      baseDir: project.dir,
      artifacts: "none",
      limits: { timeoutMs: 0, graceMs: 0, retries: 0, backoffMs: 0, stdoutBytes: 1000 },
      iterations: { warmup: 0, measured: 1 },
      instruments: [],
      plugins: [],
      env: {},
      jobs: 1,
    },
    code: { root: project.dir, base: "", files: [], packages: [], lock: null },
    needs: NEEDS,
    mostDeaths: 3,
    files: "queue",
    ...message,
  };
  const sealed = JSON.stringify(seal("study", own, { key: FLEET_KEY, study: STUDY }));
  const setting = createHash("sha256").update(sealed).digest("hex");
  await store.set(KEYS.message(setting), sealed);
  const { launch } = await LaunchProof.create({ store, key: FLEET_KEY, study: STUDY });
  const jobs = [{ run: { ...RUN, ...run }, attempt: 1 }];
  const chunk: ChunkMessage = { id: "chunk-1", setting, launch, jobs };
  const envelope = change(
    seal("chunk", chunk, { key: FLEET_KEY, study: STUDY, ...(protocol && { protocol }) }),
  );
  await queue(classOf(NEEDS)).add("chunk", envelope, { jobId: "chunk-1" });
}

interface Wrong {
  protocol?: number;
  message?: Partial<StudyMessage>;
  run?: Partial<typeof RUN>;
  change?(envelope: Envelope): Envelope;
}

const problem = queueProblem("redis");
describe.skipIf(problem)(`what is not to be trusted${skipReason(problem)}`, { concurrent: true }, () => {
  test.each<[string, RegExp, (project: Project) => Wrong]>([
    [
      "a job with a bad signature",
      /signature/,
      () => ({ change: (envelope) => ({ ...envelope, signature: "00" }) }),
    ],
    [
      "a job whose content was changed",
      /signature/,
      () => ({
        change: (envelope) => ({ ...envelope, payload: envelope.payload.replace(STUDY, `${STUDY}0`) }),
      }),
    ],
    ["a run whose id leaves its folder", /leave its folder/, () => ({ run: { id: "../../../escaped" } })],
    [
      "a file whose path leaves the folder",
      /leaves its folder/,
      (project) => ({
        message: {
          code: {
            root: project.dir,
            base: "",
            files: [{ path: "../../../escaped", sha256: "0".repeat(64), isExecutable: false }],
            packages: [],
            lock: null,
          },
        },
      }),
    ],
  ])("%s is refused, reported and not run", async (_, reason, wrong) => {
    await using server = await startQueueServer("redis");
    await using project = await fleetProject(server);
    await using fleet = await openFleet(server);
    const worker = await startWorker(project);
    await queueChunk(fleet, project, wrong(project));
    await waitFor("the refusal", () => worker.stderr.includes("refused"));
    expect(worker.stderr).toMatch(reason);
    worker.kill("SIGTERM");
    expect((await worker.ended).stdout).toContain("did 0 runs");
    expect(await fleet.queue(classOf(NEEDS)).getJobState("chunk-1")).toBe("failed");
    expect(existsSync(project.path("ran"))).toBe(false);
    expect(project.exists("escaped") || existsSync("/tmp/escaped")).toBe(false);
  });

  test("the same job with nothing wrong is run", async () => {
    await using server = await startQueueServer("redis");
    await using project = await fleetProject(server);
    await using fleet = await openFleet(server);
    const worker = await startWorker(project, "--count", "1");
    await queueChunk(fleet, project);
    expect((await worker.ended).stdout).toContain("did 1 run");
    expect(project.exists("ran")).toBe(true);
  });

  test("a chunk of a study that has ended is refused when somebody queues it again, and shows no secret", async () => {
    await using server = await startQueueServer("redis");
    await using project = await fleetProject(server);
    await using fleet = await openFleet(server);
    const { tries, letGo } = holdingStudy(project, { seeds: 1, params: "token: open-sesame-1234" });
    letGo(1);
    const study = startStudy(project);
    const queue = fleet.queue(classOf(NEEDS));
    let job: FleetJob | undefined;
    while (!job) [job] = await queue.getJobs(["waiting", "prioritized"]);
    const { id, data } = job;
    const { setting } = open<ChunkMessage>("chunk", data, FLEET_KEY).body;
    const message = (await fleet.store.get(KEYS.message(setting)))!;
    for (const text of [JSON.stringify(data), message.toString()]) expect(text).not.toContain("sesame");
    await startWorker(project);
    expect((await study.ended).code).toBe(0);
    expect(tries()).toHaveLength(1);
    await fleet.store.set(KEYS.message(setting), message);
    await queue.add("chunk", data, { jobId: id! });
    while ((await queue.getJobState(id!)) !== "failed");
    expect((await queue.getJob(id!))!.failedReason).toContain("its study has ended");
    expect(tries()).toHaveLength(1);
  });

  test("a worker declines a study of a later protocol, says why, and serves the others", async () => {
    await using server = await startQueueServer("redis");
    await using project = await fleetProject(server);
    await using fleet = await openFleet(server);
    const worker = await startWorker(project);
    await queueChunk(fleet, project, { protocol: 99 });
    await waitFor("its word", () => worker.stderr.includes("which speaks protocol 99 of the fleet"));
    expect((await startStudy(project).ended).code).toBe(0);
    expect(worker.isOver).toBe(false);
    const [record] = await new Registry(fleet.store).list();
    expect(record).toMatchObject({
      state: "running",
      lacks: { [STUDY]: expect.stringContaining("protocol 99") },
    });
    const state = await fleet.queue(classOf(NEEDS)).getJobState("chunk-1");
    expect(["waiting", "delayed", "active", "prioritized"]).toContain(state);
    expect(project.exists("ran")).toBe(false);
  });

  test("a worker that takes shipped targets only leaves others' code alone, and the study says so", async () => {
    await using server = await startQueueServer("redis");
    await using project = await fleetProject(server);
    const worker = await startWorker(project, "--only-shipped");
    const study = startStudy(project);
    await waitFor("a word about it", () => study.stderr.includes("--only-shipped"));
    expect(study.stderr).toContain("no worker can run this study");
    study.kill("SIGTERM");
    await study.ended;
    project.write("study.yaml", "study: shipped\ntarget: noop\nseeds: 3\n");
    expect((await startStudy(project).ended).code).toBe(0);
    worker.kill("SIGTERM");
    expect((await worker.ended).stdout).toContain("did 3 runs");
  });

  test("a forged result is refused, and the real one is taken", async () => {
    await using server = await startQueueServer("redis");
    await using project = await fleetProject(server);
    const { tries, letGo } = holdingStudy(project, { seeds: 1 });
    await using fleet = await openFleet(server);
    await startWorker(project);
    const study = startStudy(project);
    await waitFor("the run", () => tries().length === 1);
    const { id } = JSON.parse(project.read("bench_runs/fleet/queue.json"));
    const forged = seal(
      "results",
      { worker: "x", results: [], returned: [] },
      { key: "another key of some length", study: id },
    );
    await fleet.queue(resultsQueue(id)).add("results", forged);
    await waitFor("the refusal", () => study.stderr.includes("refused a result"));
    letGo(1);
    expect((await study.ended).code).toBe(0);
    expect(project.records("fleet")).toMatchObject([{ metrics: { twice: 2 } }]);
  });

  test("without a key, or with another one, neither side starts", async () => {
    await using server = await startQueueServer("redis");
    await using project = await fleetProject(server);
    await (await openFleet(server)).close();
    project.env.ASSAY_FLEET_KEY = "";
    for (const words of [["worker"], ["run", "study.yaml", "--executor", "queue"]]) {
      const { code, stderr } = await project.assay(...words);
      expect(code).toBe(2);
      expect(stderr).toContain("ASSAY_FLEET_KEY is not set");
    }
    project.env.ASSAY_FLEET_KEY = "quite another key than theirs";
    const { code, stderr } = await project.assay("worker");
    expect(code).toBe(2);
    expect(stderr).toContain("is not the key of the fleet");
  });
});
