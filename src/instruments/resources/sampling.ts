import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { pageBytes, parseStat, TICKS_PER_SECOND } from "../../host/processes.ts";
import type { Measured } from "../instrument.ts";

/** A line of the samples' file. */
interface ResourceSample {
  ts: number;
  cpu_percent: number;
  rss_bytes: number;
  read_bytes: number;
  write_bytes: number;
}

/** Smallest, greatest and mean of what came by. */
class Range {
  min = Number.POSITIVE_INFINITY;
  max = Number.NEGATIVE_INFINITY;
  #sum = 0;
  #count = 0;

  add(value: number): void {
    this.min = Math.min(this.min, value);
    this.max = Math.max(this.max, value);
    this.#sum += value;
    this.#count++;
  }

  metrics(name: string): Measured {
    const isKnown = this.#count > 0;
    return {
      [`${name}_mean`]: isKnown ? this.#sum / this.#count : null,
      [`${name}_min`]: isKnown ? this.min : null,
      [`${name}_max`]: isKnown ? this.max : null,
    };
  }
}

interface Machine {
  read?: typeof readUsage;
  now?: () => number;
  cores?: number;
}

/** A share of the processor over a shorter time than this is mostly the kernel's rounding. */
const SHORTEST_MS = 50;

/** One run's samples. `read` tells the usage so far, `now` the monotonic milliseconds: arguments for tests. */
export class Sampling {
  readonly #pid: number | "self";
  readonly #maxSamples: number;
  readonly #read: (pid: number | "self") => Usage | null;
  readonly #now: () => number;
  readonly #cores: number;
  readonly #start: Usage | null;
  readonly #startedAt: number;
  readonly #cpu = new Range();
  readonly #rss = new Range();
  #peakBytes = 0;
  #count = 0;
  #last: Usage | null;
  #lastAt: number;
  /** Since when no share was counted. */
  #span: { at: number; usage: Usage | null };

  constructor(
    pid: number | "self",
    maxSamples: number,
    { read = readUsage, now = () => performance.now(), cores = availableParallelism() }: Machine = {},
  ) {
    this.#cores = cores;
    this.#pid = pid;
    this.#maxSamples = maxSamples;
    this.#read = read;
    this.#now = now;
    this.#start = read(pid);
    this.#startedAt = now();
    this.#last = this.#start;
    this.#lastAt = this.#startedAt;
    this.#span = { at: this.#startedAt, usage: this.#start };
  }

  /** A line for the file, until there are as many as may be; the ranges go on. */
  sample(): ResourceSample | undefined {
    const usage = this.#read(this.#pid);
    const at = this.#now();
    const before = this.#last;
    const elapsedMs = at - this.#lastAt;
    if (!usage || !before || !this.#start || elapsedMs <= 0) return undefined;
    // A shell that waits for its program alone is not what is measured.
    const isBusy = this.#pid === "self" || usage.processes > 1;
    const cpuPercent = this.#share(usage.cpuSeconds - before.cpuSeconds, elapsedMs);
    this.#last = usage;
    this.#lastAt = at;
    if (isBusy) {
      // Looks may come right after each other: extremes are of a time that is long enough, from several looks if need be.
      const spanMs = at - this.#span.at;
      if (spanMs >= SHORTEST_MS || this.#count === 0) {
        this.#cpu.add(this.#share(usage.cpuSeconds - (this.#span.usage ?? this.#start).cpuSeconds, spanMs));
        this.#span = { at, usage };
      }
      this.#rss.add(usage.rssBytes);
      this.#peakBytes = Math.max(
        this.#peakBytes,
        usage.rssBytes,
        this.#pid === "self" ? usage.peakRssBytes : 0,
      );
    }
    if (++this.#count > this.#maxSamples) return undefined;
    return {
      ts: Date.now() / 1000,
      cpu_percent: cpuPercent,
      rss_bytes: usage.rssBytes,
      read_bytes: usage.readBytes - this.#start.readBytes,
      write_bytes: usage.writeBytes - this.#start.writeBytes,
    };
  }

  /** In percent of one core. The kernel counts hundredths of a second, which may be more than the time had room for. */
  #share(cpuSeconds: number, elapsedMs: number): number {
    return Math.min(100 * this.#cores, Math.max(0, (cpuSeconds * 1e5) / elapsedMs));
  }

  end(): Measured {
    const first = this.#start;
    const last = this.#last;
    const seconds = (this.#lastAt - this.#startedAt) / 1000;
    const isKnown = first !== null && last !== null && seconds > 0;
    const cpuSeconds = isKnown ? last.cpuSeconds - first.cpuSeconds : null;
    return {
      ...this.#cpu.metrics("cpu_percent"),
      // The mean of the samples weighs the last, shorter one like the others: time over time does not.
      cpu_percent_mean: cpuSeconds === null ? null : this.#share(cpuSeconds, seconds * 1000),
      cpu_seconds: cpuSeconds,
      ...this.#rss.metrics("rss_bytes"),
      rss_bytes_peak: this.#peakBytes > 0 ? this.#peakBytes : null,
      read_bytes: isKnown ? last.readBytes - first.readBytes : null,
      write_bytes: isKnown ? last.writeBytes - first.writeBytes : null,
      resource_samples: this.#count,
    };
  }
}

/** What a process and all that it started use. */
export interface Usage {
  cpuSeconds: number;
  rssBytes: number;
  /** The highest that the kernel saw of the first process. */
  peakRssBytes: number;
  readBytes: number;
  writeBytes: number;
  processes: number;
}

/**
 * Usage of a process and its descendants, from /proc. Time and bytes of those that have ended and were waited for
 * are in their parents' numbers. Null where there is no /proc, or the process is gone.
 */
export function readUsage(pid: number | "self"): Usage | null {
  const usage: Usage = {
    cpuSeconds: 0,
    rssBytes: 0,
    peakRssBytes: 0,
    readBytes: 0,
    writeBytes: 0,
    processes: 0,
  };
  const open: (number | "self")[] = [pid];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!add(next, usage)) continue;
    usage.processes++;
    open.push(...childrenOf(next));
  }
  return usage.processes === 0 ? null : usage;
}

function add(pid: number | "self", usage: Usage): boolean {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return false;
  usage.cpuSeconds += parseStat(stat).cpuTicks / TICKS_PER_SECOND;
  usage.rssBytes += Number((read(`/proc/${pid}/statm`) ?? "0 0").split(" ")[1]) * pageBytes();
  if (usage.processes === 0) {
    const peakKb = /^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`) ?? "")?.[1] ?? 0;
    usage.peakRssBytes = Number(peakKb) * 1024;
  }
  const io = read(`/proc/${pid}/io`) ?? "";
  usage.readBytes += Number(/^read_bytes: (\d+)/m.exec(io)?.[1] ?? 0);
  usage.writeBytes += Number(/^write_bytes: (\d+)/m.exec(io)?.[1] ?? 0);
  return true;
}

function childrenOf(pid: number | "self"): number[] {
  const children: number[] = [];
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const text = read(`/proc/${pid}/task/${thread}/children`) ?? "";
      for (const child of text.split(" ")) if (child !== "") children.push(Number(child));
    }
  } catch {
    // It is gone.
  }
  return children;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}
