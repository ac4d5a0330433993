import { cpSync, existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { lateCostUsd, readLateAttempts } from "../../../src/archive/read-records.ts";
import { ChunkSize } from "../../../src/executors/queue/chunks.ts";
import { placeFolder } from "../../../src/executors/queue/inbox.ts";
import { recordedStarts, recordLate } from "../../../src/executors/queue/late-results.ts";
import { Outbox } from "../../../src/executors/queue/outbox.ts";
import { type Outstanding, OutstandingRuns, PutOff } from "../../../src/executors/queue/outstanding.ts";
import { studyId } from "../../../src/executors/queue/study-id.ts";
import { Slots } from "../../../src/fleet/slots.ts";
import { aRecord } from "../../support/a-study.ts";
import { TempFolder } from "../../support/temp-folder.ts";

describe("how many runs travel together", () => {
  test("grows while runs are short, and falls to one at the first long ones", () => {
    const size = new ChunkSize({ hasFolders: false });
    expect(size.now).toBe(1);
    for (let i = 0; i < 20; i++) size.learn([0.01, 0.02]);
    expect(size.now).toBe(512);
    size.learn([]);
    expect(size.now).toBe(512);
    size.learn([500]);
    expect(size.now).toBe(1);
  });

  test("stays smaller where runs have folders", () => {
    const size = new ChunkSize({ hasFolders: true });
    for (let i = 0; i < 20; i++) size.learn([0]);
    expect(size.now).toBe(15);
  });
});

describe("runs under way", () => {
  const run = (id: string): Outstanding =>
    ({ job: { run: { id }, attempt: 1 }, chunk: undefined, refusals: 0 }) as unknown as Outstanding;

  test("leave their chunk one by one, and the last one says so", () => {
    const runs = new OutstandingRuns();
    const [a, b] = [run("a"), run("b")];
    for (const one of [a, b]) runs.add(one);
    runs.assign("chunk", [a, b]);
    expect(runs.remove("a")).toEqual({});
    expect(runs.runsOf("chunk")).toEqual([b]);
    expect(runs.remove("b")).toEqual({ emptied: "chunk" });
    expect(runs.remove("b")).toEqual({});
    expect(runs.size).toBe(0);
  });

  test("of a dissolved chunk are free for another", () => {
    const runs = new OutstandingRuns();
    const a = run("a");
    runs.add(a);
    runs.assign("first", [a]);
    expect(runs.dissolve("first")).toEqual([a]);
    runs.assign("second", [a]);
    expect(runs.runsOf("first")).toEqual([]);
    expect(runs.chunks).toEqual(["second"]);
    expect(runs.olderThan(60_000)).toEqual([]);
  });
});

test("a chunk is not missed before the queue has it, however long that takes", async () => {
  const outstanding = new OutstandingRuns();
  let answer = () => {};
  const queued = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const queue = { addBulk: () => queued };
  const outbox = new Outbox({
    broker: { queue: () => queue, store: { setFields: async () => {} } },
    publisher: { needs: {}, hashFor: async () => "hash", contentsOf: () => undefined },
    ...{ key: "a key for the tests only", study: "0123456789abcdef", priority: 0, outstanding },
    ...{ size: () => 1, slots: () => 1, onError: () => {} },
  } as unknown as ConstructorParameters<typeof Outbox>[0]);
  const run = {
    job: { run: { id: "a" }, attempt: 2 },
    chunk: undefined,
    refusals: 0,
  } as unknown as Outstanding;
  outstanding.add(run);
  outbox.pushSingles([run]);
  expect(outstanding.chunks).toHaveLength(1);
  // The server stands still, and has not heard of the chunk: nothing is lost.
  expect(outstanding.olderThan(0)).toEqual([]);
  answer();
  await vi.waitFor(() => expect(outstanding.olderThan(0)).toEqual(outstanding.chunks));
});

test("a chunk that is put off without end is brought back", () => {
  const putOff = new PutOff();
  expect(putOff.look(["a", "b"], 0)).toEqual([]);
  expect(putOff.look(["a"], 50_000)).toEqual([]);
  // The other one was taken meanwhile.
  expect(putOff.look(["a", "b"], 61_000)).toEqual(["a"]);
  expect(putOff.look(["a", "b"], 62_000)).toEqual([]);
});

describe("a run's folder that arrives", () => {
  test("keeps what earlier tries left, in order", () => {
    using folder = new TempFolder({
      "new/meta.json": "3",
      "old/meta.json": "2",
      "old/earlier/1/meta.json": "1",
    });
    placeFolder(join(folder.path, "new"), join(folder.path, "old"));
    expect(folder.read("old/meta.json")).toBe("3");
    expect(folder.read("old/earlier/1/meta.json")).toBe("1");
    expect(folder.read("old/earlier/2/meta.json")).toBe("2");
  });

  test("a second time replaces itself", () => {
    using folder = new TempFolder({ "new/meta.json": "same", "old/meta.json": "same" });
    placeFolder(join(folder.path, "new"), join(folder.path, "old"));
    expect(existsSync(join(folder.path, "old/earlier"))).toBe(false);
    expect(folder.read("old/meta.json")).toBe("same");
  });
});

test("a late result is a second attempt in a file of its own", async () => {
  using folder = new TempFolder({
    "journal.jsonl": ["a", "b"]
      .map((id, i) => `${JSON.stringify(aRecord({ id, startedAtMs: 5 + i }))}\n`)
      .join(""),
  });
  const result = {
    outcome: { status: "failed" as const, owner: "agent" as const, reason: "a word that may be secret" },
    metrics: { x: 1 },
    startedAtMs: 7,
    wallMs: 2,
    costUsd: 0.5,
  };
  const late = { runId: "a", attempt: 1, chunk: "c", result };
  expect(recordLate(folder.path, late, "worker-1")).toBe(0.5);
  // The same message once more.
  expect(recordLate(folder.path, late, "worker-1")).toBe(0);
  expect(folder.read("late.jsonl")).not.toContain("secret");
  expect(lateCostUsd(folder.path)).toBe(0.5);
  expect(readLateAttempts(folder.path, "b")).toEqual([]);
  expect(JSON.parse(folder.read("late.jsonl"))).toMatchObject({
    id: "a",
    attempt: 2,
    worker: "worker-1",
    costUsd: 0.5,
  });
  expect(await recordedStarts(folder.path, new Set(["a", "absent"]))).toEqual(new Map([["a", new Set([5])]]));
});

test("a study keeps its name in the queue", () => {
  using folder = new TempFolder();
  const id = studyId(folder.path);
  expect(id).toMatch(/^[0-9a-f]{16}$/);
  expect(studyId(folder.path)).toBe(id);
  folder.write("queue.json", "torn");
  expect(studyId(folder.path)).not.toBe(id);
});

test("a copy of a study's folder has a name of its own there, one that was moved keeps it", () => {
  using folder = new TempFolder({ "study/journal.jsonl": "" });
  const at = (name: string) => join(folder.path, name);
  const id = studyId(at("study"));
  cpSync(at("study"), at("copy"), { recursive: true });
  expect(studyId(at("copy"))).not.toBe(id);
  renameSync(at("study"), at("moved"));
  expect(studyId(at("moved"))).toBe(id);
  expect(studyId(at("moved"))).toBe(id);
});

describe("slots", () => {
  test("are handed out in turn, and not waited for longer than one wants", async () => {
    const slots = new Slots(1);
    expect(await slots.take()).toBe(true);
    expect(await slots.take(1)).toBe(false);
    const next = slots.take();
    slots.release();
    expect(await next).toBe(true);
    slots.limit = 2;
    expect(slots.free).toBe(1);
    expect(await slots.take(1)).toBe(true);
    expect(slots.busy).toBe(2);
  });
});
