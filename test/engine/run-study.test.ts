import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MachineError } from "../../src/core/errors.ts";
import { type Attempt, failed, type Run, type RunRecord } from "../../src/core/run.ts";
import type { StudyEvent } from "../../src/core/sink.ts";
import { runStudy, type StudyRun } from "../../src/engine/run-study.ts";
import { aRun } from "../support/a-study.ts";
import { FakeExecutor, type Script } from "../support/fake-executor.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

const BROKEN: Partial<Attempt> = { outcome: failed("infrastructure", "no network") };

/** Runs `count` scripted runs in virtual time and keeps everything that happened. */
function launch(
  count: number,
  script: (run: Run, attempt: number) => Script,
  part: Partial<StudyRun> & { jobs?: number } = {},
) {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const kill = new AbortController();
  const executor = new FakeExecutor(clock, part.jobs ?? 1, script);
  const events: StudyEvent[] = [];
  const records: RunRecord[] = [];
  const runs = Array.from({ length: count }, (_, i) => aRun({ id: `run-${i}`, seed: i }));
  const summary = runStudy({
    pending: runs.map((run) => ({ run, reason: "new", attemptsBefore: 0 })),
    total: count,
    finished: 0,
    studyDir: "/study",
    program: "noop@1",
    executor,
    journal: { failure: undefined, append: (more) => void records.push(...more) },
    clock,
    sinks: [{ handle: (event) => events.push(event) }],
    limits: { retries: 0, backoffMs: 1000 },
    failFast: false,
    costBeforeUsd: 0,
    stop: stop.signal,
    kill,
    ...part,
  });
  const kinds = (kind: StudyEvent["kind"]) => events.filter((event) => event.kind === kind);
  return { summary, clock, executor, events, kinds, records, stop, kill };
}

describe("a launch with a time limit", () => {
  test("ends what runs as the budget's failure, and starts nothing more", async () => {
    const { summary, records, kinds } = launch(5, () => ({ durationMs: 40 }), {
      jobs: 2,
      limits: { retries: 0, backoffMs: 1000, wallMs: 100 },
    });
    expect(await summary).toMatchObject({ ok: 4, failed: 1, left: 0, stopped: "budget", wallMs: 100 });
    expect(records.at(-1)!.outcome).toEqual({
      ...{ status: "failed", owner: "budget" },
      reason: "the time of this launch is over, 100 ms",
    });
    expect(kinds("stopping")).toHaveLength(1);
  });

  test("cuts the wait before a retry short", async () => {
    const { summary, records } = launch(1, () => ({ durationMs: 10, attempt: BROKEN }), {
      limits: { retries: 3, backoffMs: 1000, wallMs: 100 },
    });
    expect(await summary).toMatchObject({ failed: 1, stopped: "budget", wallMs: 100 });
    expect(records[0]!.outcome).toEqual(BROKEN.outcome);
  });

  test("that is done before leaves no timer, and is none", async () => {
    const { summary, clock } = launch(2, () => ({ durationMs: 40 }), {
      limits: { retries: 0, backoffMs: 1000, wallMs: 100 },
    });
    const done = await summary;
    expect(done).toMatchObject({ ok: 2, failed: 0 });
    expect(done.stopped).toBeUndefined();
    expect(clock.now()).toBe(80);
  });
});

describe("a study that runs", () => {
  test("never has more under way than the executor takes, keeps it full, and records each run once", async () => {
    const durations = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(durations, fc.integer({ min: 1, max: 5 }), async (durationsMs, jobs) => {
        const { summary, events, records } = launch(
          durationsMs.length,
          ({ seed }) => ({ durationMs: durationsMs[seed]! }),
          { jobs },
        );
        const done = await summary;
        let running = 0;
        let most = 0;
        for (const { kind } of events) {
          if (kind === "started") most = Math.max(most, ++running);
          else if (kind === "ended") running--;
        }
        expect(most).toBe(Math.min(jobs, durationsMs.length));
        expect(done).toMatchObject({ ok: durationsMs.length, failed: 0, left: 0 });
        expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
        expect(records).toHaveLength(durationsMs.length);
      }),
      { numRuns: 30 },
    );
  });

  test("takes as long as its runs take side by side", async () => {
    const { summary } = launch(6, () => ({ durationMs: 1000 }), { jobs: 2 });
    expect((await summary).wallMs).toBe(3000);
  });

  test("writes a record down before anybody hears of it", async () => {
    const written = new Set<string>();
    const tooEarly: string[] = [];
    const { summary } = launch(20, ({ seed }) => ({ durationMs: seed % 3 }), {
      jobs: 4,
      journal: { failure: undefined, append: (records) => records.forEach(({ id }) => void written.add(id)) },
      sinks: [
        {
          handle: (event) =>
            void (event.kind === "ended" && !written.has(event.record.id) && tooEarly.push(event.record.id)),
        },
      ],
    });
    await summary;
    expect(written.size).toBe(20);
    expect(tooEarly).toEqual([]);
  });

  test("says how a run ended, with what it measured and which state of the program", async () => {
    const { summary, records, events } = launch(1, () => ({
      durationMs: 5,
      attempt: { metrics: { x: 2 }, costUsd: 0.5 },
    }));
    expect(await summary).toMatchObject({ ok: 1, costUsd: 0.5 });
    expect(records[0]).toEqual({
      ...aRun({ id: "run-0", seed: 0 }),
      program: "noop@1",
      attempt: 1,
      outcome: { status: "ok" },
      metrics: { x: 2 },
      startedAtMs: 0,
      wallMs: 5,
      costUsd: 0.5,
    });
    expect(events.map(({ kind }) => kind)).toEqual(["planned", "started", "ended", "closed"]);
  });
});

