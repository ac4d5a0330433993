import type { Database } from "../database/open-database.ts";
import { syncFile } from "../database/work-folder.ts";
import { StepLog } from "../log/step-log.ts";
import { pause } from "../pause.ts";
import { step } from "../world/step.ts";
import type { World } from "../world/world.ts";

interface Load {
  world: World;
  steps: number;
  db: Database;
  /** Where the database is kept at the end; null where it is given up. */
  persistTo: string | null;
  signal: AbortSignal;
  /** Called now and then, with the step that was reached. */
  onTurn(step: number): void;
}

const LOG = { flushEvery: 10, resourcesEvery: 0 };
const STEPS_BETWEEN_TURNS = 5;

/** A world that is simulated and logged: something for the machine to do while it is watched. */
export async function runLoad({
  world,
  steps,
  db,
  persistTo,
  signal,
  onTurn,
}: Load): Promise<{ loadMs: number }> {
  const log = new StepLog(db, LOG);
  const start = performance.now();
  for (let i = 1; i <= steps; i++) {
    log.record(world, step(world));
    if (i % STEPS_BETWEEN_TURNS !== 0) continue;
    await pause(signal);
    onTurn(i);
  }
  log.flush();
  if (persistTo !== null) {
    db.prepare("VACUUM INTO ?").run([persistTo]);
    syncFile(persistTo);
  }
  return { loadMs: performance.now() - start };
}
