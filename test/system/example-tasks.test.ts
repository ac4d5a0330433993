import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { example } from "../support/example.ts";
import type { Project } from "../support/fixture.ts";
import { assayPath, type Ended } from "../support/launch.ts";

const folder = fileURLToPath(new URL("../../examples/agent-rollouts/", import.meta.url));
const tasks = readdirSync(`${folder}tasks`);

/** What a launch gave for each agent and task: the score of the only rollout. */
async function scores(project: Project): Promise<Record<string, Record<string, number>>> {
  const ran = await project.assay("run", "rollouts.toml");
  expect(ran.code, ran.stdout + ran.stderr).toBe(0);
  const byAgent: Record<string, Record<string, number>> = {};
  const [stamp] = readdirSync(project.path("data/rollouts/agent-rollouts"));
  for (const line of project.lines(`data/rollouts/agent-rollouts/${stamp}/journal.jsonl`)) {
    const { labels, metrics } = JSON.parse(line);
    byAgent[labels.agent] ??= {};
    byAgent[labels.agent]![labels.task_id] = metrics.score;
  }
  return byAgent;
}

function fileFor(agents: string[]): string {
  const entries = agents.flatMap((agent) =>
    tasks.map((task) => `[[tasks]]\nprepared_dir = "tasks/${task}"\nagent = ${agent}\n`),
  );
  return `name = "agent-rollouts"\nparallel = 2\n\n${entries.join("\n")}`;
}

test("each task fails untouched, and its own solution gets the full score", async () => {
  await using project = await example("agent-rollouts");
  project.write("rollouts.toml", fileFor(['"oracle"', '"nop"']));
  const { oracle, nop } = await scores(project);
  expect(tasks.length).toBeGreaterThanOrEqual(8);
  expect(oracle).toEqual(Object.fromEntries(tasks.map((task) => [task, 1])));
  expect(Object.keys(nop!)).toHaveLength(tasks.length);
  for (const [task, score] of Object.entries(nop!)) expect(score, task).toBeLessThan(1);
});

test("the agents of the example have the skill that its page tells", async () => {
  await using project = await example("agent-rollouts");
  project.write("rollouts.toml", project.read("rollouts.toml").replaceAll("rollouts = 3", "rollouts = 1"));
  const { careful, hasty, lazy, lucky } = await scores(project);
  const solved = (of: Record<string, number>) => tasks.filter((task) => of[task] === 1);
  expect(solved(careful!)).toEqual(tasks.filter((task) => task !== "csv-quotes"));
  expect(careful!["csv-quotes"]).toBeCloseTo(6 / 7);
  expect(solved(hasty!)).toEqual(["durations", "lru-cache", "todo-done", "top-words"]);
  expect(hasty).toMatchObject({
    ...{ "config-merge": 0.5, "last-page": 0.5, "log-rotate": 0.6, "slug-accents": 0.25 },
  });
  expect(solved(lazy!)).toEqual([]);
  expect(solved(lucky!)).toEqual(tasks.filter((task) => !["csv-quotes", "todo-done"].includes(task)));
});

describe("continuous benchmarking", () => {
  const careful = '{ name = "careful", command = ["agents/careful.sh", "${task_id}", "${out_dir}"] }';

  /** The example with the careful agent alone, and `assay` and `npx` to be found. */
  async function prepared(): Promise<Project> {
    const project = await example("agent-rollouts");
    project.write("agent-rollouts/rollouts.toml", fileFor([careful]));
    for (const name of ["tasks", "agents", "nightly.sh"])
      await project.launch(["cp", "-r", name, "agent-rollouts/"]).ended;
    const call = `exec '${process.execPath}' '${assayPath}' "$@"\n`;
    for (const [name, text] of Object.entries({
      assay: `#!/bin/sh\n${call}`,
      npx: `#!/bin/sh\nshift\n${call}`,
      npm: "#!/bin/sh\n",
      sudo: "#!/bin/sh\n",
    })) {
      project.write(`bin/${name}`, text);
      chmodSync(project.path(`bin/${name}`), 0o755);
    }
    project.env = { PATH: `${project.path("bin")}:${dirname(process.execPath)}:${process.env.PATH}` };
    return project;
  }

  /** The agent forgets six of the nine tasks that it knew. */
  function damage(project: Project): void {
    for (const task of ["durations", "lru-cache", "retry-limit", "slug-accents", "todo-done", "top-words"])
      project.write(`agent-rollouts/agents/answers/${task}.patch`, "");
  }

  test("a night that is surely worse than the first ends with 1", async () => {
    await using project = await prepared();
    const night = () => project.launch(["agent-rollouts/nightly.sh"]).ended;
    const first = await night();
    expect(first.code, first.stderr).toBe(0);
    damage(project);
    const second = await night();
    expect(second.code, second.stderr).toBe(1);
    expect(second.stderr).toContain("regression: agent careful:");
    expect(project.read("agent-rollouts/baseline").trim()).toMatch(/^\d{8}__\d\d-\d\d-\d\d$/);
  });

  test("the workflow tells the comparison as Markdown, and fails", async () => {
    await using project = await prepared();
    const { jobs } = parse(readFileSync(`${folder}github-actions.yml`, "utf8"));
    const steps: { name: string; run?: string }[] = jobs.rollouts.steps;
    const shell = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
    project.env = {
      ...project.env,
      ...jobs.rollouts.env,
      GITHUB_STEP_SUMMARY: project.path("summary.md"),
      GITHUB_ENV: project.path("env.txt"),
    };
    const week = async () => {
      const ended: Ended[] = [];
      for (const run of shell) {
        const words = ["--noprofile", "--norc", "-eo", "pipefail", "-c", `cd agent-rollouts\n${run}`];
        ended.push(await project.launch(["bash", ...words]).ended);
        const [, stamp] = /NEW=(.*)\n$/.exec(project.read("env.txt")) ?? [];
        if (stamp !== undefined) project.env.NEW = stamp;
      }
      return ended;
    };
    project.write("env.txt", "");
    const first = await week();
    expect(
      first.map(({ code }) => code),
      first.map(({ stderr }) => stderr).join(),
    ).toEqual([0, 0, 0, 0, 0]);
    expect(project.read("summary.md")).not.toContain("is worse");
    damage(project);
    const second = await week();
    expect(
      second.map(({ code }) => code),
      second.map(({ stderr }) => stderr).join(),
    ).toEqual([0, 0, 0, 0, 1]);
    expect(project.read("summary.md")).toMatch(/\*\*agent careful: .* is worse than .* on score by/);
  });
});
