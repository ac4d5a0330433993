import { expect, test } from "vitest";
import { runNotes } from "../../src/analysis/compare/conclude.ts";
import { SECRETS_LEFT } from "../../src/core/redact.ts";
import { aRecord } from "../support/a-study.ts";

const run = (n: number, ...warnings: string[]) =>
  aRecord({ id: `run${n}`, warnings, metrics: { p99_ms: 2, p95_ms: 1 } });
const left = (n: number) => `${n} of 50 workflows did not finish`;

test("notes of one kind are one line, with the range of their numbers; a note of some runs is a warning; one on another metric is left out", () => {
  expect(runNotes([run(1, left(3)), run(2, left(1)), run(3)], "p95_ms")).toEqual([
    { kind: "run-note", level: "warn", text: "In 2 of 3 runs, 1 to 3 of 50 workflows did not finish." },
  ]);
  expect(runNotes([run(1, left(3)), run(2, left(3))], "p95_ms")).toEqual([
    { kind: "run-note", level: "info", text: "In all runs, 3 of 50 workflows did not finish." },
  ]);
  const names = runNotes([run(1, "p99_ms rests on 5 workflows", "p95_ms rests on 5 workflows")], "p95_ms");
  expect(names.map(({ text }) => text)).toEqual(["In all runs, p95_ms rests on 5 workflows."]);
});

test("failed runs, and secrets, which are told elsewhere, are left out; many kinds are counted", () => {
  const failed = aRecord({ id: "run9", warnings: [left(1)], outcome: { status: "failed" } });
  expect(runNotes([failed, run(1, `out/x ${SECRETS_LEFT}`)], "p95_ms")).toEqual([]);
  const texts = runNotes([run(1, ..."abcdef")], "p95_ms").map(({ text }) => text);
  expect(texts).toHaveLength(5);
  expect(texts.at(-1)).toMatch(/^Runs have 2 further kinds of notes/);
});
