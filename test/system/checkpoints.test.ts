import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { fixture, type Project } from "../support/fixture.ts";
import { fleetEnvironment, startStudy, startWorker } from "../support/fleet.ts";
import { queueProblem, skipReason, startQueueServer } from "../support/queue-server.ts";
import { startS3 } from "../support/s3-server.ts";
import { waitFor } from "../support/wait-for.ts";

/** A program that holds after its second epoch on its first try, and resumes from its checkpoint on any other. */
async function training(): Promise<Project> {
  const project = await fixture("training");
  project.env.TRAINING_LOG = project.path("log.txt");
  return project;
}

/** Until the first try holds; gives its process. */
async function held(project: Project): Promise<number> {
  const line = () => project.lines("log.txt").find((one) => one.startsWith("1 at 2 in "));
  await waitFor("the first try", line);
  return Number(line()!.split(" ").at(-1));
}

function expectResumed(project: Project): void {
  expect(project.lines("log.txt")).toContain("2 from 2");
  const record = project.records("training").at(-1)!;
  expect(record).toMatchObject({ outcome: { status: "ok" }, metrics: { epochs: 4 } });
  expect(project.exists("bench_runs/training/state")).toBe(false);
  const steps = project.lines(`bench_runs/training/runs/${record.id}/series.jsonl`);
  expect(steps.map((line) => JSON.parse(line).step)).toEqual([1, 2, 3, 4]);
}

describe("a run with a checkpoint resumes at its epoch", { concurrent: true }, () => {
  test("after kill -9 of the program", async () => {
    await using project = await training();
    const first = project.start("run", "study.yaml", "-q", "--no-report");
    process.kill(await held(project), "SIGKILL");
    expect((await first.ended).code).toBe(1);
    await project.assay("run", "study.yaml", "-q", "--no-report");
    expectResumed(project);
  });

  test("after kill -9 of the runner", async () => {
    await using project = await training();
    const first = project.start("run", "study.yaml", "-q", "--no-report");
    await held(project);
    first.kill("SIGKILL");
    await first.ended;
    await project.assay("run", "study.yaml", "-q", "--no-report");
    expectResumed(project);
    expect(project.onlyRecord("training").earlier).toHaveLength(1);
  });

  test("after TERM to the runner, which passes it on: exit 75 is preempted, no failure", async () => {
    await using project = await training();
    const first = project.start("run", "study.yaml", "-q", "--no-report");
    await held(project);
    first.kill("SIGTERM");
    expect((await first.ended).code).toBe(130);
    expect(project.lines("log.txt")).toContain("1 asked");
    expect(project.onlyRecord("training").outcome).toEqual({
      status: "cancelled",
      reason: "preempted",
      exitCode: 75,
    });
    const { stdout } = await project.assay("plan", "study.yaml", "--runs");
    expect(stdout).toContain("preempted before");
    await project.assay("run", "study.yaml", "-q", "--no-report");
    expectResumed(project);
  });
});

function statesIn(port: number): string {
  const words = ["-p", String(port), "--scan", "--pattern", "*/states"];
  return execFileSync("redis-cli", words, { encoding: "utf8" }).trim();
}

const problem = queueProblem("redis");
describe.skipIf(problem)(`on a queue${skipReason(problem)}`, { concurrent: true }, () => {
  test.each([
    ["kill -9", "queue", "SIGKILL"],
    ["kill -9", "a shared folder", "SIGKILL"],
    ["TERM", "queue", "SIGTERM"],
    ["kill -9", "S3", "SIGKILL"],
  ] as const)("a run resumes on another worker after %s, its state by way of %s", async (_, way, signal) => {
    await using server = await startQueueServer("redis");
    await using project = await training();
    await using s3 = await startS3();
    Object.assign(project.env, fleetEnvironment(server, project), s3.env);
    const files = { queue: "queue", "a shared folder": project.path("shared"), S3: "s3://runs/states" }[way];
    project.write(
      "study.yaml",
      `${project.read("study.yaml")}executor: {kind: queue, queue: {files: ${files}}}\n`,
    );
    const worker = await startWorker(project, "--preemptible", "--lease", "2");
    const study = startStudy(project);
    await held(project);
    // By way of the queue or of S3, the state is on its way for a moment.
    if (way !== "a shared folder" && signal === "SIGKILL")
      await waitFor("its state", () => statesIn(server.port), { everyMs: 200 });
    worker.kill(signal);
    await worker.ended;
    await startWorker(project);
    const { code, stderr } = await study.ended;
    expect(code, stderr).toBe(0);
    expect(project.lines("log.txt").some((line) => line.endsWith("from 2"))).toBe(true);
    expect(project.onlyRecord("training")).toMatchObject({ metrics: { epochs: 4 } });
    if (way === "S3") await waitFor("the bucket to be empty", () => s3.objects().length === 0);
  });
});
