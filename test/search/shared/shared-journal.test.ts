import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createRedactor } from "../../../src/core/redact.ts";
import { Ledger } from "../../../src/search/shared/ledger.ts";
import { SharedJournal } from "../../../src/search/shared/shared-journal.ts";
import { aRecord } from "../../support/a-study.ts";
import { TempFolder } from "../../support/temp-folder.ts";

test("a record keeps a number that has the digits of a secret, and loses the secret", () => {
  using folder = new TempFolder();
  const path = `${folder.path}/journal.jsonl`;
  const ledger = new Ledger(folder.path);
  ledger.join();
  const redactor = createRedactor({ DB_PASSWORD: "12345678" });
  const journal = new SharedJournal(path, ledger, { redactor, isEnding: () => false });
  journal.append([aRecord({ metrics: { rows: 12_345_678 }, labels: { said: "it is 12345678" } })]);
  journal.close();
  ledger.close();
  const line = readFileSync(path, "utf8");
  expect(JSON.parse(line)).toMatchObject({
    metrics: { rows: 12_345_678 },
    labels: { said: "it is [secret DB_PASSWORD]" },
  });
});
