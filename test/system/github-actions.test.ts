import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { fixture, type Project } from "../support/fixture.ts";
import { assayPath } from "../support/launch.ts";

const example = fileURLToPath(new URL("../../examples/benchmarks/", import.meta.url));

interface Workflow {
  jobs: Record<string, { steps: { name?: string; run?: string }[] }>;
}
const workflow = parse(readFileSync(`${example}github-actions.yml`, "utf8")) as Workflow;

/** The shell steps of a job, as the runner of GitHub calls them. */
const stepsOf = (job: string) =>
  workflow.jobs[job]!.steps.flatMap(({ name, run }) => (run === undefined ? [] : [{ name: name!, run }]));

type Checkout = Project & { git(...words: string[]): string; step(text: string): Promise<number | null> };

/** A repository with the example in benchmarks/, one commit, and stand-ins for npm and npx. */
async function checkout(): Promise<Checkout> {
  const outer = await fixture("bench");
  const project = Object.assign(outer, {
    git: (...words: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...words], {
        cwd: outer.path("repo"),
        encoding: "utf8",
      }).trim(),
    async step(text: string) {
      const words = ["--noprofile", "--norc", "-eo", "pipefail", "-c", `cd repo\n${text}`];
      const ended = await outer.launch(["bash", ...words]).ended;
      if (ended.code !== 0) outer.write("problem.txt", ended.stderr);
      return ended.code;
    },
  });
  for (const [name, text] of Object.entries({
    npm: "#!/bin/sh\nexit 0\n",
    npx: `#!/bin/sh\n[ "$1" = assay ] && shift && exec '${process.execPath}' '${assayPath}' "$@"\n`,
  })) {
    project.write(`bin/${name}`, text);
    chmodSync(project.path(`bin/${name}`), 0o755);
  }
  project.write("repo/.gitignore", "bench_runs\nbench_history\n");
  cpSync(example, project.path("repo/benchmarks"), { recursive: true });
  project.git("init", "-q", "-b", "main");
  project.git("add", "-A");
  project.git("commit", "-qm", "base");
  project.env = {
    PATH: `${project.path("bin")}:${dirname(process.execPath)}:${process.env.PATH}`,
    BASE_SHA: project.git("rev-parse", "HEAD"),
    GITHUB_STEP_SUMMARY: project.path("summary.md"),
  };
  return project;
}

describe("the workflow of the example", () => {
  test("tells the comparison of a slower change as Markdown, and fails", async () => {
    await using project = await checkout();
    // A wait that no busy machine can hide: what is tested is the workflow, not the machine.
    const body = "return { agents: sumRewards(lines).size };";
    const wait = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);";
    project.edit("repo/benchmarks/parse-log.ts", body, `${wait}\n    ${body}`);
    project.edit(
      "repo/benchmarks/parse-log.yaml",
      "{ warmup: 50, measured: 100 }",
      "{ warmup: 1, measured: 3 }",
    );
    project.git("commit", "-qam", "slower");
    const steps = stepsOf("compare");
    expect(steps.map(({ name }) => name)).toHaveLength(3);
    const codes: (number | null)[] = [];
    for (const { run } of steps) codes.push(await project.step(run));
    expect(codes, project.read("problem.txt")).toEqual([0, 0, 1]);
    expect(project.read("summary.md")).toMatch(
      /\*\*lines 2000: head is worse than base on duration_ms_p50 by/,
    );
    expect(project.read("summary.md")).toContain("| part | metric | arm |");
    expect(project.read("problem.txt")).toContain("regression: lines 2000");
  });

  test("keeps a history on the main branch, and tells it", async () => {
    await using project = await checkout();
    for (const round of [1, 2]) {
      if (round === 2) project.git("commit", "-q", "--allow-empty", "-m", "nothing changed");
      for (const { run } of stepsOf("history")) expect(await project.step(run)).toBe(0);
    }
    // The program is the same, but it was measured at two commits.
    const last = project.read("summary.md").split("```")[3]!;
    for (const commit of project.git("log", "--format=%H").split("\n"))
      expect(last).toContain(commit.slice(0, 7));
    expect(last).toContain("Steps: unknown, because with fewer than 8 points");
    expect(project.read("repo/bench_history/history.svg")).toContain(" over commits</title>");
  });
});
