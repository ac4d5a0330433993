// One harness on one function, in a process of its own: node contestant.mjs HARNESS FUNCTION prints one line of JSON.
import { runIterations } from "../../src/executors/iterations/run-iterations.ts";
import { timingOverheadNs } from "../../src/executors/iterations/stopwatch.ts";
import { timing } from "../../src/instruments/timing.ts";
import { z } from "../../src/plugin.ts";
import { tInterval } from "../../src/stats/intervals/t-intervals.ts";
import { median } from "../../src/stats/summaries/quantiles.ts";

const numbers = Float64Array.from({ length: 2000 }, (_, i) => (i * 7919) % 2003);
let sink = 0;

/** What is measured: nothing, some tens of nanoseconds, some microseconds. */
const functions: Record<string, () => void> = {
  empty: () => {},
  tiny: () => {
    let sum = 0;
    for (let i = 0; i < 64; i++) sum += numbers[i]!;
    sink += sum;
  },
  small: () => {
    let sum = 0;
    for (let i = 0; i < 2000; i++) sum += Math.sqrt(numbers[i]!);
    sink += sum;
  },
};

interface Answer {
  /** The middle of the samples, and half the width of the 95 % interval of their mean, as a share. */
  ns: number;
  halfWidth: number | null;
  samples: number;
}

const metrics = {};

const harnesses: Record<string, (body: () => void) => Promise<Answer>> = {
  async assay(body) {
    const attempt = await runIterations({
      job: { run: { id: "r", params: {}, variant: "baseline", flags: [], seed: 1, task: null, repeat: 0 } },
      setting: {
        iterations: { warmup: 1000, measured: 4000, batch: "auto" },
        limits: { timeoutMs: 0, graceMs: 0 },
        baseDir: ".",
      },
      target: {
        name: "body",
        params: z.strictObject({}),
        run: () => {
          body();
          return metrics;
        },
      },
      instruments: [{ instrument: timing, options: {} }],
      outDir: null,
      seriesPath: null,
      signal: new AbortController().signal,
    } as unknown as Parameters<typeof runIterations>[0]);
    return summarise(attempt.iterations!.durationMs.map((ms) => ms * 1e6));
  },
  async tinybench(body) {
    const { Bench } = await import("tinybench");
    const bench = new Bench({ retainSamples: true });
    bench.add("body", body);
    const [task] = await bench.run();
    const { latency } = task!.result as unknown as { latency: { samples: number[] } };
    return summarise(latency.samples.map((ms) => ms * 1e6));
  },
  async mitata(body) {
    const { measure } = await import("mitata");
    const { samples } = (await measure(body)) as unknown as { samples: number[] };
    return summarise(samples);
  },
};

function summarise(samples: number[]): Answer {
  const middle = median(samples);
  const interval = tInterval(samples);
  const halfWidth = interval.known ? (interval.high - interval.low) / 2 / interval.estimate : null;
  return { ns: middle.known ? middle.value : Number.NaN, halfWidth, samples: samples.length };
}

const [harness, name] = process.argv.slice(2) as [string, string];
const start = performance.now();
const answer = await harnesses[harness]!(functions[name]!);
const wallMs = performance.now() - start;
console.log(JSON.stringify({ ...answer, wallMs, overheadNs: timingOverheadNs(), sink: sink > 0 }));
