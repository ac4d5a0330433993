import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { example, hasPython } from "../support/example.ts";
import { fixture } from "../support/fixture.ts";

const examples = fileURLToPath(new URL("../../examples/", import.meta.url));

describe("programs that report their metrics", () => {
  test("Python: series and metrics.json", async ({ skip }) => {
    skip(!hasPython(), "python3 is not installed");
    await using project = await example("report-metrics");
    const ran = await project.run("python.yaml");
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("9 ok of 9 runs") });
    const sql = "SELECT count(*) AS steps, max(loss) > min(loss) AS falls FROM series GROUP BY run_id";
    const series = JSON.parse((await project.assay("query", "report-metrics-python", sql, "--json")).stdout);
    expect(series).toEqual(Array(9).fill({ steps: 20, falls: true }));
    for (const { params, metrics } of project.records("report-metrics-python")) {
      expect(metrics.final_loss).toBeGreaterThan(0);
      expect(metrics.converged).toBe(params.rate === 0.01 ? 0 : 1);
    }
  });

  test("shell: series and summary.csv", async () => {
    await using project = await example("report-metrics");
    const ran = await project.run("shell.yaml");
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("4 ok of 4 runs") });
    for (const { params, metrics } of project.records("report-metrics-shell")) {
      expect(metrics).toEqual({ words: params.lines, lines: params.lines });
    }
    const { stdout } = await project.assay(
      "query",
      "report-metrics-shell",
      "SELECT count(*) AS n FROM series",
      "--json",
    );
    expect(JSON.parse(stdout)).toEqual([{ n: 66 }]);
  });

  test("Node: series, metrics.json and a fact that is no number", async () => {
    await using project = await example("report-metrics");
    const ran = await project.run("node.yaml");
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("4 ok of 4 runs") });
    for (const { id, metrics, labels } of project.records("report-metrics-node")) {
      expect(metrics.comparisons).toBeGreaterThan(900);
      expect(labels).toEqual({ run: id });
      expect(project.lines(`bench_runs/report-metrics-node/runs/${id}/series.jsonl`)).toHaveLength(3);
    }
  });

  test("the environment names the run, its seed, its folder and its series", async () => {
    await using project = await fixture("program", {
      "program.sh":
        'printf "%s\\n" "$ASSAY_RUN_ID" "$ASSAY_SEED" "$ASSAY_OUT_DIR" "$ASSAY_SERIES"; [ -d "$ASSAY_OUT_DIR" ]',
    });
    await project.run("study.yaml", "--seeds", "41..41");
    const [{ id } = { id: "" }] = project.records("program");
    const dir = project.path(`bench_runs/program/runs/${id}`);
    expect(project.lines(`bench_runs/program/runs/${id}/stdout.txt`)).toEqual([
      id,
      "41",
      `${dir}/out`,
      `${dir}/series.jsonl`,
    ]);
  });

  test("metrics that can't be read are a warning, not a failure, and never zero", async () => {
    await using project = await fixture("program", {
      "program.sh":
        'cd "$ASSAY_OUT_DIR"; echo "{not json" >metrics.json; printf "a,b,c\\n1,nan,\\n" >summary.csv',
    });
    expect((await project.run("study.yaml")).code).toBe(0);
    const record = project.onlyRecord("program");
    expect(record.metrics).toEqual({ a: 1, b: null, c: null });
    expect(record.warnings!.join("\n")).toContain("metrics.json could not be read");
  });
});

describe("Assay from a program", () => {
  test("runs a study, collects it and asks it in SQL; run again, it goes on", async () => {
    await using project = await fixture("program");
    const script = `${examples}api/compare.mjs`;
    expect(existsSync(script)).toBe(true);
    const run = () => project.launch([process.execPath, script, project.path("out")]).ended;
    const first = await run();
    expect(first.stderr).toBe("");
    expect(first.code).toBe(0);
    expect(first.stdout).toContain("6 ok, 0 done before, of 6");
    expect(first.stdout.match(/^value\d__seed\d\S+: ok$/gm)).toHaveLength(6);
    expect(first.stdout).toContain(
      '[{"value":1,"runs":2,"is_timed":true},{"value":2,"runs":2,"is_timed":true},{"value":3,"runs":2,"is_timed":true}]',
    );
    expect((await run()).stdout).toContain("0 ok, 6 done before, of 6");
  });
});

test("prompts and models on a dataset: a changed prompt or item repeats its own runs alone", async ({
  skip,
}) => {
  skip(!hasPython(), "python3 is not installed");
  await using project = await example("datasets");
  const ran = await project.run("study.yaml");
  expect(ran, ran.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1,200 ok of 1,200 runs"),
  });
  const again = await project.assay("plan", "study.yaml");
  expect(again.stdout).toContain("1,200 done before, 0 to run");
  project.write("prompts/plain.txt", "Guess a number.");
  expect((await project.assay("plan", "study.yaml")).stdout).toContain("800 done before, 400 to run");
});
