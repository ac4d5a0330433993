import { renameSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { example } from "../support/example.ts";
import { fixture } from "../support/fixture.ts";
import { fleetEnvironment, fleetProject, startStudy, startWorker } from "../support/fleet.ts";
import { queueProblem, skipReason, startQueueServer } from "../support/queue-server.ts";
import { waitFor } from "../support/wait-for.ts";

const ROLLOUTS = `name = "two"
${["careful tasks/durations", "hasty tasks/last-page"]
  .map((pair) => pair.split(" "))
  .map(
    ([agent, task]) => `[[tasks]]
prepared_dir = "${task}"
agent = { name = "${agent}", command = ["agents/${agent}.sh", "\${task_id}", "\${out_dir}"] }
rollouts = 1
`,
  )
  .join("")}`;

const BOWL = `import { z } from "assay/plugin";
export default {
  name: "bowl",
  params: z.object({ x: z.number() }),
  run({ params: { x }, series }) {
    for (let step = 1; step <= 3; step++) series({ step, loss: (x - 3) ** 2 + 3 - step });
    return { loss: (x - 3) ** 2 };
  },
};
`;

const SEARCH = `study: bowl
target: ./bowl.mjs
search: { method: tpe, points: 30, space: { x: { min: 0.0, max: 10.0 } } }
analysis: { metric: loss, goal: minimize }
`;

const problem = queueProblem("redis");
describe.skipIf(problem)(`through a queue${skipReason(problem)}`, { concurrent: true }, () => {
  test("agents run on tasks of their own, which travel, and what they cost comes back", async () => {
    await using server = await startQueueServer("redis");
    await using project = await fixture("agent");
    project.env = fleetEnvironment(server, project);
    project.edit("study.yaml", "tasks: [shop-pricing, transit-fares]", "tasks: [first, second]");
    await startWorker(project, "--jobs", "2");
    const { code, stderr } = await startStudy(project, "-p", "task_set=./tasks").ended;
    expect(code, stderr).toBe(0);
    const records = project.records("agent");
    expect(records.length).toBe(4);
    for (const { outcome, metrics, files, costUsd } of records) {
      expect(outcome.status).toBe("ok");
      expect(costUsd).toBe(metrics.total_cost);
      expect(files).toContainEqual(expect.stringMatching(/^trajectories\/.*\.traj$/));
    }
    const { stdout } = await project.assay("status", "agent", "--json");
    const sum = records.reduce((total, { costUsd }) => total + costUsd!, 0);
    expect(JSON.parse(stdout).costUsd).toBeCloseTo(sum);
  });

  test("a budget is overrun by no more than what is under way", async () => {
    await using server = await startQueueServer("redis");
    await using project = await fleetProject(server);
    await startWorker(project, "--jobs", "2");
    const { code, stderr } = await startStudy(project, "--max-cost", "1", "-p", "costUsd=0.4").ended;
    expect(code, stderr).toBe(1);
    expect(stderr).toContain("of $1");
    // At $0.80 a third and a fourth may begin; once $1.20 is known, none does.
    const spent = project.records("fleet").length;
    expect(spent).toBeGreaterThanOrEqual(3);
    expect(spent).toBeLessThanOrEqual(4);
  });

  test("rollouts find their tasks in a folder that all share; a worker that does not see it says so", async () => {
    await using server = await startQueueServer("redis");
    await using project = await example("agent-rollouts");
    project.env = fleetEnvironment(server, project);
    project.write("two.toml", ROLLOUTS);
    const study = project.start("run", "two.toml", "--executor", "queue", "--no-report");
    await waitFor("the study", () => study.stderr.includes("no worker is there") || study.isOver);
    renameSync(project.path("tasks"), project.path("hidden"));
    const worker = await startWorker(project, "--jobs", "2");
    await waitFor("its word", () => worker.stderr.includes("does not exist"));
    await waitFor("the study's word", () => study.stderr.includes("no worker can run this study"));
    expect(study.stderr).toMatch(/the task tasks\/\S+ does not exist.*share the study's folder/);
    expect(worker.stderr.match(/can't run the study/g)!.length).toBeLessThanOrEqual(2);
    renameSync(project.path("hidden"), project.path("tasks"));
    const { code, stderr, stdout } = await study.ended;
    expect(code, stdout + stderr).toBe(0);
    const [stamp] = project.list("data/rollouts/two");
    const records = project
      .lines(`data/rollouts/two/${stamp}/journal.jsonl`)
      .map((line) => JSON.parse(line) as { task: string; metrics: { score: number } });
    expect(Object.fromEntries(records.map(({ task, metrics }) => [task, metrics.score]))).toEqual({
      "tasks/durations": 1,
      "tasks/last-page": 0.5,
    });
  });

  test("a search proposes points by what came back, and says that no run is ended early", async () => {
    await using server = await startQueueServer("redis");
    await using project = await fleetProject(server, { "study.yaml": SEARCH, "bowl.mjs": BOWL });
    project.edit("study.yaml", "points: 30,", "points: 30, stop: { kind: median },");
    await startWorker(project, "--jobs", "2");
    const { code, stderr } = await startStudy(project).ended;
    expect(code, stderr).toBe(0);
    expect(stderr).toContain("ends no run early here");
    const records = project.records("bowl");
    expect(new Set(records.map(({ id }) => id)).size).toBe(30);
    expect(records.length).toBe(30);
    // What it learnt: the later half is nearer to the bottom of the bowl than chance would be.
    const losses = records.slice(15).map(({ metrics }) => metrics.loss!);
    expect(losses.sort((a, b) => a - b)[7]).toBeLessThan(2);
  });
});