describe("tries that were killed", () => {
  test("count as attempts with what they cost, and use up no retries", async () => {
    const lost = [{ reason: "it was killed", wallMs: 7, costUsd: 2 }];
    const { summary, records } = launch(
      1,
      (_, attempt) => ({
        durationMs: 5,
        attempt: attempt === 1 ? { ...BROKEN, lost, costUsd: 1 } : { costUsd: 1 },
      }),
      { limits: { retries: 1, backoffMs: 1 } },
    );
    expect(await summary).toMatchObject({ ok: 1, costUsd: 4 });
    expect(records[0]).toMatchObject({ attempt: 3, earlier: [lost[0], { costUsd: 1 }] });
  });
});

describe("a failed run", () => {
  test("of the infrastructure is tried again after a pause that doubles, and all tries are kept", async () => {
    const { summary, kinds, records } = launch(
      1,
      (_, attempt) => ({ durationMs: 10, ...(attempt < 4 && { attempt: BROKEN }) }),
      {
        limits: { retries: 3, backoffMs: 1000 },
      },
    );
    expect(await summary).toMatchObject({ ok: 1, failed: 0, wallMs: 4 * 10 + 7000 });
    expect(kinds("retrying").map((event) => event.kind === "retrying" && event.waitMs)).toEqual([
      1000, 2000, 4000,
    ]);
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ attempt: 4, outcome: { status: "ok" } });
    expect(records[0]!.earlier).toEqual(Array(3).fill({ reason: "no network", wallMs: 10 }));
  });

  test("is recorded as failed when its retries are used up", async () => {
    const { summary, records, executor } = launch(1, () => ({ durationMs: 1, attempt: BROKEN }), {
      limits: { retries: 2, backoffMs: 1 },
    });
    expect(await summary).toMatchObject({ ok: 0, failed: 1 });
    expect(executor.jobs.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(records[0]!.earlier).toHaveLength(2);
  });

  test.each<[string, Partial<Attempt>]>([
    ["of the agent's own", { outcome: failed("agent", "exit 1", 1) }],
    ["of the grader", { outcome: failed("grader", "no answer") }],
    ["by its time limit", { outcome: { status: "timeout", owner: "agent" } }],
  ])("%s is not tried again, and the others go on", async (_, attempt) => {
    const { summary, executor } = launch(
      3,
      ({ seed }) => ({ durationMs: 1, ...(seed === 0 && { attempt }) }),
      {
        limits: { retries: 5, backoffMs: 1 },
      },
    );
    expect(await summary).toMatchObject({ ok: 2, failed: 1, left: 0 });
    expect(executor.jobs).toHaveLength(3);
  });

  test("ends the study under --fail-fast: what runs is cancelled, nothing more starts", async () => {
    const { summary, records, kinds } = launch(
      10,
      ({ seed }) =>
        seed === 2 ? { durationMs: 5, attempt: { outcome: failed("agent", "exit 1") } } : { durationMs: 100 },
      { jobs: 3, failFast: true },
    );
    expect(await summary).toMatchObject({
      failed: 1,
      cancelled: 2,
      left: 7,
      stopped: "fail-fast",
      wallMs: 5,
    });
    expect(records).toHaveLength(3);
    expect(kinds("stopping")).toEqual([{ kind: "stopping", why: "run-2 failed (--fail-fast)" }]);
  });
});

