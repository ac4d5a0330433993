import { expect, test } from "vitest";
import { createRedactor } from "../../src/core/redact.ts";
import { History } from "../../src/engine/history.ts";
import { Journal } from "../../src/engine/journal.ts";
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
