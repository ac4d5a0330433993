import { expect, test } from "vitest";
import { compareStudies } from "../../src/api/compare-studies.ts";
import { aStudy } from "../support/a-study.ts";
import { recordsOf, studyFolder } from "../support/a-study-folder.ts";
import { TempFolder } from "../support/temp-folder.ts";

const result = (values: number[], status = "ok", more: object = {}) =>
  JSON.stringify({
    ...more,
    name: "x",
    run_id: "r",
    status,
    warnings: ["the machine was busy"],
    iteration_metrics: values.map((duration_s, index) => ({ index, duration_s, metrics: { score: index } })),
  });

test("two result.json are two starts, which is never sure, however many iterations they have", async () => {
  using folder = new TempFolder({
    "A.json": result([10, 11, 10, 11, 10, 11, 10, 11]),
    "B.json": result([20, 21, 20, 21, 20, 21, 20, 21]),
    "other.json": "{}",
  });
  const at = (name: string) => `${folder.path}/${name}`;
  const { comparisons, warnings } = await compareStudies([at("A.json"), at("B.json")]);
  expect(comparisons).toHaveLength(1);
  expect(comparisons[0]).toMatchObject({
    metric: "duration_s_min",
    baseline: { name: "A" },
    candidate: { name: "B" },
    verdict: "unknown",
  });
  expect(warnings.map(({ text }) => text).join(" ")).toMatch(
    /one start of its program.*assay run .*fastest iteration.*the machine was busy/,
  );
  const scores = await compareStudies([at("A.json"), at("B.json")], { metrics: ["score"] });
  expect(scores.comparisons[0]!.metric).toBe("score");
  await expect(compareStudies([at("A.json"), at("B.json")], { metrics: ["scroe"] })).rejects.toThrow(
    'no result has a metric "scroe". Did you mean "score"?',
  );
  await expect(compareStudies([at("A.json"), at("other.json")])).rejects.toThrow(
    "expected a run's result.json",
  );
});

const machine = { cpu: "AMD", cores: 8, node: "v20.1.0", v8: "11.3", hostname: "a" };
const base = { environment: machine, parameters: { lines: 500 }, program: "parse@1", vcs: null };
const SLOW = [20, 21, 20, 21, 20, 21];
const FAST = [10, 11, 10, 11, 10, 11];

async function between(first: object, second: object) {
  using folder = new TempFolder({
    "A.json": result(FAST, "ok", first),
    "B.json": result(SLOW, "ok", second),
  });
  const { comparisons, confounders, warnings } = await compareStudies([
    `${folder.path}/A.json`,
    `${folder.path}/B.json`,
  ]);
  return {
    sentence: comparisons[0]!.sentence,
    confounders,
    warnings: warnings.map(({ text }) => text).join("\n"),
  };
}

test("another machine, runtime or parameter qualifies the verdict and is listed", async () => {
  const other = { ...machine, cpu: "Intel", node: "v22.0.0", v8: "12.4" };
  const found = await between(base, {
    ...base,
    environment: other,
    program: "parse@2",
    parameters: { lines: 501 },
  });
  expect(found.sentence).toMatch(/unknown, because/);
  expect(found.confounders).toEqual([
    { what: "cpu", values: ["AMD", "Intel"] },
    { what: "node", values: ["v20.1.0", "v22.0.0"] },
    { what: "lines", values: ["500", "501"] },
  ]);
  expect(found.warnings).toContain("A and B differ in more than what was asked: cpu (AMD; Intel), node");
});

test("the code, or the one parameter that differs, is what was asked", async () => {
  for (const asked of [{ program: "parse@2" }, { parameters: { lines: 2000 } }]) {
    const { confounders, sentence } = await between(base, { ...base, ...asked });
    expect(confounders).toEqual([]);
    expect(sentence).not.toMatch(/differ, too/);
  }
  const two = { ...base, parameters: { lines: 2000, mode: "fast" } };
  expect((await between(base, two)).confounders.map(({ what }) => what)).toEqual(["lines", "mode"]);
});

test("several starts of each are arms, and the fastest iteration of each start is its value", async () => {
  const start = (name: string, values: number[], seed: number) =>
    result(values, "ok", { ...base, seed, run_id: `${name}${seed}` }).replace(
      '"name":"x"',
      `"name":"${name}"`,
    );
  const files = Object.fromEntries(
    [1, 2, 3, 4, 5, 6].flatMap((seed) => [
      [`base${seed}.json`, start("base", [10 + seed / 100, 50], seed)],
      [`head${seed}.json`, start("head", [12 + seed / 100, 13], seed)],
    ]),
  );
  using folder = new TempFolder(files);
  const paths = Object.keys(files).map((name) => `${folder.path}/${name}`);
  const { comparisons, warnings } = await compareStudies(paths);
  expect(comparisons).toHaveLength(1);
  expect(comparisons[0]).toMatchObject({
    baseline: { name: "base" },
    candidate: { name: "head" },
    verdict: "worse",
  });
  expect(warnings.map(({ kind }) => kind)).not.toContain("one-start");
});

test("a result can't be compared with itself", async () => {
  using folder = new TempFolder({ "A.json": result(FAST) });
  const path = `${folder.path}/A.json`;
  await expect(compareStudies([path, path])).rejects.toThrow("is named twice");
});

test("two studies of different machines are told apart from two states of the code", async () => {
  const study = aStudy({
    params: { depth: 3 },
    seeds: [1, 2, 3, 4, 5, 6],
    analysis: { metric: "score", goal: "maximize" },
  });
  const records = (shift: number) =>
    recordsOf(study, ({ seed }) => ({ metrics: { score: shift + ((seed * 7 + shift) % 5) } }));
  using before = studyFolder(study, records(0));
  using after = studyFolder(study, records(9), {
    environment: { cpu: "another", cores: 2, os: "Linux 6", node: "v20" },
  });
  const { comparisons, confounders } = await compareStudies([before.path, after.path]);
  expect(confounders).toEqual([{ what: "cpu", values: ["a cpu", "another"] }]);
  expect(comparisons[0]!.sentence).toMatch(/; cpu differs, too\.$/);
  using same = studyFolder(study, records(9));
  expect((await compareStudies([before.path, same.path])).confounders).toEqual([]);
});
