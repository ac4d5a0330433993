import fs, { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { describe, expect, test } from "vitest";
import { createRedactor } from "../../src/core/redact.ts";
import { Journal } from "../../src/engine/journal.ts";
import { History } from "../../src/engine/pending.ts";
import { aRecord } from "../support/a-study.ts";
import { TempFolder } from "../support/temp-folder.ts";

test("a metric that looks like a secret leaves the record readable, and the run done", () => {
  using folder = new TempFolder();
  const path = `${folder.path}/journal.jsonl`;
  const journal = new Journal(
    path,
    { goodBytes: 0, needsNewline: false },
    createRedactor({ DB_PASSWORD: "12345678" }),
  );
  const record = aRecord({
    metrics: { bytes: 12345678 },
    outcome: { status: "ok", reason: "with 12345678" },
  });
  journal.append([record]);
  journal.close();
  const history = new History(path, []);
  expect(history.isFinished(record)).toBe(true);
  expect(history.recordOf(record)).toMatchObject({
    metrics: { bytes: 12345678 },
    outcome: { reason: "with [secret DB_PASSWORD]" },
  });
  history.close();
});

describe("a disk that does not take the journal", () => {
  const REFUSED = Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
  const redactor = createRedactor({});
  const start = { goodBytes: 0, needsNewline: false };

  /** A disk that refuses to sync when told to, until disposed of. */
  class FailingDisk implements Disposable {
    readonly #real = { fdatasync: fs.fdatasync, fdatasyncSync: fs.fdatasyncSync };
    isBroken = false;

    constructor() {
      fs.fdatasyncSync = () => {
        if (this.isBroken) throw REFUSED;
      };
      syncBuiltinESMExports();
    }

    [Symbol.dispose](): void {
      Object.assign(fs, this.#real);
      syncBuiltinESMExports();
    }
  }

  test("leaves no record that it has not confirmed: the next start does those runs again", () => {
    using folder = new TempFolder();
    using disk = new FailingDisk();
    const path = `${folder.path}/journal.jsonl`;
    const [kept, lost] = ["a", "b"].map((letter) => aRecord({ id: `${letter}__${letter.repeat(12)}` }));
    const first = new Journal(path, start, redactor);
    first.append([kept!]);
    first.close();
    const length = readFileSync(path).length;
    const second = new Journal(path, { goodBytes: length, needsNewline: false }, redactor);
    second.append([lost!]);
    expect(readFileSync(path).length).toBeGreaterThan(length);
    disk.isBroken = true;
    expect(() => second.close()).toThrow(/the disk did not take the journal \(EIO.*will be done again/);
    const history = new History(path, []);
    expect(history.isFinished(kept!)).toBe(true);
    expect(history.isFinished(lost!)).toBe(false);
    history.close();
  });

  test("is found out before anything new runs", () => {
    using folder = new TempFolder();
    using disk = new FailingDisk();
    disk.isBroken = true;
    expect(() => new Journal(`${folder.path}/journal.jsonl`, start, redactor)).toThrow(
      "the disk did not take",
    );
  });
});
