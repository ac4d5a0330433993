import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readAddress } from "../../src/fleet/address.ts";
import { openBroker } from "../../src/fleet/broker/broker.ts";
import { type Envelope, open, seal } from "../../src/fleet/envelope.ts";
import { LaunchProof } from "../../src/fleet/launch-proof.ts";
import { type ChunkMessage, KEYS, type ResultsMessage, resultsQueue } from "../../src/fleet/protocol.ts";
import { fleetProject, keptMessages, keptPath, startStudy, startWorker } from "../support/fleet.ts";
import { type QueueServer, queueProblem, skipReason, startQueueServer } from "../support/queue-server.ts";
import { waitFor } from "../support/wait-for.ts";

/** What holds on every kind of queue. */
describe.concurrent.each(["redis", "postgres"] as const)("a study on a queue on %s", (kind) => {
  const problem = queueProblem(kind);
  test.skipIf(problem)(`has one record a run, with its files${skipReason(problem)}`, async () => {
    await using server = await startQueueServer(kind);
    await using project = await fleetProject(server);
    await startWorker(project);
    await startWorker(project);
    const { code, stderr } = await startStudy(project).ended;
    expect(stderr).not.toMatch(/refused|bug/);
    expect(code).toBe(0);
    const records = project.records("fleet");
    expect(records.map(({ seed }) => seed).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
    for (const { id, seed, metrics, files } of records) {
      expect(metrics.twice).toBe(2 * seed);
      expect(files).toEqual(["data.txt"]);
      expect(project.read(`bench_runs/fleet/runs/${id}/out/data.txt`)).toBe(String(seed).padEnd(10, "."));
      expect(JSON.parse(project.read(`bench_runs/fleet/runs/${id}/meta.json`)).status).toBe("ok");
      expect(project.read(`bench_runs/fleet/runs/${id}/series.jsonl`)).toContain('"value"');
    }
  });
});

const problem = queueProblem("redis");
describe.skipIf(problem)(`beside Assay 0.2.0, played by messages that it wrote${skipReason(problem)}`, () => {
  const KEY = "the key of this fleet";
  const OWN_CODE = "jobs-2a5b7f984d88";
  /** What 0.2.0 asks of every message. */
  const OF_OLD = { protocol: 3, program: "0.2.0" };
  const PROGRAM = readFileSync(keptPath("double.py"));

  const oldFleet = async (server: QueueServer) => {
    const project = await fleetProject(server, { "prog.py": PROGRAM.toString() });
    project.env.ASSAY_FLEET_KEY = KEY;
    const broker = await openBroker(readAddress(server.url), KEY);
    const close = async () => {
      await broker.close();
      await project[Symbol.asyncDispose]();
    };
    return { project, ...broker, kept: keptMessages(3, KEY), [Symbol.asyncDispose]: close };
  };

  test("a worker of today runs what its coordinator queues, and answers so that it reads it", async () => {
    await using server = await startQueueServer("redis");
    await using fleet = await oldFleet(server);
    const { store, kept, queue } = fleet;
    const { study } = kept.study;
    const own = { key: KEY, study, protocol: 3 };
    const sealed = JSON.stringify(seal("study", kept.study.body, own));
    const setting = createHash("sha256").update(sealed).digest("hex");
    await store.set(KEYS.message(setting), sealed);
    await store.set(KEYS.blob(createHash("sha256").update(PROGRAM).digest("hex")), PROGRAM);
    const { launch } = await LaunchProof.create({ store, key: KEY, study });
    const said = { ...kept.study.body.needs, usedAtMs: await store.nowMs() };
    await store.setFields(KEYS.classes, { [OWN_CODE]: JSON.stringify(said) });
    const chunk = { ...kept.chunk.body, setting, launch };
    await queue(OWN_CODE).add("chunk", seal("chunk", chunk, own), { jobId: chunk.id });

    const worker = await startWorker(fleet.project, "--count", "1");
    expect((await worker.ended).stdout).toContain("did 1 run");
    const [answer] = await queue(resultsQueue(study)).getJobs(["waiting"]);
    expect(answer!.data).toMatchObject(OF_OLD);
    const { results } = open<ResultsMessage>("results", answer!.data, KEY).body;
    const [before] = kept.results.body.results;
    expect(results).toMatchObject([
      {
        ...{ runId: before!.runId, chunk: before!.chunk, attempt: before!.attempt },
        result: { outcome: { status: "ok" }, metrics: before!.result.metrics, files: before!.result.files },
        parcel: { runId: before!.runId, study, route: "queue" },
      },
    ]);
  });

  test("a study of today is queued so that its worker reads it, and takes that worker's results", async () => {
    await using server = await startQueueServer("redis");
    await using fleet = await oldFleet(server);
    const { store, kept, queue, project } = fleet;
    project.write("one.jsonl", '{"id": "q1", "n": 1}\n');
    project.write(
      "study.yaml",
      'study: fleet\ntarget: {command: [python3, prog.py, "${task.n}"]}\ntasks: {file: one.jsonl}\n',
    );
    const launched = startStudy(project);
    const queued = async () => (await queue(OWN_CODE).getJobs(["prioritized", "waiting"]))[0]?.data;
    await waitFor("the run in the queue", async () => (await queued()) !== undefined);
    const envelope = (await queued())!;
    const { body: chunk, study } = open<ChunkMessage>("chunk", envelope, KEY);
    const stored = async (name: string) => JSON.parse((await store.get(name))!.toString()) as Envelope;
    const message = await stored(KEYS.message(chunk.setting));
    for (const one of [envelope, message, await stored(KEYS.launch(study))])
      expect(one).toMatchObject(OF_OLD);
    const { setting } = open<{ setting: object }>("study", message, KEY).body;
    expect(Object.keys(kept.study.body.setting)).toEqual(expect.arrayContaining(Object.keys(setting)));

    const [before] = kept.results.body.results;
    const runId = chunk.jobs[0]!.run.id;
    const result = { ...before!, runId, chunk: chunk.id, parcel: { ...before!.parcel!, study, runId } };
    const answer = seal(
      "results",
      { ...kept.results.body, results: [result] },
      { key: KEY, study, protocol: 3 },
    );
    await queue(resultsQueue(study)).add("results", answer);
    expect((await launched.ended).code).toBe(0);
    expect(project.records("fleet")).toMatchObject([{ id: runId, metrics: { double: 2 } }]);
    expect(project.read(`bench_runs/fleet/runs/${runId}/out/answer.txt`)).toBe("1");
  });

  test("a study that 0.2.0 would misread waits where its workers don't look, and says what is missing", async () => {
    await using server = await startQueueServer("redis");
    await using fleet = await oldFleet(server);
    const { store, project } = fleet;
    project.write(
      "study.yaml",
      "study: fleet\ntarget: {command: ['true']}\nservices: [{command: [cat, '${port}']}]\n",
    );
    const old = { id: "old", version: "0.2.0", protocol: 3, cores: 2, memoryMb: 8000, labels: [] };
    const beat = async () => {
      const seenAtMs = await store.nowMs();
      const record = {
        ...old,
        onlyShipped: false,
        state: "running",
        jobs: 1,
        seenAtMs,
        lacks: {},
        doing: [],
      };
      await store.setFields(KEYS.workers, { old: JSON.stringify(record) });
    };
    await beat();
    const launched = startStudy(project);
    await waitFor("a word about it", async () => {
      await beat();
      return launched.isOver || launched.stderr.includes("old lacks protocol 4 of the fleet");
    });
    expect(launched.stderr).toContain("no worker can run this study: old lacks protocol 4 of the fleet");
    const classes = Object.entries(await store.fields(KEYS.classes));
    expect(classes.map(([name]) => name)).not.toContain(OWN_CODE);
    for (const [, text] of classes) expect(JSON.parse(text).labels).toContain("assay-protocol-4");
    launched.kill("SIGTERM");
    await launched.ended;
  });
});
