import { describe, expect, test } from "vitest";
import type { ControlRequest } from "../../src/core/live-state.ts";
import { type Attempt, failed, type RunRecord } from "../../src/core/run.ts";
import type { StudyEvent } from "../../src/core/sink.ts";
import { runStudy, type StudyRun } from "../../src/engine/run-study.ts";
import { aRun } from "../support/a-study.ts";
import { FakeExecutor } from "../support/fake-executor.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

const BROKEN: Partial<Attempt> = { outcome: failed("infrastructure", "no network") };
const BY = "from the page";

interface Plan {
  runs: number;
  jobs?: number;
  durationMs?: number;
  attempt?: (attempt: number) => Partial<Attempt> | undefined;
  /** What is asked, and at which virtual time. */
  asked: [atMs: number, request: Omit<ControlRequest, "by">][];
  limits?: Partial<StudyRun["limits"]>;
  /** When Ctrl-C is pressed. */
  stopAtMs?: number;
  /** Whether the executor takes no other number of jobs. */
  isFixed?: boolean;
  mayRepeat?: boolean;
}

/** Runs scripted runs in virtual time, and asks for things meanwhile. */
async function steer(plan: Plan) {
  const { runs, jobs = 1, durationMs = 1000, attempt, asked, limits, stopAtMs, isFixed = false } = plan;
  const { mayRepeat = false } = plan;
  const clock = new VirtualClock();
  const stop = new AbortController();
  const executor = new FakeExecutor(clock, jobs, (_, number) => {
    const part = attempt?.(number);
    return part ? { durationMs, attempt: part } : { durationMs };
  });
  if (isFixed) executor.resize = undefined;
  const events: { atMs: number; event: StudyEvent }[] = [];
  const records: RunRecord[] = [];
  const all = Array.from({ length: runs }, (_, i) => aRun({ id: `run-${i}`, seed: i }));
  const summary = await runStudy({
    pending: all.map((run) => ({ run, reason: "new", attemptsBefore: 0 })),
    total: runs,
    finished: 0,
    studyDir: "/study",
    program: "noop@1",
    executor,
    journal: { failure: undefined, append: (more) => void records.push(...more) },
    clock,
    sinks: [{ handle: (event) => events.push({ atMs: clock.now(), event }) }],
    limits: { retries: 0, backoffMs: 10_000, ...limits },
    failFast: false,
    mayRepeat,
    costBeforeUsd: 0,
    stop: stop.signal,
    kill: new AbortController(),
    control: {
      listen: (onRequest) => {
        for (const [atMs, request] of asked) clock.sleep(atMs).then(() => onRequest({ ...request, by: BY }));
        if (stopAtMs !== undefined) clock.sleep(stopAtMs).then(() => stop.abort());
      },
    },
  });
  const startedAt = events.filter(({ event }) => event.kind === "started").map(({ atMs }) => atMs);
  return { summary, events, records, startedAt, executor };
}