describe("a budget", () => {
  const dollar: Script = { durationMs: 1, attempt: { costUsd: 1 } };

  test("stops the start of runs once it is spent", async () => {
    const { summary } = launch(10, () => dollar, { limits: { retries: 0, backoffMs: 1, costUsd: 3 } });
    expect(await summary).toMatchObject({ ok: 3, left: 7, stopped: "budget", costUsd: 3 });
  });

  test("of a launch is its own, however much earlier ones have cost", async () => {
    const limits = { retries: 0, backoffMs: 1, costUsd: 3, totalCostUsd: 100 };
    const { summary, kinds } = launch(10, () => dollar, { costBeforeUsd: 50, limits });
    expect(await summary).toMatchObject({ ok: 3, stopped: "budget", costUsd: 53 });
    expect(kinds("stopping")).toMatchObject([{ why: "the launch has cost $3.00 of $3" }]);
  });

  test("counts what earlier launches have cost in its total, and failed tries", async () => {
    const before = launch(10, () => dollar, {
      costBeforeUsd: 2,
      limits: { retries: 0, backoffMs: 1, totalCostUsd: 3 },
    });
    expect(await before.summary).toMatchObject({ ok: 1, stopped: "budget" });
    const failing = { durationMs: 1, attempt: { ...BROKEN, costUsd: 1 } };
    const retried = launch(10, (_, attempt) => (attempt < 3 ? failing : dollar), {
      limits: { retries: 2, backoffMs: 1, costUsd: 3 },
    });
    expect(await retried.summary).toMatchObject({ ok: 1, costUsd: 3, stopped: "budget" });
  });
});

describe("stopping", () => {
  /** Calls back once, at the start of a run. */
  const whenStarted = (id: string, callback: () => void) => ({
    handle: (event: StudyEvent) => void (event.kind === "started" && event.run.id === id && callback()),
  });

  test("lets what runs finish and starts nothing more", async () => {
    const stop = new AbortController();
    const { summary, records } = launch(10, () => ({ durationMs: 100 }), {
      jobs: 2,
      stop: stop.signal,
      sinks: [whenStarted("run-3", () => stop.abort())],
    });
    expect(await summary).toMatchObject({ ok: 4, cancelled: 0, left: 6, stopped: "interrupted" });
    expect(records.every(({ outcome }) => outcome.status === "ok")).toBe(true);
  });

  test("does not wait for the pause before a retry, nor try again", async () => {
    const stop = new AbortController();
    const { summary, executor, records } = launch(1, () => ({ durationMs: 10, attempt: BROKEN }), {
      stop: stop.signal,
      limits: { retries: 5, backoffMs: 3_600_000 },
      sinks: [{ handle: (event) => void (event.kind === "retrying" && stop.abort()) }],
    });
    expect(await summary).toMatchObject({ failed: 1, wallMs: 10 });
    expect(executor.jobs).toHaveLength(1);
    expect(records[0]).toMatchObject({ attempt: 1, outcome: { status: "failed", owner: "infrastructure" } });
    expect(records[0]!.earlier).toBeUndefined();
  });

  test("before the start runs nothing", async () => {
    const { summary, executor } = launch(3, () => ({ durationMs: 1 }), { stop: AbortSignal.abort() });
    expect(await summary).toMatchObject({ ok: 0, left: 3, stopped: "interrupted" });
    expect(executor.jobs).toEqual([]);
  });

  test("at its end changes nothing", async () => {
    const stop = new AbortController();
    const { summary } = launch(2, () => ({ durationMs: 1 }), {
      stop: stop.signal,
      sinks: [whenStarted("run-1", () => stop.abort())],
    });
    const done = await summary;
    expect(done).toMatchObject({ ok: 2, left: 0 });
    expect(done.stopped).toBeUndefined();
  });

  test("by kill ends what runs at once, records it as cancelled, and starts nothing more", async () => {
    const kill = new AbortController();
    const { summary, records, executor } = launch(10, () => ({ durationMs: 100 }), {
      jobs: 2,
      kill,
      sinks: [whenStarted("run-1", () => kill.abort())],
    });
    expect(await summary).toMatchObject({ ok: 0, cancelled: 2, left: 8, stopped: "interrupted", wallMs: 0 });
    expect(records.map(({ outcome }) => outcome.status)).toEqual(["cancelled", "cancelled"]);
    expect(executor.jobs).toHaveLength(2);
  });

  test("gives back what had not begun as left, without a record", async () => {
    const skipped: Script = { durationMs: 1, attempt: { outcome: { status: "skipped" } } };
    const { summary, records } = launch(3, ({ seed }) => (seed === 1 ? skipped : { durationMs: 1 }));
    expect(await summary).toMatchObject({ ok: 2, left: 1 });
    expect(records.map(({ id }) => id)).toEqual(["run-0", "run-2"]);
  });
});

