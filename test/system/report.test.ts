import { describe, expect, test } from "vitest";
import { example } from "../support/example.ts";
import { fixture } from "../support/fixture.ts";

describe("assay report", () => {
  test("of the smoke matrix writes the page, the pictures of old, Markdown, JSON and JUnit", async () => {
    await using project = await example("matrix-sweep");
    const ran = await project.assay("run", "smoke.json", "-q", "--no-report");
    expect(ran.code).toBe(0);
    const reported = await project.assay("report", "smoke", "--format", "html,md,json,junit", "--json");
    expect(reported.stderr).toBe("");
    const { files } = JSON.parse(reported.stdout) as { files: string[] };
    for (const name of ["makespan_by_policy", "cost_by_policy", "ablation_deltas_full_p95_ratio"]) {
      expect(files).toContain(`bench_runs/smoke/report/assets/${name}.png`);
      expect(project.read(`bench_runs/smoke/report/assets/${name}.svg`)).toMatch(/^<svg /);
    }
    for (const name of ["index.html", "report.md", "report.json", "junit.xml"])
      expect(files).toContain(`bench_runs/smoke/report/${name}`);
    const page = project.read("bench_runs/smoke/report/index.html");
    expect(page.length).toBeLessThan(1_500_000);
    expect(page).toContain("'none'; form-action 'none'");
    expect(project.read("bench_runs/smoke/report/report.md")).toContain("](assets/makespan_by_policy.png)");
    project.write("bench_runs/smoke/report/assets/of_an_earlier_report.png", "");
    await project.assay("report", "smoke");
    expect(project.exists("bench_runs/smoke/report/assets/of_an_earlier_report.png")).toBe(false);
    expect(project.exists("bench_runs/smoke/report/assets/makespan_by_policy.png")).toBe(true);
    const { answer } = JSON.parse(project.read("bench_runs/smoke/report/report.json"));
    expect(answer).toMatchObject({ status: "exploratory", verdict: expect.any(String) });
    const compared = await project.assay(
      ...["compare", "smoke", "--by", "policy", "--metric", "makespan_p95_ms"],
      ...["--where", "variant == 'baseline'", "--baseline", "fifo_cheapest", "--json"],
    );
    expect(JSON.parse(compared.stdout).comparisons[0].sentence).toBe(answer.sentence);
  });

  test("runs the command of a run's page for that run alone", async () => {
    await using project = await fixture("sums");
    await project.assay("run", "study.yaml", "-q", "--no-report", "--out-root", "there");
    await project.assay("report", "sums", "--out-root", "there", "--no-plots");
    const page = project.read("there/sums/report/index.html");
    const data = JSON.parse(/data-encoding="plain">([\s\S]*?)<\/script>/.exec(page)![1]!);
    const [id, run] = Object.entries(data.details)[0] as [string, { command: string }];
    const words = run.command.split(" ").slice(1);
    const again = await project.assay(...words, "--json", "--no-report");
    expect(again.code).toBe(0);
    expect(words).toContain(id);
    expect(JSON.parse(again.stdout)).toMatchObject({ ok: 1, studyDir: "there/sums" });
    expect(project.exists("there/sums/report/assets")).toBe(false);
  });

  test("refuses a format that nobody writes, and names those that there are", async () => {
    await using project = await fixture("sums");
    await project.assay("run", "study.yaml", "-q", "--no-report");
    const { code, stderr } = await project.assay("report", "sums", "--format", "pdf");
    expect(code).toBe(2);
    expect(stderr).toContain("expected one or more of html, markdown, json, junit");
  });

  test("compare --html writes a page of the same sentences", async () => {
    await using project = await example("matrix-sweep");
    await project.assay("run", "smoke.json", "-q", "--no-report");
    const words = ["compare", "smoke", "--by", "policy", "--metric", "makespan_p95_ms"];
    const { stdout, code } = await project.assay(...words, "--html", "out/page.html");
    expect(code).toBe(0);
    const page = project.read("out/page.html");
    expect(page).toContain(stdout.split("\n")[0]!.replaceAll("'", "&#39;"));
    expect(page).toContain("<svg ");
  });
});
