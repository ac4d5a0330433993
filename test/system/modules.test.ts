import { describe, expect, test } from "vitest";
import { fixture, type Project } from "../support/fixture.ts";

const study = (hows: string[], rest = "") =>
  `{study: odd, target: ./odd.mjs, matrix: {how: [${hows.join(", ")}]}, executor: {jobs: 2}${rest}}`;

/** How each way of ending was recorded. */
function outcomes(project: Project): Record<string, unknown> {
  return Object.fromEntries(project.records("odd").map(({ params, outcome }) => [params.how, outcome]));
}

describe("module targets in threads", () => {
  test("one that hangs, exits, throws or never answers is ended and recorded, and the pool goes on", async () => {
    await using project = await fixture("modules", {
      "study.yaml": study(
        ["hang", "exit", "throw", "reject", "later", "never", "obey", "posts", "well"],
        ", limits: {timeout: 5s, grace: 300ms}, seeds: [1]",
      ),
    });
    const ran = await project.run("study.yaml");
    expect(ran.code, ran.stderr).toBe(1);
    expect(ran.stdout).toContain("2 ok, 7 failed of 9 runs");
    const late = { status: "timeout", owner: "agent", reason: "still running after 5 s" };
    expect(outcomes(project)).toEqual({
      hang: late,
      never: late,
      obey: late,
      exit: { status: "failed", owner: "agent", reason: "the module called process.exit(0)", exitCode: 0 },
      throw: { status: "failed", owner: "agent", reason: "thrown on purpose" },
      reject: { status: "failed", owner: "agent", reason: "rejected on purpose" },
      later: { status: "failed", owner: "infrastructure", reason: "thrown later" },
      posts: { status: "ok" },
      well: { status: "ok" },
    });
    const hung = project.records("odd").find(({ params }) => params.how === "hang")!;
    expect(JSON.parse(project.read(`bench_runs/odd/runs/${hung.id}/meta.json`))).toMatchObject({
      status: "timeout",
    });
    const thrown = project.records("odd").find(({ params }) => params.how === "throw")!;
    expect(project.read(`bench_runs/odd/runs/${thrown.id}/stderr.txt`)).toContain(
      "TypeError: thrown on purpose",
    );
  });

  test("one that ends its own process has no result, and gets the study's environment", async () => {
    await using project = await fixture("modules", {
      "study.yaml": study(["exit"]).replace("jobs: 2", "kind: process"),
      "greeted.mjs": `import { defineTarget, z } from "assay/plugin";
export default defineTarget({
  name: "greeted",
  params: z.strictObject({}),
  run: () => ({ level: Number(process.env.LEVEL) }),
});`,
    });
    expect((await project.run("study.yaml")).code).toBe(1);
    expect(project.onlyRecord("odd").outcome).toMatchObject({
      status: "failed",
      owner: "agent",
      reason: "the module ended its process without a result",
    });
    for (const executor of ["thread", "process"]) {
      const name = `by-${executor}`;
      project.write(
        "greeted.yaml",
        `{study: ${name}, target: ./greeted.mjs, env: {LEVEL: "7"}, executor: ${executor}}`,
      );
      await project.run("greeted.yaml");
      expect(project.records(name).map(({ metrics }) => metrics.level)).toEqual([7]);
    }
  });

  test("one that deletes its own folder fails alone", async () => {
    await using project = await fixture("modules", {
      "study.yaml": "{study: rude, target: ./rude.mjs, seeds: 3, executor: {jobs: 1}}",
      "rude.mjs": `import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { defineTarget, z } from "assay/plugin";
export default defineTarget({
  name: "rude",
  params: z.strictObject({}),
  run({ seed, outDir, series }) {
    if (seed === 2) rmSync(dirname(outDir), { recursive: true });
    series({ step: 1, x: seed });
    console.log("printed");
    return { x: seed };
  },
});`,
    });
    const { code, stdout } = await project.run("study.yaml");
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("2 ok, 1 failed of 3"),
    });
    expect(project.records("rude").find(({ seed }) => seed === 2)!.outcome).toMatchObject({
      owner: "infrastructure",
      reason: "its folder was deleted while it ran",
    });
  });

  test("what one says of its metrics is known wherever its results are read", async () => {
    const own = `import { defineTarget, z } from "assay/plugin";
export default defineTarget({
  name: "own",
  params: z.strictObject({ load: z.number() }),
  metrics: { wait: { unit: "min", direction: "minimize", range: [0, 9], failure: "worst", primary: true } },
  run: ({ params, seed }) => ({ wait: params.load * (1 + (seed % 3) / 10) }),
});`;
    await using project = await fixture("modules", {
      "own.mjs": own,
      "study.yaml": "{study: own, target: ./own.mjs, matrix: {load: [1, 5]}, seeds: 8}",
    });
    await project.assay("run", "study.yaml");
    expect(JSON.parse(project.read("bench_runs/own/study.json")).metrics).toEqual({
      wait: { unit: "min", direction: "minimize", range: [0, 9], failure: "worst", primary: true },
    });
    expect(project.read("bench_runs/own/report/index.html")).toContain("wait (min)");
  });

  test("one that ends when it is asked to is late all the same, in the journal and in its folder", async () => {
    const polite = `import { defineTarget, z } from "assay/plugin";
export default defineTarget({
  name: "polite",
  params: z.strictObject({ throws: z.boolean() }),
  run: ({ params, signal }) => new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => (params.throws ? reject(signal.reason) : resolve({ value: 1 })));
    setInterval(() => {}, 1000);
  }),
});`;
    await using project = await fixture("modules", {
      "polite.mjs": polite,
      "study.yaml":
        "{study: polite, target: ./polite.mjs, matrix: {throws: [true, false]}, limits: {timeout: 200ms, grace: 1m}}",
    });
    expect((await project.run("study.yaml")).code).toBe(1);
    const records = project.records("polite");
    expect(records).toHaveLength(2);
    for (const { id, outcome } of records) {
      expect(outcome).toEqual({ status: "timeout", owner: "agent", reason: "still running after 0.2 s" });
      const meta = JSON.parse(project.read(`bench_runs/polite/runs/${id}/meta.json`));
      expect(meta).toMatchObject({ status: "timeout", reason: "still running after 0.2 s" });
    }
  });

  test("one that eats all memory is ended and recorded, and the pool goes on", async () => {
    await using project = await fixture("modules", { "study.yaml": study(["hungry", "well"], ", seeds: 2") });
    project.env = { NODE_OPTIONS: "--max-old-space-size=100" };
    const ran = await project.run("study.yaml");
    expect(ran.stdout, ran.stderr).toContain("2 ok, 2 failed of 4 runs");
    expect(outcomes(project)).toMatchObject({
      hungry: { status: "failed", owner: "infrastructure", reason: expect.stringContaining("memory") },
      well: { status: "ok" },
    });
  });

  test("the others of a batch run although one of it hung, crashed or exited", async () => {
    await using project = await fixture("modules", {
      "study.yaml": study(["well"], ", seeds: 400, artifacts: none, limits: {timeout: 5s, grace: 100ms}"),
    });
    project.edit(
      "odd.mjs",
      'if (how === "hang")',
      "if (seed === 350) process.exit(1);\n    if (seed === 300)",
    );
    const ran = await project.run("study.yaml");
    expect(ran.stdout).toContain("398 ok, 2 failed of 400 runs");
    expect(new Set(project.records("odd").map(({ seed }) => seed)).size).toBe(400);
    expect(project.records("odd")).toHaveLength(400);
    const failed = project.records("odd").filter(({ outcome }) => outcome.status !== "ok");
    expect(failed.map(({ seed, outcome }) => [seed, outcome.status]).sort()).toEqual([
      [300, "timeout"],
      [350, "failed"],
    ]);
  });

  test("loading does not count as a run's time, but a setup does, and one that fails is that run's failure", async () => {
    await using project = await fixture("modules", {
      "study.yaml": "{study: prepared, target: ./prepared.mjs, seeds: 3, limits: {timeout: 3s}}",
    });
    project.env = { SETUP: "throw" };
    const thrown = await project.run("study.yaml");
    expect(thrown).toMatchObject({ code: 1, stdout: expect.stringContaining("0 ok, 3 failed of 3 runs") });
    for (const { outcome } of project.records("prepared"))
      expect(outcome).toMatchObject({
        status: "failed",
        owner: "agent",
        reason: "setup failed: no database",
      });
    project.env = { SETUP: "exit" };
    const exited = await project.run("study.yaml");
    expect(exited).toMatchObject({ code: 1, stdout: expect.stringContaining("0 ok, 3 failed of 3 runs") });
    project.env = { SETUP: "slow" };
    const late = await project.run("study.yaml");
    expect(late).toMatchObject({ code: 1, stdout: expect.stringContaining("0 ok, 3 failed of 3 runs") });
    expect(project.records("prepared").at(-1)!.outcome.status).toBe("timeout");
    project.env = { SETUP: "load slowly" };
    const slow = await project.run("study.yaml");
    expect(slow, slow.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("3 ok of 3 runs") });
  });

  test("what is no number is not taken for one", async () => {
    await using project = await fixture("modules", { "study.yaml": study(["strange", "nothing"]) });
    expect((await project.run("study.yaml")).code).toBe(0);
    const [strange, nothing] = project
      .records("odd")
      .sort((a, b) => (a.params.how! < b.params.how! ? 1 : -1));
    expect(strange!.metrics).toEqual({ nan: null, infinite: null, yes: 1, none: null });
    expect(strange!.warnings!.join("\n")).toMatch(
      /nan is NaN[\s\S]*infinite is Infinity[\s\S]*text is not a number/,
    );
    expect(nothing!.metrics).toEqual({});
    expect((await project.assay("show", strange!.id)).stdout).toContain("warning metric nan is NaN");
  });

  test("what it prints and its series are kept with the run, as in a process of its own", async () => {
    await using project = await fixture("modules", { "study.yaml": study(["well"], ", seeds: [3]") });
    const results = [];
    for (const executor of ["thread", "process"]) {
      const ran = await project.run("study.yaml", "--executor", executor, "--exp-name", executor);
      expect(ran.code, ran.stderr).toBe(0);
      expect(ran.stdout + ran.stderr).not.toContain("to std");
      const record = project.onlyRecord(executor);
      const dir = `bench_runs/${executor}/runs/${record.id}`;
      results.push({
        id: record.id,
        metrics: record.metrics,
        stdout: project.read(`${dir}/stdout.txt`),
        stderr: project.read(`${dir}/stderr.txt`),
        series: project.read(`${dir}/series.jsonl`),
      });
    }
    expect(results[0]).toEqual(results[1]);
    expect(results[0]).toMatchObject({
      metrics: { value: 3 },
      stdout: "to stdout\n",
      stderr: "to stderr\n",
      series: '{"step":1,"value":3}\n{"step":2,"value":6}\n{"step":3,"value":9}\n',
    });
  });

  test("in a process of its own it is timed out, and fails as what it is", async () => {
    await using project = await fixture("modules", {
      "study.yaml": study(["hang", "throw", "well"], ", limits: {timeout: 1s, grace: 100ms}"),
    });
    const run = (...words: string[]) => project.run("study.yaml", "--executor", "process", ...words);
    expect((await run("--only", "how == 'hang'")).stdout).toContain("0 ok, 1 failed, 2 left of 3 runs");
    // Starting a process is part of its time: the others may take as long as they need.
    project.edit("study.yaml", "timeout: 1s, ", "");
    const ran = await run("--only", "how != 'hang'");
    expect(ran.stdout, ran.stderr).toContain("1 ok, 1 failed, 1 left of 3 runs");
    expect(outcomes(project)).toMatchObject({
      hang: { status: "timeout" },
      throw: { status: "failed", owner: "agent" },
      well: { status: "ok" },
    });
  });

  test("a TypeScript target needs no node_modules beside it", async () => {
    await using project = await fixture("modules", {
      "study.yaml":
        "{study: half, target: ./half.ts, matrix: {of: [8, 10]}, seeds: 1, instruments: [timing]}",
    });
    const ran = await project.run("study.yaml");
    expect(ran.code, ran.stderr).toBe(0);
    expect(
      project
        .records("half")
        .map(({ metrics }) => metrics.half)
        .sort(),
    ).toEqual([4, 5]);
    expect(project.anyRecord("half").metrics.duration_ms).toBeGreaterThan(0);
    const { stdout } = await project.assay(
      "query",
      "half",
      "SELECT count(*) AS n, sum(rest) AS rest FROM series",
      "--json",
    );
    expect(JSON.parse(stdout)).toEqual([{ n: 6, rest: 42 }]);
  });

  test.each([
    ["a slip of syntax", "export default { run( { return 1 };", "failed to load"],
    ["an import of nothing", 'import { it } from "./nowhere.ts";\nexport default it;', "failed to load"],
    ["an error at its top", 'throw new Error("not today");', "failed to load: not today"],
    [
      "no target",
      "export default { parameters: {} };",
      "expected export default defineTarget({name, params, run})",
    ],
  ])("a file with %s is one clear error about that file", async (_, text, message) => {
    await using project = await fixture("modules", {
      "study.yaml": "{study: odd, target: ./broken.ts}",
      "broken.ts": text,
    });
    const refused = await project.run("study.yaml");
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("broken.ts");
    expect(refused.stderr).toContain(message);
    expect(refused.stderr).not.toMatch(/^\s+at /m);
    expect(project.exists("bench_runs")).toBe(false);
  });

  test("a parameter that the target does not have is refused with a suggestion", async () => {
    await using project = await fixture("modules", {
      "study.yaml": "{study: half, target: ./half.ts, params: {off: 8}}",
    });
    const refused = await project.run("study.yaml");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean "of"?') });
  });

  test("one can refuse parameters with a message as Assay's own are, and use its statistics", async () => {
    const strict = `import { defineTarget, suggestion, UserError, z } from "assay/plugin";
import { mean } from "assay/stats";
const SHAPES = ["circle", "square"];
export default defineTarget({
  name: "strict",
  params: z.strictObject({ shape: z.string() }),
  check({ shape }) {
    if (!SHAPES.includes(shape)) throw new UserError(\`no shape "\${shape}"\`, { remedy: suggestion(shape, SHAPES) });
  },
  run: () => ({ value: mean([1, 3]).value }),
});`;
    await using project = await fixture("modules", {
      "strict.ts": strict,
      "study.yaml": "{study: strict, target: ./strict.ts, params: {shape: square}, seeds: 1}",
    });
    const ran = await project.run("study.yaml");
    expect(ran.code, ran.stderr).toBe(0);
    expect(project.onlyRecord("strict").metrics.value).toBe(2);
    const refused = await project.run("study.yaml", "-p", "shape=circel");
    expect(refused.code, refused.stderr).toBe(2);
    expect(refused.stderr).toMatch(/^assay: .*no shape "circel"\. Did you mean "circle"\?\n$/);
  });
});
