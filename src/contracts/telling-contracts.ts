import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { isAbsolute, join, normalize } from "node:path";
import { runStudy } from "../api/run-study.ts";
import { FoundFile as Found, type FoundFile } from "../archive/imports/found-file.ts";
import type { ImportedTrial, ImportProblem, ImportReader } from "../archive/imports/import-reader.ts";
import type { Run, RunRecord } from "../core/run.ts";
import type { SinkKind, StudyEvent } from "../core/sink.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import { reportOf } from "../read/write-report.ts";
import type { Report, Reporter } from "../reporters/reporter.ts";
import { type Check, type ContractOptions, frozen, inTempFolder } from "./contract.ts";

/** A study of two values and three seeds: all well, with failures, and before its first result. */
const STATES = ["whose runs went well", "with failed runs", "without results"] as const;

async function reportIn(state: (typeof STATES)[number], dir: string): Promise<Report> {
  const path = join(dir, "study.yaml");
  const matrix = "target: noop\nmatrix: {value: [1, 2]}\nseeds: 3\nanalysis: {metric: value}\n";
  writeFileSync(path, `study: contract\n${matrix}`);
  const { studyDir } = await runStudy(path, { outRoot: join(dir, "out") });
  const journal = join(studyDir, STUDY_FILES.journal);
  if (state === "without results") rmSync(journal);
  if (state === "with failed runs") {
    const records = readFileSync(journal, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as RunRecord);
    const reason = 'it said <b>"no"</b> | and\nleft';
    for (const record of records.slice(0, 2)) {
      record.outcome = { status: "failed", owner: "agent", reason };
      record.metrics = {};
    }
    writeFileSync(journal, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  }
  return reportOf(studyDir);
}

/** What all reporters promise: texts below the report's folder, the same for the same report. */
export function reporterContract(reporter: Reporter): Check[] {
  return STATES.map((state) => ({
    title: `renders a study ${state}: texts in the report's folder, the same twice`,
    check: () =>
      inTempFolder(async (dir) => {
        const report = frozen(await reportIn(state, dir));
        const files = reporter.render(report);
        assert.ok(Array.isArray(files), "render gives a list of files");
        for (const { path, content } of files) {
          assert.equal(typeof content, "string", `the content of ${path} is a text`);
          assert.ok(path !== "" && !isAbsolute(path), `${path} is relative`);
          assert.ok(!normalize(path).startsWith(".."), `${path} is inside of the report's folder`);
        }
        assert.equal(new Set(files.map(({ path }) => path)).size, files.length, "each path once");
        assert.deepEqual(reporter.render(report), files);
      }),
  }));
}

const RUN: Run = {
  ...{ id: "value1__seed1__baseline__0123456789ab", params: { value: 1 }, variant: "baseline" },
  ...{ flags: [], seed: 1, task: null, repeat: 0 },
};

function storyOf(studyDir: string): StudyEvent[] {
  const base = { ...RUN, program: "noop@1", attempt: 1, startedAtMs: 1_700_000_000_000, wallMs: 5 };
  const outcome = { status: "failed" as const, owner: "agent" as const, reason: "no" };
  const summary = { total: 2, skipped: 0, ok: 1, stoppedEarly: 0, failed: 1, cancelled: 0, left: 0 };
  return [
    { kind: "planned", total: 2, finished: 0, studyDir },
    { kind: "started", run: RUN, reason: "new" },
    { kind: "retrying", run: RUN, reason: "the machine was busy", waitMs: 10 },
    { kind: "ended", record: { ...base, outcome: { status: "ok" }, metrics: { value: 1 }, costUsd: 0.5 } },
    { kind: "paused", by: "somebody" },
    { kind: "resumed", by: "somebody" },
    { kind: "notice", text: "a notice" },
    { kind: "ended", record: { ...base, outcome, metrics: {} } },
    { kind: "stopping", why: "interrupted" },
    { kind: "closed", summary: { ...summary, wallMs: 10, costUsd: 0.5 } },
  ];
}

/** What all sinks promise: they hear everything and never throw, and open as often as a study is launched. */
export function sinkContract(kind: SinkKind): Check[] {
  return [
    {
      title: "takes every event in order and throws at none, in one launch after the other",
      check: () =>
        inTempFolder((dir) => {
          for (let launch = 0; launch < 2; launch++) {
            const sink = kind.open({ name: "contract", studyDir: dir });
            for (const event of storyOf(dir))
              assert.equal(sink.handle(frozen(event)), undefined, "handle is done when it returns");
            sink.close?.();
          }
        }),
    },
    {
      title: "can be closed before anything has happened",
      check: () => inTempFolder((dir) => kind.open({ name: "contract", studyDir: dir }).close?.()),
    },
  ];
}

/** What all importers promise; `files` are results that it should read. */
export function importerContract(reader: ImportReader, { files = [] }: ContractOptions): Check[] {
  const others = {
    "notes.txt": "plain text",
    "empty.json": "",
    "list.json": "[1, 2]",
    "other.json": '{"a": 1}',
  };
  return [
    {
      title: "says what it looks for, and claims no file that has nothing to do with it",
      check: () =>
        inTempFolder((dir) => {
          assert.ok(reader.looksFor, "looksFor says by what its files are known");
          for (const [name, text] of Object.entries(others)) {
            writeFileSync(join(dir, name), text);
            assert.equal(reader.claims(new Found(join(dir, name))), false, `it claims ${name}`);
          }
        }),
    },
    ...files.map((path) => ({
      title: `reads ${path}: trials with keys of their own, the same twice`,
      check() {
        assert.equal(reader.claims(new Found(path)), true, "it claims the file");
        const trials = readAll(reader, new Found(path));
        assert.ok(trials.length > 0, "it reads at least one trial");
        const keys = trials.map(({ key }) => key);
        assert.equal(new Set(keys).size, keys.length, "no key twice");
        for (const { task, outcome } of trials) assert.ok(task !== "" && outcome.status !== undefined);
        assert.deepEqual(readAll(reader, new Found(path)), trials);
      },
    })),
  ];
}

function readAll(reader: ImportReader, file: FoundFile): ImportedTrial[] {
  const isTrial = (item: ImportedTrial | ImportProblem): item is ImportedTrial => !("problem" in item);
  return [...reader.read(file)].filter(isTrial);
}
