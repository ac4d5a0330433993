import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fixture, type Project } from "../support/fixture.ts";

let project: Project;

beforeAll(async () => {
  project = await fixture("curves", {
    "one.yaml": "{study: one, target: noop, params: {value: 3}, seeds: 1}",
    "equal.yaml": "{study: equal, target: noop, matrix: {value: [1, 2]}, seeds: 4}",
  });
  for (const file of ["study.yaml", "one.yaml", "equal.yaml"]) {
    const ran = await project.assay("run", file, "-q", "--no-report");
    if (ran.code !== 0) throw new Error(ran.stderr);
  }
}, 600_000);

afterAll(async () => {
  await project[Symbol.asyncDispose]();
}, 600_000);

async function ok(...words: string[]): Promise<string> {
  const ended = await project.assay(...words);
  // Old names go on working, and say the new one.
  expect(
    ended.stderr.replace(/^assay: (`assay \w+`|`--[\w-]+`) is now `.*`; the old name still works\n/gm, ""),
  ).toBe("");
  expect(ended.code).toBe(0);
  return ended.stdout;
}

async function refused(...words: string[]): Promise<string> {
  const ended = await project.assay(...words);
  expect(ended.code).toBe(2);
  expect(ended.stdout).toBe("");
  return ended.stderr;
}

