import type { Measured } from "../instrument.ts";
import { readUsage, type Usage } from "./read-usage.ts";

/** A line of the samples' file. */
export interface ResourceSample {
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

/** One run's samples. `read` tells the usage so far, `now` the monotonic milliseconds: arguments for tests. */
export class Sampling {
  readonly #pid: number | "self";
  readonly #maxSamples: number;
  readonly #read: (pid: number | "self") => Usage | null;
  readonly #now: () => number;
  readonly #start: Usage | null;
  readonly #startedAt: number;
  readonly #cpu = new Range();
  readonly #rss = new Range();
  #peakBytes = 0;
  #count = 0;
  #last: Usage | null;
  #lastAt: number;

  constructor(
    pid: number | "self",
    maxSamples: number,
    { read = readUsage, now = () => performance.now() }: { read?: typeof readUsage; now?: () => number } = {},
  ) {
    this.#pid = pid;
    this.#maxSamples = maxSamples;
    this.#read = read;
    this.#now = now;
    this.#start = read(pid);
    this.#startedAt = now();
    this.#last = this.#start;
    this.#lastAt = this.#startedAt;
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
    const cpuPercent = Math.max(0, ((usage.cpuSeconds - before.cpuSeconds) * 1e5) / elapsedMs);
    this.#last = usage;
    this.#lastAt = at;
    if (isBusy) {
      this.#cpu.add(cpuPercent);
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

  end(): Measured {
    const first = this.#start;
    const last = this.#last;
    const seconds = (this.#lastAt - this.#startedAt) / 1000;
    const isKnown = first !== null && last !== null && seconds > 0;
    const cpuSeconds = isKnown ? last.cpuSeconds - first.cpuSeconds : null;
    return {
      ...this.#cpu.metrics("cpu_percent"),
      // The mean of the samples weighs the last, shorter one like the others: time over time does not.
      cpu_percent_mean: cpuSeconds === null ? null : (cpuSeconds / seconds) * 100,
      cpu_seconds: cpuSeconds,
      ...this.#rss.metrics("rss_bytes"),
      rss_bytes_peak: this.#peakBytes > 0 ? this.#peakBytes : null,
      read_bytes: isKnown ? last.readBytes - first.readBytes : null,
      write_bytes: isKnown ? last.writeBytes - first.writeBytes : null,
      resource_samples: this.#count,
    };
  }
}
