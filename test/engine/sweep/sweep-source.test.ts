import { appendFileSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Params } from "../../../src/core/params.ts";
import { createRedactor } from "../../../src/core/redact.ts";
import { failed, OK, type Outcome, type Run, type RunRecord } from "../../../src/core/run.ts";
import type { Pending } from "../../../src/engine/run-study.ts";
import { Ledger } from "../../../src/engine/sweep/ledger.ts";
import { PointBook } from "../../../src/engine/sweep/point-book.ts";
import { SharedJournal } from "../../../src/engine/sweep/shared-journal.ts";
import { SweepSource } from "../../../src/engine/sweep/sweep-source.ts";
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

/** One worker on a folder, as a process would be one. */
function worker(dir: string, { points = 3, most = Number.POSITIVE_INFINITY } = {}) {
  const ledger = new Ledger(dir);
  ledger.join();
  const book = new PointBook(`${dir}/journal.jsonl`, runsOf);
  const journal = new SharedJournal(`${dir}/journal.jsonl`, ledger, createRedactor({}));
  const source = new SweepSource({
    ledger,
    book,
    runsOf,
    most,
    propose: ({ points }) => ({ x: points.length }),
    isDue: (run) => book.resultOf(run)?.outcome.status !== "ok",
    isEnough: (known) => (known.points.length >= points ? { why: "all points were proposed" } : undefined),
  });
  const end = (pending: Pending, outcome: Outcome = OK) => journal.append([record(pending.run, outcome)]);
  const take = () => {
    const next = source.next();
    if (next === undefined || next === "later") throw new Error(`no run: ${next}`);
    return next;
  };
  return { ledger, book, journal, source, end, take, [Symbol.dispose]: () => close(ledger, journal) };
}

function close(ledger: Ledger, journal: SharedJournal): void {
  journal.close();
  ledger.close();
}

function record(run: Run, outcome: Outcome): RunRecord {
  return { ...run, program: "p", attempt: 1, outcome, metrics: { y: run.seed }, startedAtMs: 0, wallMs: 1 };
}

function recordedIds(dir: string): string[] {
  const lines = readFileSync(`${dir}/journal.jsonl`, "utf8").trimEnd().split("\n");
  return lines.map((line) => (JSON.parse(line) as RunRecord).id);
}

describe("a sweep's runs", () => {
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

  test("that were cancelled go back, and those that failed are done again only when asked", () => {
    using folder = new TempFolder();
    {
      using one = worker(folder.path, { points: 1 });
      one.end(one.take(), { status: "cancelled" });
      one.end(one.take());
      one.end(one.take(), failed("agent", "it broke"));
      expect(one.source.next()).toBeUndefined();
    }
    using two = worker(folder.path, { points: 1 });
    expect(two.source.next()).toBeUndefined();
    two.ledger.handOutAgain();
    using three = worker(folder.path, { points: 1 });
    expect(three.take()).toMatchObject({ reason: "failed before", attemptsBefore: 1 });
  });

  test("stop at a worker's count, and while the sweep is paused, and when it is finished", () => {
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