/** Different bytes in a PNG's pixels as they are stored: a blank picture has two or three. */
function variety(path: string): number {
  const png = readFileSync(project.path(path));
  expect([...png.subarray(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") data.push(png.subarray(at + 8, at + 8 + length));
  }
  return new Set(inflateSync(Buffer.concat(data))).size;
}

describe("assay variance", () => {
  test("answers for each arm, with AUC and slope of a series, and draws them", async () => {
    const out = await ok("variance", "curves", "--metric", "reward", "--output", "v.png");
    expect(out).toMatch(/plain +10 /);
    expect(out).toContain("AUC over its width, steps 3750 to 5000");
    expect(out).toContain("slope a step");
    expect(variety("v.png")).toBeGreaterThan(50);
  });

  test("--json has the curve, the answer and its range", async () => {
    const found = JSON.parse(await ok("variance", "curves", "--metric", "score", "--json"));
    const [arm] = found.panels[0].arms;
    expect(arm.precision.enough).toBeGreaterThan(1);
    expect(arm.precision.enoughRange[0]).toBeLessThan(arm.precision.enoughRange[1]);
    expect(arm.precision.points[0]).toMatchObject({ n: 2 });
  });

  test("takes a list of runs: ids, or files that any program wrote", async () => {
    const ids = project.records("curves").filter(({ params }) => params.method === "plain");
    const byId = await ok("variance", ...ids.map(({ id }) => id), "--metric", "reward", "--json");
    const files = ids.map(({ id }) => `bench_runs/curves/runs/${id}/series.jsonl`);
    const byFile = await ok("variance", ...files, "--metric", "reward", "--json");
    const valuesOf = (text: string) => JSON.parse(text).panels[0].arms[0].values;
    expect(valuesOf(byId)).toHaveLength(10);
    expect(valuesOf(byFile)).toEqual(valuesOf(byId));
    const all = project.records("curves").map(({ id }) => id);
    const grouped = JSON.parse(await ok("variance", ...all, "--metric", "score", "--by", "method", "--json"));
    expect(grouped.panels[0].arms.map((arm: { values: number[] }) => arm.values.length)).toEqual([
      10, 10, 10,
    ]);
    expect(await refused("variance", files[0]!, files[0]!, "--metric", "reward")).toContain("named twice");
  });

  test("a run that ended early is left out by name", async () => {
    const points = (to: number) =>
      Array.from({ length: to }, (_, i) => `{"step": ${i}, "loss": ${5 - i / 10 + to / 1000}}\n`).join("");
    for (const i of [1, 2, 3, 4]) project.write(`${i}.jsonl`, points(20) + (i === 4 ? "{torn" : ""));
    project.write("5.jsonl", points(8));
    const files = [1, 2, 3, 4, 5].map((i) => `${i}.jsonl`);
    const out = await ok("variance", ...files, "--metric", "loss", "--summary", "final");
    expect(out).toMatch(/1 run is left out:\n +5\.jsonl: the curve has steps 0 to 7/);
    expect(out).toContain("all 4 values are equal");
  });

  test("--legacy-cv says what it can't tell", async () => {
    expect(await ok("variance", "curves", "--metric", "score", "--legacy-cv")).toContain(
      "says nothing about",
    );
  });

  test("one seed and equal values are explained", async () => {
    expect(await ok("variance", "one", "--metric", "value")).toContain(
      "unknown, because the sample has 1 value",
    );
    expect(await ok("variance", "equal", "--metric", "value")).toContain("all 4 values are equal");
  });
});

describe("assay power", () => {
  test("plans seeds, runs and dollars for an effect", async () => {
    const out = await ok("power", "--pilot", "curves", "--candidate", "clever", "--effect", "5%");
    expect(out).toMatch(/paired by seed +\d/);
    expect(out).toMatch(/not paired +\d+ +\d+ .*\$\d/);
  });

  test("plans for all pairs of three arms where none is the baseline", async () => {
    const all = JSON.parse(await ok("power", "curves", "--effect", "1", "--json"));
    const two = JSON.parse(await ok("power", "curves", "--candidate", "clever", "--effect", "1", "--json"));
    expect(all.plans[0].units).toBeGreaterThanOrEqual(two.plans[0].units);
    expect(all.plans[0].runs).toBe(3 * all.plans[0].units);
  });

  test("the reverse: what sizes and budgets find", async () => {
    const words = ["power", "curves", "--by", "method", "--candidate", "clever_twin", "--json"];
    const sizes = JSON.parse(await ok(...words, "--mde", "--sizes", "10,40"));
    const effects = sizes.plans.filter((plan: { design: string }) => plan.design === "not paired");
    expect(effects[0].effect).toBeGreaterThan(effects[1].effect);
    const budget = JSON.parse(await ok(...words, "--budget-usd", "10"));
    expect(budget.plans[0]).toMatchObject({ runs: 40, units: 20, usd: 10 });
  });

  test("explains what it can't plan", async () => {
    expect(await refused("power", "one", "--metric", "value", "--effect", "1")).toContain("has 1 seed");
    expect(await refused("power", "equal", "--metric", "value", "--effect", "1")).toContain("are equal");
    expect(await refused("power", "curves", "--effect", "much")).toContain("5%");
  });
});

describe("assay rank", () => {
  test("groups arms that can't be told apart", async () => {
    const out = await ok("rank", "curves", "--by", "method", "--output", "r.svg", "--profile", "p.png");
    expect(out).toMatch(/3 +plain +10 .* b +3 +0 %/);
    expect(out).toMatch(/clever\w* leads on \w+, but can't be told from clever/);
    expect(project.read("r.svg")).toContain("95 % t interval");
    expect(variety("p.png")).toBeGreaterThan(50);
  });

  test("is the same every time", async () => {
    const words = ["rank", "curves", "--metric", "score", "--json"];
    expect(await ok(...words)).toBe(await ok(...words));
  });

  test("asks which way is better, and for two arms", async () => {
    expect(await refused("rank", "equal", "--metric", "value")).toContain("--goal minimize");
    expect(await refused("rank", "one", "--metric", "value", "--goal", "maximize")).toContain("needs two");
  });
});

describe("assay plot", () => {
  test.each([
    ["curves", "reward"],
    ["arms", "score"],
    ["paired", "score"],
    ["profile", "score"],
    ["qq", "score"],
    ["bootstrap", "score"],
    ["radial", "score,errors,cost_usd"],
  ])("%s, as SVG and as PNG with something on it", async (kind, metric) => {
    const words = ["plot", "curves", "--kind", kind, "--metric", metric, "--candidate", "clever"];
    await ok(...words, "--output", `${kind}.svg`);
    expect(project.read(`${kind}.svg`)).toMatch(/^<svg [\s\S]*<title>[\s\S]+<\/svg>\n$/);
    await ok(...words, "--output", `pictures/${kind}.png`);
    expect(variety(`pictures/${kind}.png`)).toBeGreaterThan(50);
  });

  test("mistakes end in their remedy", async () => {
    const plot = (...words: string[]) => refused("plot", "curves", ...words);
    expect(await plot("--kind", "arms", "--metric", "scor", "--output", "a.svg")).toContain('"score"');
    expect(await plot("--kind", "arms", "--output", "a.gif")).toContain(".svg or .png");
    expect(await plot("--kind", "arms", "--by", "metod", "--output", "a.svg")).toContain('"method"');
    expect(await plot("--kind", "curves", "--metric", "score", "--output", "a.svg")).toContain(
      "Series: reward",
    );
    expect(await plot("--kind", "radial", "--metric", "score", "--output", "a.svg")).toContain(
      "three or more",
    );
  });
});
