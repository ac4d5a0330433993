import { describe, expect, test } from "vitest";
import { fixture, type Project } from "../support/fixture.ts";
import { fleetEnvironment, startStudy, startWorker } from "../support/fleet.ts";
import { isAlive } from "../support/processes.ts";
import { queueProblem, skipReason, startQueueServer } from "../support/queue-server.ts";
import { waitFor } from "../support/wait-for.ts";

/** A server that says who it is; runs note its process, and hold while a file `hold` is there. */
async function served(files: Record<string, string> = {}): Promise<Project> {
  const project = await fixture("served", files);
  project.env.SERVED_DIR = project.dir;
  return project;
}

/** Processes of the server, in the order in which runs met them. */
const servers = (project: Project) => project.lines("servers.txt").map(Number);

const run = ["run", "study.yaml", "-q", "--no-report"];

describe("a service of a study", { concurrent: true }, () => {
  test("serves programs, and modules in threads, and is gone after them", async () => {
    await using project = await served();
    for (const study of ["study.yaml", "module.yaml"]) {
      const { code, stderr } = await project.assay("run", study, "-q", "--no-report");
      expect(code, stderr).toBe(0);
    }
    const [program, module] = ["served", "served-module"].map((name) =>
      project.records(name).map(({ metrics }) => metrics.server),
    );
    for (const pids of [program!, module!]) {
      expect(pids).toHaveLength(4);
      expect(new Set(pids).size).toBe(1);
      expect(isAlive(pids[0]!)).toBe(false);
    }
  });

  test.each(["SIGINT", "SIGKILL"] as const)("is gone soon after %s to the runner", async (signal) => {
    await using project = await served({ hold: "" });
    const launched = project.start("run", "study.yaml", "--no-report");
    const [pid] = await waitFor("a run", () => servers(project).length > 0 && servers(project));
    expect(isAlive(pid!)).toBe(true);
    launched.kill(signal);
    if (signal === "SIGINT") {
      await waitFor("the first to be heard", () =>
        launched.stderr.includes("finishing the runs in progress"),
      );
      launched.kill(signal);
    }
    await launched.ended;
    await waitFor("the service to end", () => !isAlive(pid!));
  });

  test("that dies while runs use it costs an attempt, by the retry rule, and no score", async () => {
    await using project = await served({ hold: "" });
    project.edit("study.yaml", "seeds: 4", "seeds: 1\nlimits: {retries: 1, backoff: 0s}");
    const launched = project.start(...run);
    const [pid] = await waitFor("a run", () => servers(project).length > 0 && servers(project));
    process.kill(pid!, "SIGKILL");
    await waitFor("another server", () => new Set(servers(project)).size > 1);
    project.write("letgo", "");
    expect((await launched.ended).code).toBe(0);
    const record = project.onlyRecord("served");
    expect(record).toMatchObject({ outcome: { status: "ok" }, attempt: 2 });
    expect(record.earlier![0]!.reason).toBe("service greeter ended by itself (SIGKILL): open");
  });

  test("that is changed makes its runs new, and says so", async () => {
    await using project = await served();
    await project.assay(...run);
    project.write("server.cjs", `${project.read("server.cjs")}\n// another one\n`);
    const { stdout } = await project.assay("plan", "study.yaml", "--runs");
    expect(stdout).toContain("services changed");
  });

  test("that names what no service can is a mistake, told before anything runs", async () => {
    await using project = await served();
    project.edit("study.yaml", '"${port}"', '"${port}", "${seed}"');
    const { code, stderr } = await project.assay(...run);
    expect(code).toBe(2);
    expect(stderr).toContain("a service per study can't name ${seed}");
    expect(project.exists("bench_runs/served")).toBe(false);
  });
});

const problem = queueProblem("redis");
describe.skipIf(problem)(`a service on a queue${skipReason(problem)}`, () => {
  test("runs beside each worker, from files that travelled there, and ends with it", async () => {
    await using server = await startQueueServer("redis");
    await using project = await served();
    Object.assign(project.env, fleetEnvironment(server, project));
    const worker = await startWorker(project);
    const { code, stderr } = await startStudy(project).ended;
    expect(code, stderr).toBe(0);
    const pids = project.records("served").map(({ metrics }) => metrics.server!);
    expect(new Set(pids).size).toBe(1);
    expect(isAlive(pids[0]!)).toBe(true);
    worker.kill("SIGKILL");
    await waitFor("the service to end", () => !isAlive(pids[0]!));
  });
});
