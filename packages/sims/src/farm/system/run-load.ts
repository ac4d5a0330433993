import { monitorEventLoopDelay } from "node:perf_hooks";
import { type Database, syncFile } from "../database/database.ts";
import { pause } from "../pause.ts";
import { StepLog } from "../step-log.ts";
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

interface Sample {
  rss_bytes: number;
  heap_bytes: number;
  /** Cores in use since the sample before. */
  cpu_cores: number;
}

interface Watched {
  cpuUserMs: number;
  cpuSystemMs: number;
  cpuCores: number;
  peakRssBytes: number;
  peakHeapBytes: number;
  loopDelayMs: number;
  loopDelayWorstMs: number;
}

const LOOP_INTERVAL_MS = 1;

/** Watches this process: memory whenever `look` is called, processor time and event loop all along. */
export class ProcessWatch {
  readonly #loop = monitorEventLoopDelay({ resolution: LOOP_INTERVAL_MS });
  readonly #startMs = performance.now();
  readonly #startCpu = process.cpuUsage();
  #lastMs = this.#startMs;
  #lastCpu = this.#startCpu;
  #peakRss = 0;
  #peakHeap = 0;

  constructor() {
    this.#loop.enable();
  }

  /** Takes note of the memory; a sample when the last one is older than this. */
  look(intervalMs: number): Sample | null {
    const { rss, heapUsed } = process.memoryUsage();
    this.#peakRss = Math.max(this.#peakRss, rss);
    this.#peakHeap = Math.max(this.#peakHeap, heapUsed);
    const now = performance.now();
    if (now - this.#lastMs < intervalMs) return null;
    const { user, system } = process.cpuUsage(this.#lastCpu);
    const cores = (user + system) / 1000 / (now - this.#lastMs);
    this.#lastMs = now;
    this.#lastCpu = process.cpuUsage();
    return { rss_bytes: rss, heap_bytes: heapUsed, cpu_cores: cores };
  }

  end(): Watched {
    this.#loop.disable();
    this.look(Number.POSITIVE_INFINITY);
    const { user, system } = process.cpuUsage(this.#startCpu);
    const wallMs = performance.now() - this.#startMs;
    return {
      cpuUserMs: user / 1000,
      cpuSystemMs: system / 1000,
      cpuCores: (user + system) / 1000 / wallMs,
      peakRssBytes: this.#peakRss,
      peakHeapBytes: this.#peakHeap,
      loopDelayMs: lateMs(this.#loop.mean),
      loopDelayWorstMs: lateMs(this.#loop.max),
    };
  }
}

/** The monitor counts from turn to turn, so its own interval comes off; it says NaN where it has seen no turn. */
function lateMs(nanoseconds: number): number {
  return Number.isNaN(nanoseconds) ? 0 : Math.max(0, nanoseconds / 1e6 - LOOP_INTERVAL_MS);
}
