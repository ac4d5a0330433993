import type { Database } from "../database/open-database.ts";
import { applyPragmas, pragmaProfiles } from "../database/pragmas.ts";
import { databaseBytes, syncFile } from "../database/work-folder.ts";
import { compareDigests, type LogDigest, readDigest } from "../log/log-digest.ts";
import { type LogOptions, StepLog } from "../log/step-log.ts";
import { step } from "../world/step.ts";
import { createWorld, type World } from "../world/world.ts";
import type { MemoryDbParams, Mode } from "./params.ts";

export interface Logging {
  params: MemoryDbParams;
  seed: number;
  open(path: string): Database;
  /** The file of the modes that end on the disk. */
  file: string;
  expected: LogDigest;
  signal: AbortSignal;
}

interface Logged {
  /** From the first step until all is where it should be, safely; opening and checking are not in it. */
  totalMs: number;
  /** Of that, writing the database in memory to the disk. */
  persistMs: number;
  bytes: number | null;
}

/** A stretch of work after which the run looks whether it should end. */
const LOOK_EVERY_MS = 50;

/** Simulates the world with every step logged, in one of the three ways, and checks what is there afterwards. */
export async function logSimulation(mode: Mode, logging: Logging): Promise<Logged> {
  const { params, open, file } = logging;
  const world = createWorld({ ...params.world, num_agents: params.num_agents }, logging.seed);
  const db = open(mode === "disk" ? file : ":memory:");
  let isOpen = true;
  const close = () => {
    if (isOpen) db.close();
    isOpen = false;
  };
  try {
    if (mode === "disk") applyPragmas(db, pragmaProfiles[params.profile]);
    const log = new StepLog(db, logOptions(params));
    const start = performance.now();
    await simulate(world, log, logging);
    const simulated = performance.now();
    // A statement, not a path in a string: a folder's name may hold a quote.
    if (mode === "persisted") db.prepare("VACUUM INTO ?").run([file]);
    if (mode === "disk") {
      // What a write-ahead log still holds belongs into the file; closing does not always put it there.
      db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
      close();
    }
    if (mode !== "memory") syncFile(file);
    const end = performance.now();
    if (mode === "memory") check(db, logging);
    else checkFile(logging);
    return {
      totalMs: end - start,
      persistMs: mode === "persisted" ? end - simulated : 0,
      bytes: mode === "memory" ? null : databaseBytes(file),
    };
  } finally {
    close();
  }
}

export function logOptions({ flush_every, resources_every }: MemoryDbParams): LogOptions {
  return { flushEvery: flush_every, resourcesEvery: resources_every };
}

async function simulate(world: World, log: StepLog, { params, signal }: Logging): Promise<void> {
  let look = performance.now() + LOOK_EVERY_MS;
  for (let i = 0; i < params.num_steps; i++) {
    log.record(world, step(world));
    if (performance.now() < look) continue;
    await new Promise((resume) => setImmediate(resume));
    signal.throwIfAborted();
    look = performance.now() + LOOK_EVERY_MS;
  }
  log.flush();
}

function checkFile(logging: Logging): void {
  const db = logging.open(logging.file);
  try {
    check(db, logging);
  } finally {
    db.close();
  }
}

function check(db: Database, { params, expected }: Logging): void {
  if (!params.verify) return;
  const wrong = compareDigests(expected, readDigest(db));
  if (wrong !== null) throw new Error(`the log is not complete: ${wrong}`);
}
