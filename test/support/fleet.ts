import { fixture, type Project } from "./fixture.ts";
import type { Launched } from "./launch.ts";
import type { QueueServer } from "./queue-server.ts";
import { waitFor } from "./wait-for.ts";

export const FLEET_KEY = "a key for the tests only";

/** A project whose studies and workers use this queue. */
export async function fleetProject(
  server: QueueServer,
  files: Record<string, string> = {},
): Promise<Project> {
  const project = await fixture("fleet", files);
  project.env = fleetEnvironment(server, project);
  return project;
}

export function fleetEnvironment(server: QueueServer, project: Project): Record<string, string> {
  return { ASSAY_QUEUE: server.url, ASSAY_FLEET_KEY: FLEET_KEY, ASSAY_SCRATCH: project.dir };
}

/** For tests in which workers die: a dead one is missed soon, and a slow machine may take one for dead that lives. */
export const SHORT_LEASE = ["--lease", "2"];

/** A worker that is there and waits. */
export async function startWorker(project: Project, ...words: string[]): Promise<Launched> {
  const worker = project.start("worker", "--jobs", "1", ...words);
  await waitFor("a worker", () => worker.stderr.includes("waits for runs") || worker.isOver);
  if (worker.isOver) throw new Error(worker.stderr);
  return worker;
}

export function startStudy(project: Project, ...words: string[]): Launched {
  return project.start("run", "study.yaml", "--executor", "queue", "--no-report", ...words);
}
