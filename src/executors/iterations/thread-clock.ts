import { closeSync, openSync, readSync } from "node:fs";

/** Shorter bodies mostly run between two interruptions, and reading this clock would be a part of them. */
const SHORTEST_MS = 1;
/** Room for three numbers of 20 digits. */
const BYTES = 64;

/**
 * What the kernel counts of this thread, in nanoseconds: how long it ran and how long it waited for a core. So a busy
 * machine is not taken for a slow body, nor for one that waits. Linux only; elsewhere nothing is known.
 */
export class ThreadClock {
  readonly #file: number | undefined;
  readonly #buffer = Buffer.alloc(BYTES);
  #before: ThreadTimes | undefined;
  #isFirst = true;
  #isLong = false;

  constructor() {
    try {
      this.#file = openSync("/proc/thread-self/schedstat", "r");
    } catch {
      // Not Linux, or a kernel that does not count.
    }
  }

  read(): ThreadTimes | undefined {
    if (this.#file === undefined) return undefined;
    // Asking for the usage brings the kernel's count of the running thread up to date; else it is a tick behind.
    process.cpuUsage();
    const length = readSync(this.#file, this.#buffer, 0, BYTES, 0);
    const [ranNs, queuedNs] = this.#buffer.toString("latin1", 0, length).split(" ").map(Number);
    return Number.isFinite(ranNs) ? { ranMs: ranNs! / 1e6, queuedMs: queuedNs! / 1e6 } : undefined;
  }

  /** Right before a body. Whether bodies are long enough to be watched, the first one decides. */
  startBody(): void {
    this.#before = this.#isFirst || this.#isLong ? this.read() : undefined;
  }

  /** Right after it: the processor time that it took; undefined of a short one. */
  endBody(): number | undefined {
    if (!this.#before) return undefined;
    const cpuMs = this.read()!.ranMs - this.#before.ranMs;
    if (this.#isFirst) this.#isLong = cpuMs >= SHORTEST_MS;
    this.#isFirst = false;
    return this.#isLong ? cpuMs : undefined;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}

interface ThreadTimes {
  ranMs: number;
  queuedMs: number;
}

/** Of the time of all bodies, the share in which their thread neither ran nor waited for a core. */
export function waitingShare(
  before: ThreadTimes | undefined,
  after: ThreadTimes | undefined,
  bodiesMs: number,
): number | undefined {
  if (!before || !after || bodiesMs <= 0) return undefined;
  const claimedMs = after.ranMs + after.queuedMs - before.ranMs - before.queuedMs;
  return Math.min(1, Math.max(0, 1 - claimedMs / bodiesMs));
}
