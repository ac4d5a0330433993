import { describe, expect, test } from "vitest";
import { RunBook } from "../../../src/executors/slurm/run-book.ts";
import { aRun } from "../../support/a-study.ts";

const job = { run: aRun(), attempt: 1 };
const good = { outcome: { status: "ok" as const }, metrics: { v: 1 }, startedAtMs: 0, wallMs: 5 };

/** Runs whose promise has not been asked for yet end in a rejection that nobody minds. */
function submitted(book: RunBook) {
  const result = book.claim(job);
  const [entry] = book.takeWaiting(1);
  return { result, entry: entry! };
}

describe("the book of runs", () => {
  test("gives a result that an earlier launch left at once, and only for the same attempt", async () => {
    const book = new RunBook();
    book.finish(book.adopt({ job, kills: 0, moves: 0 }), good);
    await expect(book.claim(job)).resolves.toEqual(good);
    void book.claim({ ...job, attempt: 2 });
    expect(book.waiting).toBe(1);
  });

  test("does not submit again what an earlier launch has in Slurm", async () => {
    const book = new RunBook();
    const entry = book.adopt({ job, kills: 0, moves: 0 });
    const result = book.claim(job);
    expect(book.waiting).toBe(0);
    book.finish(entry, good);
    await expect(result).resolves.toEqual(good);
  });

  test("listens to the newest batch that has a run", () => {
    const book = new RunBook();
    const old = book.adopt({ job, kills: 0, moves: 0 });
    const newer = book.adopt({ job, kills: 1, moves: 0 });
    expect(book.isCurrent(old)).toBe(false);
    expect(book.isCurrent(newer)).toBe(true);
  });

  test("runs again what the cluster ended, alone, and gives up after three times", () => {
    const book = new RunBook();
    const { entry } = submitted(book);
    for (const node of ["n1", "n2"]) {
      entry.isBegun = true;
      entry.cut = { wallMs: 10, costUsd: 0.5 };
      expect(book.again(entry, `${node} failed`)).toBeUndefined();
      expect(entry.goesAlone).toBe(true);
      expect(book.takeWaiting(1)).toEqual([entry]);
    }
    entry.isBegun = true;
    expect(book.again(entry, "n2 failed")).toMatchObject({
      outcome: {
        status: "failed",
        owner: "infrastructure",
        reason: "under way 3 times when the cluster ended its task",
      },
      lost: [
        { reason: "n1 failed", wallMs: 10, costUsd: 0.5 },
        { reason: "n2 failed", wallMs: 10, costUsd: 0.5 },
        { reason: "n2 failed", wallMs: 0 },
      ],
    });
  });

  test("gives up on a run that no task ever gets to", () => {
    const book = new RunBook();
    const { entry } = submitted(book);
    let result: ReturnType<RunBook["again"]>;
    let rounds = 0;
    while (!result) {
      result = book.again(entry, "n1 has no disk");
      rounds++;
      book.takeWaiting(1);
    }
    expect(rounds).toBe(5);
    expect(result.outcome.reason).toBe("its task ended 5 times before the run began: n1 has no disk");
  });
});
