import { expect, test } from "vitest";
import { compareStudies } from "../../src/api/compare-studies.ts";
import { TempFolder } from "../support/temp-folder.ts";

const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const at = (folder: TempFolder, ...names: string[]) => names.map((name) => `${folder.path}/${name}`);

/** A learning curve as W&B exports it: every tenth step, rising to a level. */
function curve(level: number, noise: number): string {
  const steps = Array.from({ length: 20 }, (_, i) => ({
    _step: 10 * i,
    reward: (level * i) / 19 + noise * Math.sin(i),
  }));
  return lines(steps);
}

test("a table of JSON lines is compared as a CSV file is", async () => {
  const rows = Array.from({ length: 20 }, (_, i) => ({
    ...{ arm: i % 2 === 0 ? "old" : "new", task: `t${Math.floor(i / 2)}`, passed: i % 2 === 1 || i > 15 },
  }));
  using folder = new TempFolder({ "rows.jsonl": lines(rows) });
  const { comparisons } = await compareStudies(at(folder, "rows.jsonl"), {
    goal: "maximize",
    baseline: "old",
  });
  expect(comparisons[0]).toMatchObject({
    metric: "passed",
    kind: "rate",
    pairing: { isPaired: true, n: 10 },
  });
  using torn = new TempFolder({ "rows.jsonl": `${lines(rows)}{"arm": "o` });
  await expect(compareStudies(at(torn, "rows.jsonl"))).rejects.toThrow(
    /rows\.jsonl:21: expected one JSON object/,
  );
});

test("files of curves are runs, cut at W&B's steps, and never rows", async () => {
  using folder = new TempFolder({
    ...Object.fromEntries([1, 2, 3, 4].map((i) => [`a${i}.jsonl`, curve(1, i / 50)])),
    ...Object.fromEntries([1, 2, 3, 4].map((i) => [`b${i}.jsonl`, curve(2, i / 40)])),
  });
  await expect(compareStudies(at(folder, "a1.jsonl", "b1.jsonl"), { metrics: ["reward"] })).rejects.toThrow(
    "the steps of one run (there is a column _step). Name such files as runs: --control-run-ids",
  );
  const listed = {
    pairs: [],
    control: at(folder, "a1.jsonl", "a2.jsonl", "a3.jsonl", "a4.jsonl"),
    candidate: at(folder, "b1.jsonl", "b2.jsonl", "b3.jsonl", "b4.jsonl"),
  };
  const request = { metrics: ["reward"], goal: "maximize" as const, outRoot: folder.path };
  const whole = await compareStudies([], { ...request, listed, summary: { summary: "mean" } });
  expect(whole.comparisons[0]).toMatchObject({ verdict: "better", pairing: { isPaired: false } });
  // By W&B's steps the curve ends at 190, not at 20.
  const late = await compareStudies([], {
    ...request,
    listed,
    summary: { summary: "mean", from: 150, to: 190 },
  });
  expect(late.comparisons[0]!.baseline.mean).toBeGreaterThan(whole.comparisons[0]!.baseline.mean!);
});

test("experiments that are averaged as rollouts are hinted at, what rollouts ended as is not", async () => {
  const rows = ["mild", "strong"].flatMap((experiment, e) =>
    ["raw", "masked"].flatMap((strategy, s) =>
      Array.from({ length: 12 }, (_, task) => ({
        ...{ experiment, strategy, instance_id: `i${task}`, outcome: (task + e * s) % 2 },
        ...{ end: task % 3 === 0 ? "limit" : "submitted" },
      })),
    ),
  );
  const header = Object.keys(rows[0]!).join(",");
  using folder = new TempFolder({
    "runs.csv": `${header}\n${rows.map((row) => Object.values(row).join(",")).join("\n")}\n`,
  });
  const hints = async (request: object) =>
    (await compareStudies(at(folder, "runs.csv"), { goal: "maximize", ...request })).warnings.flatMap(
      ({ text }) => (text.includes("averaged as rollouts") ? [text] : []),
    );
  expect(await hints({})).toEqual([
    "Rows of one instance_id are averaged as rollouts, but they differ in experiment (2 values): if these are different experiments, add --per experiment or choose one with --where.",
  ]);
  expect(await hints({ per: "experiment" })).toEqual([]);
  expect(await hints({ where: "experiment == 'mild'" })).toEqual([]);
});

test("a run that is not there is answered with a few names", async () => {
  using folder = new TempFolder({ "a.jsonl": curve(1, 0) });
  const listed = { pairs: [], control: ["nowhere"], candidate: at(folder, "a.jsonl") };
  const request = {
    metrics: ["reward"],
    listed,
    outRoot: folder.path,
    summary: { summary: "mean" as const },
  };
  await expect(compareStudies([], request)).rejects.toThrow(/there is no run "nowhere"\. .*lists 1 run\./);
});

test("no interval of a time leaves its range, unless its values do", async () => {
  const table = (values: [number, number][]) =>
    `arm,time_s\n${values.map(([a, b]) => `old,${a}\nnew,${b}`).join("\n")}\n`;
  const wild: [number, number][] = [
    [1, 1],
    [1, 90],
    [2, 1],
    [300, 1],
    [1, 2],
  ];
  using folder = new TempFolder({
    "times.csv": table(wild),
    "deltas.csv": table(wild.map(([a, b]) => [a - 50, b - 50])),
  });
  const [times] = (
    await compareStudies(at(folder, "times.csv"), { metrics: ["time_s"], goal: "minimize", baseline: "old" })
  ).comparisons;
  expect(times!.baseline.interval).toMatchObject({ low: 0 });
  if (times!.relative.known) expect(times!.relative.low).toBeGreaterThanOrEqual(-1);
  const [deltas] = (
    await compareStudies(at(folder, "deltas.csv"), { metrics: ["time_s"], goal: "minimize", baseline: "old" })
  ).comparisons;
  expect(deltas!.baseline.interval.known && deltas!.baseline.interval.low).toBeLessThan(0);
});
