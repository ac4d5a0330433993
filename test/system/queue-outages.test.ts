import { describe, expect, test } from "vitest";
import { FarHost, farHostProblem } from "../support/far-host.ts";
import { fleetProject, holdingStudy, SHORT_LEASE, startStudy, startWorker } from "../support/fleet.ts";
import { assayPath } from "../support/launch.ts";
import { type QueueKind, queueProblem, skipReason, startQueueServer } from "../support/queue-server.ts";
import { waitFor } from "../support/wait-for.ts";

const CUT_MS = 30_000;

/** A study with a run under way on a far worker, and what is to happen while that is cut off, and after. */
async function underWay(kind: QueueKind, host: FarHost) {
  const server = await startQueueServer(kind, { host: host.nearAddress });
  const project = await fleetProject(server);
  const { tries, letGo } = holdingStudy(project, { seeds: 3 });
  const isRecorded = (seed: string) =>
    project.lines("bench_runs/fleet/journal.jsonl").some((line) => line.includes(`"seed":${seed},`));
  const words = [process.execPath, assayPath, "worker", "--jobs", "1", ...SHORT_LEASE];
  const far = project.launch(host.on(words));
  await waitFor("the far worker", () => far.stderr.includes("waits for runs"));
  const study = startStudy(project);
  const seed = await waitFor("its first run", () => tries()[0]);

  /** Another worker does what the far one had. */
  async function duringCut(): Promise<void> {
    const near = await startWorker(project, ...SHORT_LEASE);
    await waitFor("another try at it", () => {
      // The near worker may have taken another run first.
      letGo(...tries().filter((other) => other !== seed));
      return tries().filter((one) => one === seed).length > 1;
    });
    letGo(seed);
    await waitFor("its record", () => isRecorded(seed));
    near.kill("SIGKILL");
  }

  /** Only the far one is left to end the study. */
  async function afterCut(): Promise<void> {
    letGo(1, 2, 3);
    const { code, stderr } = await study.ended;
    expect(code, stderr).toBe(0);
    expect(
      project
        .records("fleet")
        .map((one) => one.seed)
        .sort(),
    ).toEqual([1, 2, 3]);
    far.kill("SIGTERM");
    expect((await far.ended).stdout).toMatch(/did [1-9]\d* run/);
    const late = project.lines("bench_runs/fleet/late.jsonl").map((line) => JSON.parse(line));
    for (const one of late) expect(one).toMatchObject({ attempt: 2 });
  }

  async function end(): Promise<void> {
    await project[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  }

  return { duringCut, afterCut, end };
}

const kinds = (["redis", "postgres"] as const).filter((kind) => queueProblem(kind) === undefined);
const problem = kinds.length === 0 ? "no server for a queue is installed" : farHostProblem();

test.skipIf(problem)(
  `workers on another host are cut off for half a minute, lose their runs and come back by themselves${skipReason(problem)}`,
  { concurrent: true },
  async () => {
    using host = new FarHost();
    const studies = await Promise.all(kinds.map((kind) => underWay(kind, host)));
    try {
      host.cut();
      const cutAt = performance.now();
      await Promise.all(studies.map(({ duringCut }) => duringCut()));
      await waitFor("the end of the cut", () => performance.now() - cutAt > CUT_MS);
      host.mend();
      await Promise.all(studies.map(({ afterCut }) => afterCut()));
    } finally {
      for (const { end } of studies) await end();
    }
  },
);

/** Kills when so many runs are done: workers each time, the coordinator and the server at some of them. */
const CHAOS = {
  redis: { runs: 120, kills: [20, 40, 60, 80, 100], coordinator: [40, 80], server: 60 },
  postgres: { runs: 80, kills: [20, 40, 60], coordinator: [40], server: 60 },
} as const;

describe.concurrent.each(["redis", "postgres"] as const)("when things die around a queue on %s", (kind) => {
  const problem = queueProblem(kind);
  // Eight starts and as many leases that run out: on a busy machine that takes minutes.
  test.skipIf(problem)(
    `every run has one record, with its files${skipReason(problem)}`,
    async () => {
      const { runs, kills, coordinator, server: serverAt } = CHAOS[kind];
      await using server = await startQueueServer(kind);
      const text = `study: fleet\ntarget: ./step.ts\nparams: {waitMs: 20}\nseeds: ${runs}\n`;
      await using project = await fleetProject(server, { "study.yaml": text });
      const done = () => project.lines("bench_runs/fleet/journal.jsonl").length;
      const start = () => startWorker(project, ...SHORT_LEASE);
      const workers = await Promise.all([start(), start(), start(), start()]);
      let study = startStudy(project);
      for (const share of kills) {
        await waitFor(`${share} runs`, () => done() >= share || study.isOver);
        workers.shift()!.kill("SIGKILL");
        workers.push(await start());
        if ((coordinator as readonly number[]).includes(share)) {
          study.kill("SIGKILL");
          await study.ended;
          study = startStudy(project);
        }
        if (share === serverAt) {
          await server.kill();
          await server.start();
        }
      }
      await waitFor("the end", () => study.isOver, { deadlineMs: 300_000 }).catch((cause) => {
        const said = [study, ...workers].map(({ stderr }) => stderr.slice(-600));
        throw new Error([`${done()} of ${runs} runs are done`, ...said].join("\n---\n"), { cause });
      });
      const { code, stderr } = await study.ended;
      expect(stderr).not.toMatch(/refused|bug/);
      expect(code, stderr).toBe(0);
      const records = project.records("fleet");
      expect(new Set(records.map(({ id }) => id)).size).toBe(runs);
      expect(records.length).toBe(runs);
      expect(records.filter(({ outcome }) => outcome.status !== "ok")).toEqual([]);
      for (const { id, seed } of records)
        expect(project.read(`bench_runs/fleet/runs/${id}/out/data.txt`)).toBe(String(seed).padEnd(10, "."));
    },
    900_000,
  );

  test.skipIf(problem)(`a study can be ended while the queue is away${skipReason(problem)}`, async () => {
    await using server = await startQueueServer(kind);
    await using project = await fleetProject(server);
    const { tries } = holdingStudy(project, { seeds: 2 });
    await startWorker(project);
    const study = startStudy(project);
    await waitFor("a run", () => tries().length > 0);
    await server.kill();
    study.kill("SIGTERM");
    expect((await study.ended).code).toBe(130);
    expect(project.records("fleet").map(({ outcome }) => outcome.status)).toEqual(["cancelled", "cancelled"]);
  });
});

test.skipIf(queueProblem("postgres"))(
  `a study with nothing left to do ends, though its queue dies at that moment${skipReason(queueProblem("postgres"))}`,
  { concurrent: true },
  async () => {
    await using server = await startQueueServer("postgres");
    await using project = await fleetProject(server);
    const { letGo } = holdingStudy(project, { seeds: 1 });
    letGo(1);
    await startWorker(project);
    expect((await startStudy(project).ended).code).toBe(0);
    for (const waitMs of [0, 10, 20, 40]) {
      const study = startStudy(project);
      await waitFor("its start", () => study.stderr.includes("1 done before"));
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      await server.kill();
      await server.start();
      const { code, stderr } = await study.ended;
      expect(code, stderr).toBe(0);
    }
  },
);