describe("a study that is paused", () => {
  test("launches nothing more while what runs goes on, until it is resumed", async () => {
    const { summary, startedAt, events } = await steer({
      runs: 4,
      jobs: 2,
      asked: [
        [500, { action: "pause" }],
        [7000, { action: "resume" }],
      ],
    });
    expect(startedAt).toEqual([0, 0, 7000, 7000]);
    expect(summary).toMatchObject({ ok: 4, left: 0, wallMs: 8000 });
    expect(summary.stopped).toBeUndefined();
    const kinds = events.filter(({ event }) => event.kind === "paused" || event.kind === "resumed");
    expect(kinds).toEqual([
      { atMs: 500, event: { kind: "paused", by: BY } },
      { atMs: 7000, event: { kind: "resumed", by: BY } },
    ]);
  });

  test("is told once, however often it is asked, and a resume without a pause is nothing", async () => {
    const { events, startedAt } = await steer({
      runs: 2,
      asked: [
        [100, { action: "resume" }],
        [200, { action: "pause" }],
        [300, { action: "pause" }],
        [2000, { action: "resume" }],
        [2100, { action: "resume" }],
      ],
    });
    expect(events.filter(({ event }) => /paused|resumed/.test(event.kind))).toHaveLength(2);
    expect(startedAt).toEqual([0, 2000]);
  });

  test("does not begin the next try at a run either", async () => {
    const { records, summary } = await steer({
      runs: 1,
      attempt: (number) => (number === 1 ? BROKEN : undefined),
      limits: { retries: 1, backoffMs: 100 },
      asked: [
        [1050, { action: "pause" }],
        [5000, { action: "resume" }],
      ],
    });
    expect(records[0]).toMatchObject({ attempt: 2, startedAtMs: 5000, outcome: { status: "ok" } });
    expect(summary.wallMs).toBe(6000);
  });

  test("ends at Ctrl-C, as if it were not", async () => {
    const { summary, startedAt } = await steer({
      runs: 3,
      asked: [[500, { action: "pause" }]],
      stopAtMs: 4000,
    });
    expect(startedAt).toEqual([0]);
    expect(summary).toMatchObject({ ok: 1, left: 2, stopped: "interrupted", wallMs: 4000 });
  });

  test("at its last run ends with it", async () => {
    const { summary } = await steer({ runs: 1, asked: [[500, { action: "pause" }]], stopAtMs: 100_000 });
    expect(summary).toMatchObject({ ok: 1, wallMs: 1000 });
  });

  test("can be cancelled", async () => {
    const { summary, records } = await steer({
      runs: 3,
      asked: [
        [500, { action: "pause" }],
        [3000, { action: "cancel" }],
      ],
    });
    expect(summary).toMatchObject({ ok: 1, cancelled: 0, left: 2, stopped: "interrupted" });
    expect(records).toHaveLength(1);
  });
});

