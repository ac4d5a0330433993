import { describe, expect, test } from "vitest";
import type { Outcome } from "../../src/core/run.ts";
import { cardOf } from "../../src/server/card-of.ts";
import { Tally } from "../../src/server/tally.ts";
import { aRecord, aStudyFile } from "../support/a-study.ts";

const NOW_MS = 1_700_000_100_000;
const idOf = (n: number) => `run__${n.toString(16).padStart(12, "0")}`;

function tallyOf(...outcomes: [number, Outcome["status"]][]): Tally {
  const tally = new Tally();
  for (const [n, status] of outcomes)
    tally.add(aRecord({ id: idOf(n), outcome: { status }, costUsd: 0.5 }), {
      isCurrent: true,
      nowMs: NOW_MS,
    });
  return tally;
}

const facts = {
  id: "s",
  name: "s",
  study: aStudyFile({ total: 3 }),
  runner: undefined,
  mayControl: true,
  nowMs: NOW_MS,
};
const runner = (state: "running" | "paused") => ({
  holder: { pid: 1, host: "here", startedAt: "", command: "" },
  live: {
    pid: 1,
    startedAtMs: NOW_MS - 20_000,
    total: 3,
    finished: 0,
    ok: 1,
    failed: 0,
    state,
    running: [{ id: "x", sinceMs: 1 }],
  },
  listens: true,
});

describe("the counts of a study", () => {
  test("are of the newest record of each run; costs are of all", () => {
    const tally = tallyOf([1, "failed"], [2, "ok"], [1, "ok"], [3, "cancelled"]);
    expect(tally.counts).toEqual({ ended: 3, ok: 2, stopped: 0, failed: 0, cancelled: 1 });
    expect(tally.newestFailures).toEqual([]);
    expect(tally.costUsd).toBe(2);
  });

  test("take a run that its study ended early for none that failed, and one that never began for cancelled", () => {
    const tally = tallyOf([1, "stopped"], [2, "ok"], [3, "skipped"], [4, "timeout"]);
    expect(tally.counts).toEqual({ ended: 4, ok: 1, stopped: 1, failed: 1, cancelled: 1 });
    expect(tally.newestFailures.map(({ id }) => id)).toEqual([idOf(4)]);
  });

  test("leave out what the study no longer has, but not its cost", () => {
    const tally = tallyOf([1, "ok"]);
    tally.add(aRecord({ id: idOf(9), costUsd: 3, earlier: [{ reason: "x", wallMs: 1, costUsd: 1 }] }), {
      isCurrent: false,
      nowMs: NOW_MS,
    });
    expect(tally.counts.ended).toBe(1);
    expect(tally.costUsd).toBe(4.5);
  });

  test("tell runs apart whose ids another tool made", () => {
    const tally = new Tally();
    for (const id of ["first run", "second run", "first run"])
      tally.add(aRecord({ id }), { isCurrent: true, nowMs: NOW_MS });
    expect(tally.counts).toMatchObject({ ended: 2, ok: 2 });
  });

  test("name the ten newest failures, the newest first", () => {
    const tally = tallyOf(...Array.from({ length: 12 }, (_, i): [number, "timeout"] => [i, "timeout"]));
    expect(tally.newestFailures.map(({ id }) => id)).toEqual(
      Array.from({ length: 10 }, (_, i) => idOf(11 - i)),
    );
  });

  test("give the pace of the last ten seconds", () => {
    const tally = new Tally();
    for (let i = 0; i < 40; i++)
      tally.add(aRecord({ id: idOf(i), startedAtMs: NOW_MS - 500 * i, wallMs: 0 }), {
        isCurrent: true,
        nowMs: NOW_MS,
      });
    expect(tally.perSecond(NOW_MS, NOW_MS - 60_000)).toBe(2);
    expect(tally.perSecond(NOW_MS, NOW_MS - 100)).toBeNull();
  });
});

describe("a study's card", () => {
  test("is stopped while runs are missing, then done, or failed", () => {
    expect(cardOf(tallyOf([1, "ok"]), facts)).toMatchObject({ state: "stopped", counts: { missing: 2 } });
    expect(cardOf(tallyOf([1, "ok"], [2, "ok"], [3, "cancelled"]), facts).state).toBe("stopped");
    expect(cardOf(tallyOf([1, "ok"], [2, "ok"], [3, "ok"]), facts).state).toBe("done");
    expect(cardOf(tallyOf([1, "ok"], [2, "ok"], [3, "timeout"]), facts).state).toBe("failed");
  });

  test("says what its runner says, and whether it can be steered", () => {
    const tally = tallyOf([1, "ok"]);
    const running = cardOf(tally, { ...facts, runner: runner("running") });
    expect(running).toMatchObject({ state: "running", canControl: true, running: [{ id: "x" }] });
    expect(running.etaMs).not.toBeNull();
    const paused = cardOf(tally, { ...facts, runner: runner("paused"), mayControl: false });
    expect(paused).toMatchObject({ state: "paused", canControl: false, etaMs: null, perSecond: null });
  });
});
