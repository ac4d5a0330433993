import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { cleanMetrics, clearResults, readResults } from "../../src/executors/read-results.ts";
import { TempFolder } from "../support/temp-folder.ts";

function resultsOf(files: Record<string, string>) {
  using folder = new TempFolder(files);
  return readResults(folder.path);
}

describe("what a program left", () => {
  test("as summary.csv is numbers and labels", () => {
    expect(resultsOf({ "summary.csv": 'makespan,cost,kind,empty,blank\n12.5,1e-3,"a, b",, \n' })).toEqual({
      metrics: { makespan: 12.5, cost: 0.001, empty: null, blank: null },
      labels: { kind: "a, b" },
      warnings: [],
      files: ["summary.csv"],
    });
  });

  test("is read however many other files lie beside it", () => {
    const others = Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`a/${i}.txt`, ""]));
    const files = { ...others, "metrics.json": '{"score": 1}', "summary.csv": "cost\n2\n" };
    const { metrics, files: listed } = resultsOf(files);
    expect(metrics).toEqual({ score: 1, cost: 2 });
    expect(listed).toHaveLength(1000);
  });

  test("may begin with a byte order mark", () => {
    const { metrics, warnings } = resultsOf({
      "summary.csv": "\ufeffmakespan,cost\n1,2\n",
      "metrics.json": '\ufeff{"score": 3}',
    });
    expect({ metrics, warnings }).toEqual({ metrics: { makespan: 1, cost: 2, score: 3 }, warnings: [] });
  });

  test("is there no more after it was cleared, and all else is", () => {
    const summary = (run: string) => `wandb/${run}/files/wandb-summary.json`;
    using folder = new TempFolder({
      ...{ "metrics.json": "{}", "summary.csv": "a\n1\n", "tiers.csv": "a\n1\n", "model.bin": "x" },
      ...{ [summary("offline-run-1")]: '{"loss": 1}', [summary("offline-run-2")]: '{"loss": 2}' },
    });
    expect(readResults(folder.path).metrics).toMatchObject({ loss: 2 });
    clearResults(folder.path);
    expect(readResults(folder.path)).toMatchObject({ metrics: {}, files: ["model.bin"] });
  });

  test("as a summary of wandb leaves out media, lists and counters, and names an aggregate by its metric", () => {
    const summary = {
      loss: 1,
      acc: { max: 0.9 },
      predictions: { _type: "table-file", nrows: 3, path: "media/table/t.json" },
      weights: { _type: "histogram", values: [1, 2], bins: [0, 1, 2] },
      sizes: [1, 2],
      eval: { f1: 0.5, picture: { _type: "image-file" } },
      _step: 4,
      _assay: { acc: 0.9 },
    };
    const found = resultsOf({ "wandb/run-1/files/wandb-summary.json": JSON.stringify(summary) });
    expect(found).toMatchObject({ warnings: [], labels: {} });
    expect(found.metrics).toEqual({ loss: 1, "acc.max": 0.9, acc: 0.9, "eval.f1": 0.5 });
  });

  test("as tiers.csv becomes a metric for each provider, tier and column", () => {
    const text = "provider,tier_id,utilization,note\nembed,0,0.5,x\nllm,1,nan,y\n";
    expect(resultsOf({ "tiers.csv": text })).toMatchObject({
      metrics: { embed_tier0_utilization: 0.5, llm_tier1_utilization: null },
      labels: { embed_tier0_note: "x", llm_tier1_note: "y" },
      warnings: ["metric llm_tier1_utilization is nan: kept as unknown"],
    });
  });

  test("as metrics.json may nest, and wins over summary.csv", () => {
    const metrics = { loss: 2, ok: true, none: null, name: "best", eval: { f1: 0.5, per: [1, 2] } };
    expect(
      resultsOf({ "metrics.json": JSON.stringify(metrics), "summary.csv": "loss,other\n1,3\n" }),
    ).toMatchObject({
      metrics: { loss: 2, other: 3, ok: 1, none: null, "eval.f1": 0.5, "eval.per.0": 1, "eval.per.1": 2 },
      labels: { name: "best" },
      warnings: [],
    });
  });

  test.each([
    ["summary.csv", "a,b\nNaN,-inf\n"],
    ["metrics.json", '{"a": NaN, "b": -Infinity}'],
    ["metrics.json", '{"a": "nan", "b": "-inf"}'],
  ])("with numbers that are none (%s: %j) is unknown, never zero, with a warning each", (file, text) => {
    const { metrics, warnings } = resultsOf({ [file]: text });
    expect(metrics).toEqual({ a: null, b: null });
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toMatch(/^metric a is nan: kept as unknown$/i);
  });

  test.each([
    ["metrics.json", "{torn"],
    ["metrics.json", "7"],
    ["metrics.json", '{"said": "NaN" broken}'],
    ["summary.csv", "only,a,header\n"],
    ["summary.csv", 'a\n"never closed\n'],
  ])("broken (%s: %j) is a warning, and the rest is read", (file, text) => {
    const { metrics, warnings } = resultsOf({ [file]: text, "tiers.csv": "provider,tier_id,u\np,0,1\n" });
    expect(warnings).toEqual([expect.stringMatching(new RegExp(`^${file} could not be read: `))]);
    expect(metrics).toEqual({ p_tier0_u: 1 });
  });

  test("with several rows counts the first, and says so", () => {
    expect(resultsOf({ "summary.csv": "a\n1\n2\n" })).toMatchObject({
      metrics: { a: 1 },
      warnings: ["summary.csv has several rows; the first one is used"],
    });
  });

  test("is listed with the folders it lies in, at most a thousand files", () => {
    expect(resultsOf({ "a/b/trace.json": "", "z.txt": "" }).files.sort()).toEqual([
      "a/b/trace.json",
      "z.txt",
    ]);
    const many = Object.fromEntries(Array.from({ length: 1005 }, (_, i) => [`${i}.txt`, ""]));
    expect(resultsOf(many).files).toHaveLength(1000);
  });

  test("is nothing, with a warning, where the program deleted its folder", () => {
    expect(readResults("/nowhere/at/all")).toMatchObject({
      metrics: {},
      files: [],
      warnings: [expect.stringContaining("the out folder could not be read")],
    });
  });

  test("that nobody could believe or read is left out with a warning", () => {
    const long = "x".repeat(40_000);
    const content = { cost_usd: -5, note: long, [`n${long}`]: 1, "a\x1b[2J\u202eb\n": 2, fine: "short" };
    using folder = new TempFolder({ "metrics.json": JSON.stringify(content) });
    const { metrics, labels, warnings } = readResults(folder.path);
    expect(metrics).toEqual({ cost_usd: null, "a\ufffd[2J\ufffdb\ufffd": 2 });
    expect(labels).toEqual({ fine: "short" });
    expect(warnings).toEqual([
      "cost_usd is -5, which no run costs: kept as unknown",
      "label note has 40000 characters: left out",
      `a metric with a name of 40001 characters was left out: n${"x".repeat(39)}...`,
    ]);
  });

  test("is not waited for where it is a pipe or has no end", () => {
    using folder = new TempFolder();
    execFileSync("mkfifo", [`${folder.path}/summary.csv`]);
    symlinkSync("/dev/zero", `${folder.path}/metrics.json`);
    expect(readResults(folder.path).warnings).toEqual([
      "summary.csv could not be read: it is a pipe or a device, not an ordinary file",
      "metrics.json could not be read: it is a link, which is not followed",
    ]);
  });
});

test("what a module returns keeps numbers and says what it leaves out", () => {
  const warnings: string[] = [];
  const raw = { a: 1, b: true, c: null, d: Number.NaN, e: "text", f: { x: 1 }, g: undefined };
  expect(cleanMetrics(raw, warnings)).toEqual({ a: 1, b: 1, c: null, d: null });
  expect(warnings).toEqual([
    "metric d is NaN: kept as unknown",
    "metric e is not a number (string): left out",
    "metric f is not a number (object): left out",
    "metric g is not a number (undefined): left out",
  ]);
});
