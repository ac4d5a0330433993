interface MachineProbe {
  /** The smallest step that the clock was seen to take, and what a reading costs. */
  clockStepNs: number;
  clockCostNs: number;
  /** By how much a timer of one millisecond is late, on average. */
  timerLateMs: number;
  /** A fixed piece of arithmetic on one core: the same work on every machine. */
  arithmeticMs: number;
  copyGbPerS: number;
}

const READINGS = 5000;
const TIMERS = 10;
const ROUNDS = 5_000_000;
const COPY_BYTES = 16e6;

/** What the machine itself is like, with nothing of ours running. */
export async function probeMachine(): Promise<MachineProbe> {
  return {
    ...probeClock(),
    timerLateMs: await probeTimers(),
    arithmeticMs: probeArithmetic(),
    copyGbPerS: probeCopy(),
  };
}

function probeClock(): { clockStepNs: number; clockCostNs: number } {
  let smallest = Number.POSITIVE_INFINITY;
  const start = process.hrtime.bigint();
  let last = start;
  for (let i = 0; i < READINGS; i++) {
    const now = process.hrtime.bigint();
    const step = Number(now - last);
    if (step > 0 && step < smallest) smallest = step;
    last = now;
  }
  return { clockStepNs: smallest, clockCostNs: Number(last - start) / READINGS };
}

async function probeTimers(): Promise<number> {
  let late = 0;
  for (let i = 0; i < TIMERS; i++) {
    const start = performance.now();
    await new Promise((resume) => setTimeout(resume, 1));
    late += performance.now() - start - 1;
  }
  return late / TIMERS;
}

function probeArithmetic(): number {
  const start = performance.now();
  let hash = 1;
  for (let i = 0; i < ROUNDS; i++) hash = Math.imul(hash ^ i, 0x01000193) ^ (hash >>> 15);
  const elapsed = performance.now() - start;
  // The result is used, so that the loop can't be dropped.
  return hash === 0.5 ? Number.NaN : elapsed;
}

function probeCopy(): number {
  const from = new Uint8Array(COPY_BYTES).fill(1);
  const to = new Uint8Array(COPY_BYTES).fill(2);
  const start = performance.now();
  to.set(from);
  return COPY_BYTES / 1e6 / (performance.now() - start);
}
