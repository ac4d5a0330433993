import { chmodSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fixture, type Project } from "../support/fixture.ts";
import { assayPath } from "../support/launch.ts";

/** An empty folder in which `assay` is a command, as where it is installed. */
async function emptyProject(): Promise<Project> {
  const project = await fixture("bench");
  project.write("bin/assay", `#!/bin/sh\nexec '${process.execPath}' '${assayPath}' "$@"\n`);
  chmodSync(project.path("bin/assay"), 0o755);
  project.env = { PATH: `${project.path("bin")}:${process.env.PATH}` };
  return project;
}

/** What node's own runner counts. */
async function runTests(project: Project, file: string) {
  const { stdout } = await project.launch([process.execPath, "--test", "--test-reporter=tap", file]).ended;
  const count = (word: string) => Number(new RegExp(`^# ${word} (\\d+)$`, "m").exec(stdout)?.[1]);
  return { stdout, pass: count("pass"), fail: count("fail") };
}

describe("a first target", () => {
  test("runs, has tests that pass, and tests that fail when it is broken", async () => {
    await using project = await emptyProject();
    const made = await project.assay("init", "target", "my-work", "--dir", "mine");
    expect(made, made.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Next: assay run mine/my-work.yaml"),
    });
    const ran = await project.assay("run", "mine/my-work.yaml", "--no-report");
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("10 ok of 10 runs") });
    expect(project.anyRecord("my-work").metrics).toMatchObject({ duration_ms: expect.any(Number) });
    const tested = await runTests(project, "mine/my-work.test.mjs");
    expect(tested, tested.stdout).toMatchObject({ pass: 3, fail: 0 });

    project.edit(
      "mine/my-work.ts",
      "return { largest_gap: largest };",
      "return { largest_gap: Math.random() };",
    );
    expect(await runTests(project, "mine/my-work.test.mjs")).toMatchObject({ pass: 2, fail: 1 });

    const listed = await project.assay("list", "mine/my-work.ts");
    expect(listed, listed.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/size .* 1000 /) });
    const again = await project.assay("init", "target", "my-work", "--dir", "mine");
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("Nothing was written") });
  });

  test("and a first instrument, too", async () => {
    await using project = await emptyProject();
    expect((await project.assay("init", "instrument", "cpu-use")).code).toBe(0);
    const ran = await project.assay("run", "cpu-use.yaml", "--no-report");
    expect(ran.code, ran.stderr).toBe(0);
    expect(project.onlyRecord("cpu-use").metrics).toMatchObject({ cpu_user_ms: expect.any(Number) });
    expect(await runTests(project, "cpu-use.test.mjs")).toMatchObject({ pass: 1, fail: 0 });
  });
});

describe("a first plugin", () => {
  test.each(["reporter", "sink", "searcher", "stopper", "executor", "model", "sandbox", "importer"])(
    "that is a %s keeps the contract of its family, works in a study, and is listed",
    async (family) => {
      await using project = await emptyProject();
      const made = await project.assay("init", family, `my-${family}`);
      expect(made.code, made.stderr).toBe(0);
      const tested = await runTests(project, `my-${family}.test.mjs`);
      expect(tested, tested.stdout).toMatchObject({ pass: 2, fail: 0 });
      const listed = await project.assay("list");
      expect(listed.stdout).toMatch(new RegExp(`my-${family} .*yours: \\./my-${family}\\.ts`));
    },
  );

  test("that is a reporter writes with every report, and on its own when asked by its file", async () => {
    await using project = await emptyProject();
    expect((await project.assay("init", "reporter", "lines")).code).toBe(0);
    const ran = await project.assay("run", "lines.yaml");
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toContain("Your reporters wrote bench_runs/lines/report/lines.txt\n");
    expect(project.read("bench_runs/lines/report/lines.txt")).toBe("lines: 6 runs, 0 failed\n");
    const alone = await project.assay(
      "report",
      "lines",
      "--format",
      "./lines.ts",
      "--out",
      "alone",
      "--json",
    );
    expect(JSON.parse(alone.stdout).files).toContain("alone/lines.txt");
    project.edit("lines.ts", "api: 1", "api: 9");
    const refused = await project.assay("run", "lines.yaml");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("Update Assay") });
  });
});

