import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { fixture, type Project } from "../support/fixture.ts";

/** A target whose cost is what its file says, with some noise by the seed and by the file. */
const target = (level: number) => `export default {
  name: "work",
  params: { safeParse: (data) => ({ success: true, data }) },
  run: ({ seed, params }) => ({ cost: ${level} * (params.size ?? 1) + ((seed * 7919 + ${level * 13}) % 11) / 10 }),
};
`;
const study = `{study: costs, target: ./work.mjs, matrix: {size: [1, 2]}, seeds: 3,
analysis: {metric: cost, goal: minimize}}`;

/** The same of a program that prints it. */
const programs = `study: costs
target:
  command: [node, print.mjs, '\${size}']
  watch: [work.mjs]
  metrics: {cost: 'cost (\\S+)'}
params: {size: 1}
seeds: 2
analysis: {metric: cost, goal: minimize}
`;
const print = `import work from "./work.mjs";
console.log("cost", work.run({ seed: Number(process.env.ASSAY_SEED), params: { size: Number(process.argv[2]) } }).cost);
`;

/** A git project in which each commit has another cost (broken where that is null), measured one after the other. */
async function measured(
  levels: readonly (number | null)[],
  {
    isMeasured = () => true,
    files = {},
    options = [],
  }: { isMeasured?: (i: number) => boolean; files?: Record<string, string>; options?: string[] } = {},
): Promise<Project & { commits: string[] }> {
  const project = await fixture("bench", { "study.yaml": study, ".gitignore": "bench_runs\n", ...files });
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...words], {
      cwd: project.dir,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, ...dates },
    });
  const dates: Record<string, string> = {};
  git("init", "-q");
  const commits: string[] = [];
  for (const [i, level] of levels.entries()) {
    const day = `2026-01-${String(i + 1).padStart(2, "0")}T12:00:00+00:00`;
    dates.GIT_COMMITTER_DATE = day;
    dates.GIT_AUTHOR_DATE = day;
    project.write("work.mjs", level === null ? "throw new Error('broken');\n" : target(level));
    git("add", "-A");
    git("commit", "-qm", `cost ${level}`);
    commits.push(git("rev-parse", "HEAD").trim());
    if (!isMeasured(i)) continue;
    // Results moved aside belong to the history too.
    const words = [...options, ...(i === 3 ? ["--fresh"] : [])];
    const ran = await project.assay("run", "study.yaml", "--quiet", "--no-report", ...words);
    expect(ran.code, ran.stderr).toBe(0);
  }
  return Object.assign(project, { commits });
}

describe("the history of a metric", () => {
  test("has a point a commit, finds the step, draws it, and gates on it", async () => {
    await using project = await measured([100, 100.4, 99.8, 100.2, 100.1, 120, 120.3, 119.8, 120.1, 120.2]);
    expect(project.list("bench_runs")).toHaveLength(2);
    const shown = await project.assay("history", "costs", "--output", "history.svg");
    expect(shown, shown.stderr).toMatchObject({ code: 0 });
    const at = project.commits[5]!.slice(0, 7);
    expect(shown.stdout).toContain(`at ${at} (2026-01-06), for the worse`);
    expect(shown.stdout).toMatch(/Step of \+\d\d\.?\d* % \[/);
    expect(project.read("history.svg").match(/class="step"/g)).toHaveLength(2);

    const found = JSON.parse((await project.assay("history", "work", "--json")).stdout);
    expect(found).toMatchObject({ metric: "cost", goal: "minimize", single: 0, left: 0 });
    expect(found.cells).toHaveLength(2);
    for (const { points, steps, params } of found.cells) {
      expect(points.map(({ commit }: { commit: string }) => commit)).toEqual(project.commits);
      expect(points.every(({ n }: { n: number }) => n === 3)).toBe(true);
      expect(steps.steps).toMatchObject([{ at: 5, first: 5, last: 5 }]);
      // 20 of 100 times the size, but for noise of at most a tenth a run.
      expect(Math.abs(steps.steps[0].after - steps.steps[0].before - 20 * params.size)).toBeLessThan(1.5);
    }

    expect((await project.assay("history", "work", "--fail-on", "regression")).code).toBe(1);
    const wide = await project.assay("history", "work", "--fail-on", "regression", "--margin", "50%");
    expect(wide.code).toBe(0);
    const since = ["--since", project.commits[5]!.slice(0, 8)];
    const later = await project.assay("history", "work", "--fail-on", "regression", ...since);
    expect(later).toMatchObject({ code: 0, stdout: expect.stringContaining("unknown, because") });
  });

  test("is measured at the commits between two points until a step is one commit's, but for those that fail", async () => {
    await using project = await measured([100, 100.4, 99.8, null, 100.2, 120, 119.8, 120.1], {
      isMeasured: (i) => i === 0 || i === 7,
      files: { "study.yaml": programs, "print.mjs": print },
      options: ["-p", "size=2"],
    });
    project.write("work.mjs", "uncommitted");
    const [at, broken] = [project.commits[5]!, project.commits[3]!.slice(0, 7)];
    const ran = await project.assay("history", "costs", "--run", "--setup", "test -f print.mjs");
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain(`the step is at ${at.slice(0, 7)} (2026-01-06) cost 120\n+20`);
    expect(ran.stdout).toContain(`skipped: ${broken} (2026-01-04) cost null: 2 of its runs failed`);
    expect(ran.stdout).toContain("3 commits tried, 6 runs");
    expect(project.read("work.mjs")).toBe("uncommitted");
    expect(project.list(".git/worktrees")).toEqual([]);
    // What the command line set holds at the other commits, too.
    expect(project.records(`costs@${at.slice(0, 7)}`).map(({ params }) => params)).toEqual([
      { size: 2 },
      { size: 2 },
    ]);

    const again = JSON.parse((await project.assay("history", "costs", "--run", "--json")).stdout);
    expect(again.bisected).toMatchObject({
      suspects: [{ hash: at }],
      runs: 0,
      change: { relative: { known: true } },
    });
  });

  test("is of result.json files too, and says what is missing", async () => {
    await using project = await fixture("bench", {
      "spec.yaml": "{experiment: work, iterations: {measured: 4}, output_dir: bench_runs/spec}",
    });
    expect((await project.assay("run", "spec.yaml", "--no-report")).code).toBe(0);
    const record = project.onlyRecord("spec");
    const file = `bench_runs/spec/runs/${record.id}/result.json`;
    const other = {
      ...JSON.parse(project.read(file)),
      program: "another",
      started_at: "2026-01-01T00:00:00Z",
    };
    project.write("other.json", JSON.stringify(other));
    const shown = await project.assay("history", file, "other.json", "--metric", "calls");
    expect(shown, shown.stderr).toMatchObject({ code: 0 });
    expect(shown.stdout).toContain("with fewer than 8 points");
    expect(shown.stdout).toContain("of iterations within one run");

    const wrong = await project.assay("history", "spce");
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean "spec"') });
    const metric = await project.assay("history", "spec", "--metric", "call");
    expect(metric).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean "calls"') });
    const gate = await project.assay("history", "spec", "--metric", "calls", "--fail-on", "regression");
    expect(gate).toMatchObject({ code: 2, stderr: expect.stringContaining("--goal") });
    const bare = await project.assay("history", "spec", "--run");
    expect(bare).toMatchObject({ code: 2, stderr: expect.stringContaining("there is no git repository") });
  });
});
