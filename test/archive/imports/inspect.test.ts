import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { makeZip } from "./make-zip.ts";
import { readFiles } from "./read-files.ts";

const EVAL = {
  run_id: "run1",
  task_id: "task1",
  created: "2025-10-15T12:53:13-04:00",
  task: "popularity",
  dataset: { name: "popularity" },
  model: "ollama/llama3.1",
};
const PLAN = { name: "plan", steps: [{ solver: "system_message" }, { solver: "generate" }] };
const HEADER = { version: 2, status: "success", eval: EVAL, plan: PLAN, stats: { started_at: EVAL.created } };
const usage = {
  "ollama/llama3.1": { input_tokens: 66, output_tokens: 2, total_tokens: 68, total_cost: 0.001 },
};
const SAMPLES = [
  {
    id: 1,
    epoch: 1,
    scores: { match: { value: "C" } },
    model_usage: usage,
    total_time: 1.5,
    working_time: 1.2,
  },
  { id: 1, epoch: 2, scores: { match: { value: "I" }, fine: { value: { tone: 0.3 } } } },
  { id: "two", epoch: 1, scores: { match: { value: "P" } }, limit: "token" },
  { id: "two", epoch: 2, error: { message: "sandbox\ngone" } },
  { id: "three", epoch: 1, scores: { match: { value: null } } },
];

function read(name: string, content: unknown) {
  const { trials, warnings } = readFiles({ [name]: content });
  return { warnings, trials: trials.map(({ trial }) => trial) };
}

const hasZstd = spawnSync("zstd", ["--version"]).status === 0;

test("samples of a JSON log become trials, epochs are their numbers", () => {
  const { trials, warnings } = read("log.json", { ...HEADER, samples: SAMPLES });
  expect(warnings).toEqual([]);
  expect(
    trials.map(({ task, rollout, outcome, metrics }) => [task, rollout, outcome.owner, metrics.score]),
  ).toEqual([
    ["popularity/1", 1, undefined, 1],
    ["popularity/1", 2, undefined, 0],
    ["popularity/two", 1, undefined, 0.5],
    ["popularity/two", 2, "infrastructure", undefined],
    ["popularity/three", 1, "grader", undefined],
  ]);
  expect(trials[0]).toMatchObject({
    key: "task1/popularity/1/1",
    agent: "generate",
    model: "ollama/llama3.1",
    startedAtMs: Date.UTC(2025, 9, 15, 16, 53, 13),
    wallMs: 1500,
    costUsd: 0.001,
    metrics: { solved: 1, tokens_total: 68, agent_seconds: 1.2, "score/match": 1 },
    labels: { exit: "finished", job: "run1" },
  });
  expect(trials[1]!.metrics).toMatchObject({ "score/match": 0, "score/fine/tone": 0.3 });
  expect(trials[2]!.labels.exit).toBe("limit token");
  expect(trials[3]!.outcome.reason).toBe("sandbox gone");
});

test("a score that is NaN, which is no JSON, is unknown", () => {
  const text = JSON.stringify({
    ...HEADER,
    samples: [{ id: "a NaN", epoch: 1, scores: { m: { value: 5 } } }],
  });
  const { trials } = read("log.json", text.replace('"value":5', '"value":NaN'));
  expect(trials[0]).toMatchObject({ task: "popularity/a NaN", outcome: { owner: "grader" } });
  expect(trials[0]!.metrics.score).toBeUndefined();
});

function sameTrialsPackedWith(how: "stored" | "deflate" | "zstd"): void {
  const packed = makeZip(
    {
      "_journal/start.json": { version: 2, eval: EVAL, plan: PLAN },
      "samples/1_epoch_1.json": { events: "x".repeat(1000) },
      "summaries.json": SAMPLES.map((sample) =>
        "error" in sample ? { ...sample, error: "sandbox\ngone" } : sample,
      ),
      "header.json": HEADER,
    },
    how,
  );
  const plain = read("log.json", { ...HEADER, samples: SAMPLES });
  expect(read("log.eval", packed)).toEqual(plain);
}

test("a log packed with deflate gives the same trials", () => sameTrialsPackedWith("deflate"));
test("a log that is not packed gives the same trials", () => sameTrialsPackedWith("stored"));
test.skipIf(!hasZstd)("a log packed with Zstandard gives the same trials (needs the program zstd)", () =>
  sameTrialsPackedWith("zstd"),
);

test("a log that was cut off gives what it has, and says so", () => {
  const packed = makeZip(
    {
      "_journal/start.json": { version: 2, eval: EVAL, plan: PLAN },
      "_journal/summaries/1.json": SAMPLES.slice(0, 1),
      "_journal/summaries/2.json": SAMPLES.slice(1, 2),
    },
    "deflate",
  );
  const { trials, warnings } = read("log.eval", packed);
  expect(trials.map(({ metrics }) => metrics.score)).toEqual([1, 0]);
  expect(warnings).toEqual([expect.stringMatching(/log\.eval: the log's status is started/)]);
});

test("old logs have only the samples themselves", () => {
  const packed = makeZip(
    {
      "start.json": { version: 2, eval: EVAL, plan: PLAN },
      "samples/1_epoch_1.json": SAMPLES[0],
      "results.json": { status: "success", stats: {} },
    },
    "deflate",
  );
  const { trials, warnings } = read("log.eval", packed);
  expect(warnings).toEqual([]);
  expect(trials.map(({ metrics }) => metrics.score)).toEqual([1]);
});

test("numbers that lie about a zip file are found out before any memory is taken for them", () => {
  const packed = makeZip({ "header.json": HEADER, "summaries.json": SAMPLES }, "deflate");
  packed.writeUInt32LE(0xfffffff0, packed.length - 10);
  expect(read("log.eval", packed).warnings).toEqual([expect.stringMatching(/the zip file ends too early/)]);
  expect(
    read("log.eval", makeZip({ "header.json": "null", "summaries.json": "[null]" }, "stored")).warnings,
  ).toEqual([
    expect.stringMatching(/sample 1: no id or no epoch/),
    expect.stringMatching(/status is started/),
  ]);
});

test("half a zip file, and one of something else, are one line each", () => {
  const packed = makeZip({ "header.json": HEADER, "summaries.json": SAMPLES }, "deflate");
  expect(read("log.eval", packed.subarray(0, packed.length / 2)).warnings).toEqual([
    expect.stringMatching(/log\.eval: no whole zip file: it looks cut off/),
  ]);
  expect(read("log.eval", makeZip({ "a.txt": "a" }, "stored")).warnings).toEqual([
    expect.stringMatching(/no log of Inspect: there is no header\.json/),
  ]);
  const broken = Buffer.from(packed);
  broken.fill(0xff, 45, 80);
  expect(read("log.eval", broken).warnings).toEqual([
    expect.stringMatching(/a member of the zip file is broken/),
  ]);
});
