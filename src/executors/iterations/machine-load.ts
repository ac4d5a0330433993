import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fixedText } from "../../core/number-text.ts";

/** The kernel counts in hundredths of a second, so a shorter time says nothing. */
const SHORTEST_MS = 200;
const TICKS_PER_SECOND = 100;
/** Shares of one core that are worth a word. */
const BUSY_CORES = 0.2;
const STOLEN_SHARE = 0.02;

interface Load {
  busySeconds: number;
  stolenSeconds: number;
}

/**
 * Watches what the rest of the machine does while a run is measured; what comes back ends that and tells when it
 * was busy. `ownSeconds` counts the processor time of what is measured. Linux only; elsewhere it says nothing.
 */
export function watchMachine(warn: (text: string) => void, ownSeconds: () => number = ownTime): () => void {
  const before = readLoad();
  const ownBefore = ownSeconds();
  const start = performance.now();
  return () => {
    const after = readLoad();
    const elapsedMs = performance.now() - start;
    if (!before || !after || elapsedMs < SHORTEST_MS) return;
    const text = judgeLoad({
      seconds: elapsedMs / 1000,
      othersSeconds: after.busySeconds - before.busySeconds - (ownSeconds() - ownBefore),
      stolenSeconds: after.stolenSeconds - before.stolenSeconds,
      cores: availableParallelism(),
    });
    for (const line of text) warn(line);
  };
}

/** The warnings for a load that was measured. */
export function judgeLoad(load: {
  seconds: number;
  othersSeconds: number;
  stolenSeconds: number;
  cores: number;
}): string[] {
  const { seconds, othersSeconds, stolenSeconds, cores } = load;
  const others = othersSeconds / seconds;
  const warnings: string[] = [];
  if (others >= BUSY_CORES) {
    warnings.push(
      `the machine was busy: other programs used ${fixedText(others, 1)} of ${cores} cores while this was measured`,
    );
  }
  const stolen = stolenSeconds / (seconds * cores);
  if (stolen >= STOLEN_SHARE)
    warnings.push(`the machine's host took ${Math.round(stolen * 100)} % of its time away (steal)`);
  return warnings;
}

/** First line of /proc/stat: user nice system idle iowait irq softirq steal guest guest_nice, in ticks. */
export function parseLoad(text: string): Load | undefined {
  const ticks = /^cpu\s+(.*)$/m.exec(text)?.[1]?.split(/\s+/).map(Number);
  if (!ticks || ticks.length < 8) return undefined;
  const [user, nice, system, , , irq, softirq, steal] = ticks as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return {
    busySeconds: (user + nice + system + irq + softirq) / TICKS_PER_SECOND,
    stolenSeconds: steal / TICKS_PER_SECOND,
  };
}

function readLoad(): Load | undefined {
  try {
    return parseLoad(readFileSync("/proc/stat", "utf8"));
  } catch {
    return undefined;
  }
}

function ownTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
