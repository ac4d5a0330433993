import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { vi } from "vitest";
import { type Envelope, type Kind, type Opened, open } from "../../src/fleet/envelope.ts";
import type { Parcel } from "../../src/fleet/files/file-route.ts";
import type { ChunkMessage, ResultsMessage, StudyMessage } from "../../src/fleet/protocol.ts";
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

/**
 * For tests in which workers die: a dead one is missed soon. A machine that stands still for a moment may take one for
 * dead that lives, so a test with it must hold when a run is tried once more than it should be.
 */
export const SHORT_LEASE = ["--lease", "2"];

/** For tests in which workers die and none that lives may be taken for dead: longer than machines stand still. */
export const SAFE_LEASE = ["--lease", "20"];

/** A worker that is there and waits. */
export async function startWorker(project: Project, ...words: string[]): Promise<Launched> {
  const worker = project.start("worker", "--jobs", "1", ...words);
  await waitFor("a worker", () => worker.stderr.includes("waits for runs") || worker.isOver);
  if (worker.isOver) throw new Error(worker.stderr);
  return worker;
}

/**
 * A study `fleet` of runs that hold: each appends a line to the file `marks`, its seed first, and waits until the test
 * lets it go. `more` are further lines of the study.
 */
export function holdingStudy(project: Project, { seeds, params = "", more = "" }: Held) {
  const marks = project.path("marks");
  const own = [`holds: true, marks: ${marks}`, params].filter(Boolean).join(", ");
  project.write(
    "study.yaml",
    `study: fleet\ntarget: ./step.ts\nparams: {${own}}\nseeds: ${seeds}\n${more}\n`,
  );
  return {
    /** The seeds of all tries so far, in their order. */
    tries: () => project.lines("marks").map((line) => line.split(" ")[0]!),
    letGo: (...which: (number | string)[]) => {
      for (const seed of which) project.write(`marks.${seed}`, "");
    },
  };
}

interface Held {
  seeds: number;
  params?: string;
  more?: string;
}

export function startStudy(project: Project, ...words: string[]): Launched {
  return project.start("run", "study.yaml", "--executor", "queue", "--no-report", ...words);
}

interface KeptMessages {
  launch: Opened<{ launches: string[] }>;
  study: Opened<StudyMessage>;
  chunk: Opened<ChunkMessage>;
  state: Opened<Parcel>;
  results: Opened<ResultsMessage>;
}

/** What coordinator and worker of the last release with this protocol wrote for one run of `double.py`. */
export function keptMessages(protocol: number, key: string): KeptMessages {
  const texts = readFileSync(keptPath(`protocol-${protocol}.json`), "utf8");
  // Messages are good for 30 days.
  vi.useFakeTimers({ now: Date.parse("2026-11-18T14:00:00Z"), toFake: ["Date"] });
  try {
    const opened = Object.entries(JSON.parse(texts) as Record<Kind, Envelope>).map(
      ([kind, envelope]) => [kind, open(kind as Kind, envelope, key)] as const,
    );
    return Object.fromEntries(opened) as unknown as KeptMessages;
  } finally {
    vi.useRealTimers();
  }
}

export const keptPath = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/fleet-messages/${name}`, import.meta.url));
