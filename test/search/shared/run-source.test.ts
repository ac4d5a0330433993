import { appendFileSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Params } from "../../../src/core/params.ts";
import { createRedactor } from "../../../src/core/redact.ts";
import { failed, OK, type Outcome, type Run, type RunRecord } from "../../../src/core/run.ts";
import type { Pending } from "../../../src/engine/run-study.ts";
import { Ledger } from "../../../src/search/shared/ledger.ts";
import { PointBook } from "../../../src/search/shared/point-book.ts";
import { RunSource } from "../../../src/search/shared/run-source.ts";
import { SharedJournal } from "../../../src/search/shared/shared-journal.ts";
import { TempFolder } from "../../support/temp-folder.ts";

const SEEDS = [1, 2];

function* runsOf(params: Params): Generator<Run> {
  for (const seed of SEEDS) {
    const hash = (Number(params.x) * 100 + seed).toString(16).padStart(12, "0");
    yield {
      id: `x${params.x}__${hash}`,
      params,
      variant: "baseline",
      flags: [],
      seed,
      task: null,
      repeat: 0,
    };
  }
}

interface Part {
  points?: number;
  most?: number;
  host?: string;
  nowMs?: number;
  limitUsd?: number;
  /** Which x the space has. */
  space?: number[];
}

/** One worker on a folder, as a process would be one. */
function worker(dir: string, part: Part = {}) {
  const { points = 3, most = Number.POSITIVE_INFINITY, host = "here", nowMs = 0, limitUsd, space } = part;
  const ledger = new Ledger(dir, { me: { pid: process.pid, host, birth: "" }, nowMs: () => nowMs });
  ledger.join();
  const pointIn = (params: Params) => ((space?.includes(Number(params.x)) ?? true) ? params : undefined);
  const book = new PointBook(`${dir}/journal.jsonl`, { runsOf, pointIn });
  let isEnding = false;
  const journal = new SharedJournal(`${dir}/journal.jsonl`, ledger, {
    redactor: createRedactor({}),
    isEnding: () => isEnding,
  });
  const source = new RunSource({
    ledger,
    book,
    runsOf,
    most,
    ...(limitUsd !== undefined && {
      isSpent: ({ costUsd }) => (costUsd >= limitUsd ? `it has cost $${costUsd}` : undefined),
    }),
    propose: ({ known }) => ({ x: known }),
    isDue: (run) => book.resultOf(run)?.outcome.status !== "ok",
    isEnough: (known) => (known.points.length >= points ? { why: "all points were proposed" } : undefined),
  });
  const end = (pending: Pending, outcome: Outcome = OK) => journal.append([record(pending.run, outcome)]);
  const take = () => {
    const next = source.next();
    if (next === undefined || next === "later" || "stopped" in next) throw new Error(`no run: ${next}`);
    return next;
  };
  const interrupt = () => {
    isEnding = true;
  };
  return {
    ...{ ledger, book, journal, source, end, take, interrupt },
    [Symbol.dispose]: () => close(ledger, journal),
  };
}

function close(ledger: Ledger, journal: SharedJournal): void {
  journal.close();
  ledger.close();
}

function record(run: Run, outcome: Outcome): RunRecord {
  const facts = { program: "p", attempt: 1, startedAtMs: 0, wallMs: 1, costUsd: 1 };
  return { ...run, ...facts, outcome, metrics: { y: run.seed } };
}

function recordedIds(dir: string): string[] {
  const lines = readFileSync(`${dir}/journal.jsonl`, "utf8").trimEnd().split("\n");
  return lines.map((line) => (JSON.parse(line) as RunRecord).id);
}