describe("a target that is not there, or broken", () => {
  test("is told with the nearest names and the files that were looked for", async () => {
    await using project = await fixture("bench", {
      "name.yaml": "{study: s, target: wrok}",
      "file.yaml": "{study: s, target: ./wrok.mjs}",
      "broken.yaml": "{study: s, target: ./broken.ts}",
      "broken.ts": "export default {\n  name: 'x'\n",
      "shipped.yaml": "{study: s, target: memory-bd}",
    });
    const run = async (file: string) => (await project.assay("run", file)).stderr;
    expect(await run("name.yaml")).toMatch(
      /name\.yaml:1:\d+ target: there is no target "wrok"\. Did you mean "work"\? Looked for \.\/wrok\{\.ts,/,
    );
    expect(await run("file.yaml")).toMatch(/wrok\.mjs does not exist\. Did you mean "work\.mjs"\?/);
    expect(await run("shipped.yaml")).toContain('Did you mean "memory_db"');
    const broken = await run("broken.yaml");
    expect(broken).toMatch(
      /^assay: target file \S+broken\.ts failed to load: .*broken\.ts:3:0\. Mend that file.*\n$/,
    );
  });
});

describe("bodies shorter than the clock", () => {
  test("are called in batches, and a duration is that of one call", async () => {
    await using project = await fixture("bench", {
      "study.yaml":
        "{study: s, target: noop, iterations: {warmup: 5, measured: 20, batch: auto}, instruments: [timing]}",
      "plain.yaml": "{study: plain, target: noop, iterations: {measured: 3}, instruments: [timing]}",
      "one.yaml": "{study: one, target: noop, iterations: {measured: 3, batch: 7}, instruments: [timing]}",
      "program.yaml": "{study: p, target: {command: [ls]}, iterations: {batch: 5}}",
    });
    const resultOf = (study: string) => {
      const record = project.onlyRecord(study);
      return JSON.parse(project.read(`bench_runs/${study}/runs/${record.id}/result.json`));
    };
    expect((await project.assay("run", "study.yaml", "--no-report")).code).toBe(0);
    const { iterations, timing_overhead_ns, metrics } = resultOf("s");
    expect(iterations).toMatchObject({ warmup: 5, measured: 20, batch: expect.any(Number) });
    expect(iterations.batch).toBeGreaterThan(50);
    // The calls of a batch share what reading the clock adds.
    expect((await project.assay("run", "plain.yaml", "--no-report")).code).toBe(0);
    expect(timing_overhead_ns).toBeLessThan(resultOf("plain").timing_overhead_ns / 5);
    expect(metrics.duration_s.n).toBe(20);
    expect((await project.assay("run", "one.yaml", "--no-report")).code).toBe(0);
    expect(resultOf("one").iterations).toEqual({ warmup: 0, measured: 3, batch: 7 });
    const program = await project.assay("run", "program.yaml");
    expect(program).toMatchObject({ code: 2, stderr: expect.stringContaining("batch is for modules") });
  });
});

describe("a recommendation for this machine", () => {
  test("says what to use with its intervals, and writes it as a preset that runs take", async () => {
    await using project = await fixture("bench", {
      "study.yaml":
        "{study: s, target: memory_db, params: {num_agents: 20, num_steps: 5}, matrix: {flush_every: [2, 3]}}",
    });
    const ended = await project.assay("recommend", "farm", "--quick", "--json");
    expect(ended.code, ended.stderr).toBe(0);
    const found = JSON.parse(ended.stdout);
    expect(found.means).toHaveLength(5);
    expect(found.comparisons).toHaveLength(4);
    for (const { relative, pairing } of found.comparisons) {
      expect(pairing).toMatchObject({ isPaired: true, n: 8 });
      // One run that the machine kept waiting for long makes the mean of eight as uncertain as it is large.
      if (relative.known) expect(relative.low).toBeLessThanOrEqual(relative.high);
      else expect(relative.why).toContain("can't be told from 0");
    }
    expect(found.tied).toContain(found.chosen.name);
    expect(found.advice.join("\n").toLowerCase()).toContain("in memory, persisted on completion");
    const ran = await project.assay("run", "study.yaml", "--preset", "farm-recommended.yaml", "--no-report");
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("1 ok of 1 run") });
    expect(project.onlyRecord("s").params).toMatchObject(found.params);
    const over = ["--preset", "farm-recommended.yaml", "-p", "flush_every=4", "--json"];
    const planned = JSON.parse((await project.assay("plan", "study.yaml", "--runs", ...over)).stdout);
    expect(planned.pending).toBe(1);
  });
});