describe("cancelling", () => {
  test("one run ends it with the reason, and the others go on", async () => {
    const { summary, records, startedAt } = await steer({
      runs: 4,
      jobs: 2,
      asked: [[400, { action: "cancel", run: "run-1" }]],
    });
    const cancelled = records.filter(({ outcome }) => outcome.status !== "ok");
    expect(cancelled).toMatchObject([
      { id: "run-1", wallMs: 400, outcome: { status: "cancelled", reason: "cancelled from the page" } },
    ]);
    expect(startedAt).toEqual([0, 0, 400, 1000]);
    expect(summary).toMatchObject({ ok: 3, cancelled: 1, failed: 0, left: 0 });
    expect(summary.stopped).toBeUndefined();
  });

  test("a run that waits for its next try ends that wait", async () => {
    const { records, summary, executor } = await steer({
      runs: 1,
      attempt: () => BROKEN,
      limits: { retries: 3, backoffMs: 60_000 },
      asked: [[2000, { action: "cancel", run: "run-0" }]],
    });
    expect(executor.jobs).toHaveLength(1);
    expect(records[0]!.outcome).toEqual({ status: "cancelled", reason: "cancelled from the page" });
    expect(summary).toMatchObject({ cancelled: 1, failed: 0, wallMs: 2000 });
  });

  test("a run that waits for its next try in a pause ends that wait too", async () => {
    const { summary } = await steer({
      runs: 1,
      attempt: () => BROKEN,
      limits: { retries: 3, backoffMs: 100 },
      asked: [
        [1050, { action: "pause" }],
        [9000, { action: "cancel", run: "run-0" }],
      ],
    });
    expect(summary).toMatchObject({ cancelled: 1, wallMs: 9000 });
  });

  test("a run that is not under way is nothing", async () => {
    const { summary } = await steer({
      runs: 2,
      asked: [
        [500, { action: "cancel", run: "run-1" }],
        [1500, { action: "cancel", run: "run-0" }],
        [1600, { action: "cancel", run: "no such run" }],
      ],
    });
    expect(summary).toMatchObject({ ok: 2, cancelled: 0 });
  });

  test("the launch ends what runs at once and leaves the rest for the next one", async () => {
    const { summary, records, events } = await steer({
      runs: 5,
      jobs: 2,
      asked: [
        [300, { action: "cancel" }],
        [300, { action: "cancel" }],
      ],
    });
    expect(records.map(({ outcome, wallMs }) => [outcome.status, wallMs])).toEqual([
      ["cancelled", 300],
      ["cancelled", 300],
    ]);
    expect(summary).toMatchObject({ cancelled: 2, left: 3, stopped: "interrupted", wallMs: 300 });
    expect(events.filter(({ event }) => event.kind === "stopping")).toEqual([
      { atMs: 300, event: { kind: "stopping", why: "cancelled from the page" } },
    ]);
  });

  test("another number of runs at once, and another budget, hold from then on", async () => {
    const { startedAt, executor } = await steer({ runs: 6, asked: [[500, { action: "adjust", jobs: 3 }]] });
    expect(executor.capacity).toBe(3);
    // The first alone; from half a second on two more beside it, then three at a time.
    expect(startedAt).toEqual([0, 500, 500, 1000, 1500, 1500]);
    const fewer = await steer({ runs: 4, jobs: 2, asked: [[500, { action: "adjust", jobs: 1 }]] });
    expect(fewer.startedAt).toEqual([0, 0, 1000, 2000]);
    const paid = { metrics: {}, costUsd: 1 };
    const poor = await steer({
      ...{ runs: 9, attempt: () => paid, limits: { costUsd: 8 } },
      asked: [[500, { action: "adjust", costUsd: 2 }]],
    });
    expect(poor.summary).toMatchObject({ ok: 2, stopped: "budget" });
    const rich = await steer({
      ...{ runs: 5, attempt: () => paid, limits: { costUsd: 2 } },
      asked: [[500, { action: "adjust", costUsd: 10 }]],
    });
    expect(rich.summary).toMatchObject({ ok: 5 });
    const late = await steer({ runs: 5, asked: [[500, { action: "adjust", wallMs: 2500 }]] });
    expect(late.summary).toMatchObject({ ok: 2, stopped: "budget" });
    expect(late.events.map(({ event }) => event)).toContainEqual({ kind: "adjusted", by: BY, wallMs: 2500 });
  });

  test("what the infrastructure broke in this launch is done again, and counts once", async () => {
    const { summary, records, events } = await steer({
      ...{ runs: 3, mayRepeat: true, attempt: (number) => (number === 1 ? BROKEN : undefined) },
      // After the first two have failed, and once more while the last of all is under way.
      asked: [
        [2500, { action: "rerun" }],
        [4500, { action: "rerun" }],
      ],
    });
    expect(summary).toMatchObject({ ok: 3, failed: 0, left: 0, wallMs: 6000 });
    expect(records.filter(({ outcome }) => outcome.status === "ok").map(({ attempt }) => attempt)).toEqual([
      2, 2, 2,
    ]);
    expect(events.filter(({ event }) => event.kind === "repeating").map(({ event }) => event)).toEqual([
      { kind: "repeating", by: BY, runs: 2 },
      { kind: "repeating", by: BY, runs: 1 },
    ]);
  });

  test("a launch that keeps count of its runs by another rule says that it repeats none", async () => {
    const { summary, events } = await steer({
      ...{ runs: 2, attempt: () => BROKEN, asked: [[1500, { action: "rerun" }]] },
    });
    expect(summary).toMatchObject({ failed: 2 });
    expect(events.map(({ event }) => event.kind)).toContain("notice");
  });

  test("an executor whose jobs others decide says so, and goes on", async () => {
    const { summary, events } = await steer({
      ...{ runs: 2, isFixed: true },
      asked: [[500, { action: "adjust", jobs: 3 }]],
    });
    expect(summary.ok).toBe(2);
    expect(events.map(({ event }) => event.kind)).toContain("notice");
    expect(events.map(({ event }) => event.kind)).not.toContain("adjusted");
  });
});