describe("a search's runs", () => {
  test("go out once each when all points are looked through again, those that a dead worker left included", () => {
    using folder = new TempFolder();
    const gone = worker(folder.path);
    gone.end(gone.take());
    gone.take();
    close(gone.ledger, gone.journal);
    using next = worker(folder.path);
    next.ledger.handOutAgain();
    const ids = Array.from({ length: 5 }, () => next.take().run.id);
    expect(new Set([...ids, ...recordedIds(folder.path)]).size).toBe(6);
    expect(next.source.next()).toBe("later");
  });

  test("go to one worker each, and all of them go", () => {
    using folder = new TempFolder();
    using one = worker(folder.path);
    using two = worker(folder.path);
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      for (const each of [one, two]) {
        const pending = each.take();
        ids.push(pending.run.id);
        each.end(pending);
      }
    }
    expect(new Set(ids).size).toBe(6);
    expect(recordedIds(folder.path).toSorted()).toEqual(ids.toSorted());
    expect([one.source.next(), two.source.next()]).toEqual([undefined, undefined]);
    expect(one.source.ending).toEqual({ why: "all points were proposed" });
    one.source.lookAgain();
    expect(one.book.finished.map(({ number }) => number)).toEqual([0, 1, 2]);
  });

  test("wait for another worker's last run, and take it over when that worker is dead", () => {
    using folder = new TempFolder();
    const dying = worker(folder.path, { points: 1 });
    using other = worker(folder.path, { points: 1 });
    const left = dying.take();
    other.end(other.take());
    expect(other.source.next()).toBe("later");
    dying.journal.close();
    dying.ledger.close();
    const again = other.take();
    expect(again.run).toEqual(left.run);
    other.end(again);
    expect(other.source.next()).toBeUndefined();
    expect(recordedIds(folder.path)).toHaveLength(2);
  });

  test("are not done again when their worker died between recording and saying so", () => {
    using folder = new TempFolder();
    const dying = worker(folder.path, { points: 1 });
    using other = worker(folder.path, { points: 1 });
    const { run } = dying.take();
    appendFileSync(`${folder.path}/journal.jsonl`, `${JSON.stringify(record(run, OK))}\n`);
    dying.journal.close();
    dying.ledger.close();
    expect(other.take().run.id).not.toBe(run.id);
    expect(other.ledger.claims().map(({ run: { id } }) => id)).not.toContain(run.id);
  });

  test("survive the half line that a killed worker left", () => {
    using folder = new TempFolder();
    using one = worker(folder.path, { points: 1 });
    one.end(one.take());
    appendFileSync(`${folder.path}/journal.jsonl`, '{"id":"torn');
    one.end(one.take());
    expect(recordedIds(folder.path)).toHaveLength(2);
    expect(one.source.next()).toBeUndefined();
  });

  test("that failed or were cancelled by name are done again only when asked", () => {
    using folder = new TempFolder();
    {
      using one = worker(folder.path, { points: 1 });
      one.end(one.take(), { status: "cancelled" });
      one.end(one.take(), failed("agent", "it broke"));
      expect(one.source.next()).toBeUndefined();
    }
    using two = worker(folder.path, { points: 1 });
    expect(two.source.next()).toBeUndefined();
    two.ledger.handOutAgain();
    using three = worker(folder.path, { points: 1 });
    expect(three.take()).toMatchObject({ reason: "cancelled before", attemptsBefore: 1 });
    expect(three.take()).toMatchObject({ reason: "failed before", attemptsBefore: 1 });
  });

  test("go back when their worker is interrupted", () => {
    using folder = new TempFolder();
    using one = worker(folder.path, { points: 1 });
    const { run } = one.take();
    one.interrupt();
    one.end({ run, reason: "new", attemptsBefore: 0 }, { status: "cancelled" });
    using two = worker(folder.path, { points: 1 });
    expect(two.take()).toMatchObject({ run: { id: run.id }, reason: "cancelled before" });
  });

  test("of a worker under another host name are taken over once it has been silent for a minute", () => {
    using folder = new TempFolder();
    using gone = worker(folder.path, { points: 1, host: "there" });
    gone.take();
    gone.end(gone.take());
    using early = worker(folder.path, { points: 1, nowMs: 59_000 });
    expect(early.ledger.dead()).toEqual([]);
    early.ledger.buryDead();
    expect(early.source.next()).toBe("later");
    using late = worker(folder.path, { points: 1, nowMs: 61_000 });
    expect(late.ledger.dead()).toMatchObject([{ host: "there" }]);
    late.ledger.buryDead();
    late.end(late.take());
    expect(late.source.next()).toBeUndefined();
  });

  test("stay with a worker under another host name that says it lives, and come back to one that wakes up", () => {
    using folder = new TempFolder();
    using far = worker(folder.path, { points: 1, host: "there" });
    const { run } = far.take();
    using near = worker(folder.path, { points: 1, nowMs: 61_000 });
    using later = worker(folder.path, { points: 1, host: "there", nowMs: 60_000 });
    later.ledger.beat();
    expect(near.ledger.others().map(({ host }) => host)).toContain("there");
    near.ledger.buryDead();
    const again = near.take();
    expect(again.run.id).toBe(run.id);
    far.ledger.beat();
    far.end({ run, reason: "new", attemptsBefore: 0 });
    expect(near.ledger.isTaken(run)).toBe(true);
    expect(near.ledger.workers()).toHaveLength(3);
  });

  test("cost no more than the limit in sum, however many workers share it", () => {
    using folder = new TempFolder();
    using one = worker(folder.path, { limitUsd: 3 });
    using two = worker(folder.path, { limitUsd: 3 });
    one.end(one.take());
    two.end(two.take());
    one.end(one.take());
    for (const each of [one, two])
      expect(each.source.next()).toEqual({ stopped: "budget", why: "it has cost $3" });
    expect(recordedIds(folder.path)).toHaveLength(3);
    using rich = worker(folder.path, { limitUsd: 9 });
    for (let i = 0; i < 3; i++) rich.end(rich.take());
    expect(rich.source.next()).toBeUndefined();
    using late = worker(folder.path, { limitUsd: 3 });
    expect(late.source.next()).toBeUndefined();
  });

  test("are done once where two points have them, whichever of these came first", () => {
    using folder = new TempFolder();
    using one = worker(folder.path, { points: 2 });
    one.end(one.take());
    one.ledger.addPoint({ number: 1, params: { x: 0 }, journalBytes: 0, isAsked: false, handed: 0 });
    one.end(one.take());
    expect(one.source.next()).toBeUndefined();
    expect(recordedIds(folder.path)).toHaveLength(2);
    expect(one.book.finished.map(({ number }) => number)).toEqual([0, 1]);
    expect(one.book.ended).toEqual({ ok: 2, failed: 0 });
  });

  test("of points that the space no longer has are neither done nor known to a searcher", () => {
    using folder = new TempFolder();
    using wide = worker(folder.path, { points: 2 });
    for (let i = 0; i < 3; i++) wide.end(wide.take());
    using narrow = worker(folder.path, { points: 3, space: [0, 2, 3, 4] });
    expect(narrow.take().run.params).toEqual({ x: 2 });
    expect(narrow.book.points.map(({ number }) => number)).toEqual([0, 2]);
    using lost = worker(folder.path, { points: 9, space: [] });
    expect(() => lost.source.next()).toThrow("outside its space");
  });

  test("that ended before their point was known belong to it as soon as it is", () => {
    using folder = new TempFolder();
    for (const run of [...runsOf({ x: 0 }), ...runsOf({ x: 1 })])
      appendFileSync(`${folder.path}/journal.jsonl`, `${JSON.stringify(record(run, OK))}\n`);
    using one = worker(folder.path);
    expect(one.take().run.params).toEqual({ x: 2 });
    expect(one.book.finished.map(({ number }) => number)).toEqual([0, 1]);
  });

  test("stop at a worker's count, and while the search is paused, and when it is finished", () => {
    using folder = new TempFolder();
    using counted = worker(folder.path, { most: 1 });
    counted.end(counted.take());
    expect(counted.source.next()).toBeUndefined();
    using other = worker(folder.path);
    other.ledger.setFact("state", "paused");
    expect(other.source.next()).toBe("later");
    other.ledger.setFact("state", "finished");
    other.end(other.take());
    expect(other.source.next()).toBeUndefined();
    expect(other.source.ending).toEqual({ why: "it was finished by hand" });
  });

  test("tell with each point how much of the journal its searcher had seen", () => {
    using folder = new TempFolder();
    using one = worker(folder.path, { points: 2 });
    const first = [one.take(), one.take()];
    const early = one.take();
    expect(one.ledger.pointsFrom(0).map(({ journalBytes }) => journalBytes)).toEqual([0, 0]);
    for (const pending of [...first, early]) one.end(pending);
    expect(one.ledger.pointsFrom(1)).toMatchObject([{ number: 1, params: { x: 1 }, isAsked: true }]);
  });
});
