import { expect, test } from "vitest";
import type { Job } from "../../../src/core/executor.ts";
import type { FleetJob } from "../../../src/fleet/broker/broker.ts";
import { Lack } from "../../../src/fleet/code/unpack-code.ts";
import { seal } from "../../../src/fleet/envelope.ts";
import type { ChunkMessage } from "../../../src/fleet/protocol.ts";
import { Slots } from "../../../src/fleet/slots.ts";
import { ChunkRunner, type ChunkRunnerOptions } from "../../../src/fleet/worker/chunk-runner.ts";
import { WorkerLog } from "../../../src/fleet/worker/worker-log.ts";

const KEY = "a key for the tests only";
const STUDY = "0123456789abcdef";

/** A chunk of one run, as the queue hands it out. */
function chunkOf(runId: string, { stalledCounter = 0 } = {}): FleetJob {
  const jobs = [{ run: { id: runId, params: {} }, attempt: 1 }] as unknown as Job[];
  const message: ChunkMessage = { id: `chunk-${runId}`, setting: "", launch: "", jobs };
  const data = seal("chunk", message, { key: KEY, study: STUDY });
  return { id: message.id, data, stalledCounter, moveToWait: async () => {} } as unknown as FleetJob;
}

/** A worker of one thread that has fetched two chunks; `execute` is what a run does. */
function makeRunner(execute: (job: Job) => Promise<void>, options: Partial<ChunkRunnerOptions> = {}) {
  const log = new WorkerLog({ say: () => {}, onProblem: () => {}, onRun: () => {} });
  const room = {
    name: "study",
    limits: [],
    mostDeaths: 3,
    isAborted: false,
    check: () => {},
    isRunning: () => false,
    execute: async (job: Job) => {
      await execute(job);
      return { result: { outcome: { status: "ok" }, metrics: {}, startedAtMs: 0, wallMs: 0 } };
    },
  };
  const runner = new ChunkRunner({
    key: KEY,
    rooms: { checkLaunch: async () => {}, room: async () => room, sender: () => ({ send: async () => {} }) },
    slots: new Slots(2),
    threads: new Slots(1),
    leases: { take: async () => ({ release: async () => {} }) },
    log,
    isTaking: () => true,
    left: () => Number.POSITIVE_INFINITY,
    skewMs: () => 0,
    lastWords: async () => [],
    ...options,
  } as unknown as ChunkRunnerOptions);
  return { runner, log };
}

test("chunks that come at the same moment are no more than may still be taken", async () => {
  const { runner, log } = makeRunner(async () => {}, {
    threads: new Slots(2),
    left: () => 1 - log.done - log.doing.length,
  });
  const ends = await Promise.allSettled(["a", "b"].map((id) => runner.take(chunkOf(id), "token")));
  expect(log.done).toBe(1);
  expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect((ends[1] as PromiseRejectedResult).reason.name).toBe("WaitingError");
});

test("of two suspects that were fetched, only the one that runs is marked", async () => {
  const marked = new Set<string>();
  const seen: string[][] = [];
  const suspects = {
    deathsOf: async () => 1,
    mark: async (_: string, id: string) => void marked.add(id),
    clear: async (_: string, id: string) => void marked.delete(id),
  } as unknown as ChunkRunnerOptions["suspects"];
  const { runner } = makeRunner(
    async ({ run }) => {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push([run.id, ...marked]);
    },
    { suspects },
  );
  await Promise.all(["a", "b"].map((id) => runner.take(chunkOf(id, { stalledCounter: 1 }), "token")));
  expect(seen).toEqual([
    ["a", "a"],
    ["b", "b"],
  ]);
});

test.each([
  ["right", 0, ["delayed"]],
  ["an hour ahead", -3600_000, ["waits"]],
  ["an hour behind", 3600_000, ["waits"]],
])(
  "what a worker gives back whose clock is %s never waits for another clock",
  async (_, skewMs, expected) => {
    const moves: string[] = [];
    const rooms = {
      room: () => Promise.reject(new Lack("it lacks a package")),
      checkLaunch: async () => {},
      sender: () => ({ send: async () => {} }),
    } as unknown as ChunkRunnerOptions["rooms"];
    const { runner } = makeRunner(async () => {}, { rooms, skewMs: () => skewMs });
    const job = Object.assign(chunkOf("a"), {
      moveToDelayed: async () => void moves.push("delayed"),
      moveToWait: async () => void moves.push("waits"),
    });
    await expect(runner.take(job, "token")).rejects.toThrow();
    expect(moves).toEqual(expected);
  },
);