describe("a machine that refuses", () => {
  const full = () => Object.assign(new Error("no space left on device"), { code: "ENOSPC" });

  test("the journal ends the study with a clear error, after what runs has been ended", async () => {
    let appends = 0;
    const append = () => {
      if (++appends > 2) throw full();
    };
    const { summary, executor, kill, kinds } = launch(
      100,
      ({ seed }) => ({ durationMs: seed < 3 ? 1 : 10_000 }),
      {
        jobs: 3,
        journal: { failure: undefined, append },
      },
    );
    await expect(summary).rejects.toThrow(MachineError);
    await expect(summary).rejects.toThrow("no space left on device");
    expect(kill.signal.aborted).toBe(true);
    expect(executor.jobs.length).toBeLessThan(10);
    expect(kinds("closed")).toEqual([]);
  });

  test("to keep what was written is an error too, and nothing counts as done from then on", async () => {
    const journal = { failure: new MachineError("the disk did not take the journal"), append: () => {} };
    const { summary, kinds } = launch(5, () => ({ durationMs: 1 }), { journal });
    await expect(summary).rejects.toThrow("the disk did not take the journal");
    expect(kinds("ended")).toEqual([]);
  });

  test("an attempt ends the study, and what else ran is recorded as cancelled", async () => {
    const { summary, records } = launch(
      10,
      ({ seed }) => {
        if (seed === 1) throw full();
        return { durationMs: 1000 };
      },
      { jobs: 2 },
    );
    await expect(summary).rejects.toThrow("Finished runs are safe");
    expect(records.map(({ id, outcome }) => [id, outcome.status])).toEqual([["run-0", "cancelled"]]);
  });

  test("a bug is thrown as it is", async () => {
    const { summary } = launch(1, () => {
      throw new TypeError("a bug");
    });
    await expect(summary).rejects.toThrow(TypeError);
  });
});

describe("money", () => {
  const dime = () => ({ durationMs: 10, attempt: { costUsd: 0.1 } });

  test("of ten dimes is a dollar, and no eleventh run starts", async () => {
    const { summary } = launch(20, dime, { limits: { retries: 0, backoffMs: 0, costUsd: 1 } });
    expect(await summary).toMatchObject({ ok: 10, left: 10, costUsd: 1, stopped: "budget" });
  });

  test("that is spent holds nothing back where nothing more was meant", async () => {
    const limits = { retries: 0, backoffMs: 0, costUsd: 0.2 };
    const { summary } = launch(2, dime, { limits, total: 50, meant: 2 });
    const done = await summary;
    expect(done).toMatchObject({ ok: 2, left: 48 });
    expect(done.stopped).toBeUndefined();
  });
});

describe("a run that has a result and is done again", () => {
  const again = [0, 1].map((i) => ({
    run: aRun({ id: `run-${i}`, seed: i }),
    reason: "asked for",
    attemptsBefore: 1,
    hasResult: true,
  }));

  test("keeps it when it is cancelled, and what it has cost counts", async () => {
    const kept: RunRecord[] = [];
    const spending = () => ({ durationMs: 100, attempt: { costUsd: 0.5 } });
    const { summary, records, kill, clock, kinds } = launch(2, spending, {
      pending: again,
      keepCost: (record) => void kept.push(record),
    });
    await clock.sleep(150);
    kill.abort();
    expect(await summary).toMatchObject({ ok: 1, cancelled: 1, stopped: "interrupted" });
    expect(records.map(({ id, outcome }) => [id, outcome.status])).toEqual([["run-0", "ok"]]);
    expect(kinds("ended")).toHaveLength(2);
    expect(kept).toEqual([]);
  });

  test("fails like any other, and what a cancelled one has cost is written down", async () => {
    const kept: RunRecord[] = [];
    const { summary, records } = launch(
      2,
      ({ seed }) => ({
        durationMs: 10,
        attempt:
          seed === 0 ? { outcome: failed("agent", "x") } : { outcome: { status: "cancelled" }, costUsd: 0.5 },
      }),
      { pending: again, keepCost: (record) => void kept.push(record) },
    );
    expect(await summary).toMatchObject({ failed: 1, cancelled: 1, costUsd: 0.5 });
    expect(records.map(({ id }) => id)).toEqual(["run-0"]);
    expect(kept).toMatchObject([{ id: "run-1", costUsd: 0.5 }]);
  });
});
