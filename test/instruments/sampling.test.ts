import { spawn } from "node:child_process";
import { describe, expect, test } from "vitest";
import { readUsage, Sampling, type Usage } from "../../src/instruments/resources/sampling.ts";

const usage = (part: Partial<Usage>): Usage => ({
  cpuSeconds: 0,
  rssBytes: 0,
  peakRssBytes: 0,
  readBytes: 0,
  writeBytes: 0,
  processes: 1,
  ...part,
});

/** Usage as a script, one look after the other, 100 ms apart. */
function sampling(looks: (Usage | null)[], { pid = "self" as number | "self", maxSamples = 100 } = {}) {
  let at = 0;
  return new Sampling(pid, maxSamples, {
    read: () => looks[Math.min(at, looks.length - 1)]!,
    now: () => 100 * at++,
    cores: 2,
  });
}

describe("samples of resources", () => {
  test("hold the processor's share since the last one, and bytes since the start", () => {
    const run = sampling([
      usage({ cpuSeconds: 5, rssBytes: 100, readBytes: 7, writeBytes: 1 }),
      usage({ cpuSeconds: 5.05, rssBytes: 300, readBytes: 17, writeBytes: 1, peakRssBytes: 900 }),
      usage({ cpuSeconds: 5.25, rssBytes: 200, readBytes: 17, writeBytes: 5, peakRssBytes: 900 }),
    ]);
    expect(run.sample()).toEqual({
      ts: expect.any(Number),
      cpu_percent: expect.closeTo(50, 6),
      rss_bytes: 300,
      read_bytes: 10,
      write_bytes: 0,
    });
    expect(run.sample()).toMatchObject({ cpu_percent: expect.closeTo(200, 6), write_bytes: 4 });
    expect(run.end()).toMatchObject({
      cpu_percent_min: expect.closeTo(50, 6),
      cpu_percent_max: expect.closeTo(200, 6),
      cpu_percent_mean: expect.closeTo(125, 6),
      cpu_seconds: expect.closeTo(0.25, 6),
      rss_bytes_min: 200,
      rss_bytes_max: 300,
      rss_bytes_mean: 250,
      rss_bytes_peak: 900,
      read_bytes: 10,
      write_bytes: 4,
      resource_samples: 2,
    });
  });

  test("looks that are close together are put together, so that extremes are of all of the time", () => {
    const looks = [0, 0, 0, 0.02, 0.04, 0.06, 0.06].map((cpuSeconds) => usage({ cpuSeconds }));
    let at = 0;
    const run = new Sampling("self", 100, { read: () => looks[at]!, now: () => 20 * at++, cores: 2 });
    for (let i = 1; i < looks.length; i++) run.sample();
    expect(run.end()).toMatchObject({ cpu_percent_min: 0, cpu_percent_max: expect.closeTo(66.7, 1) });
  });

  test("two looks a millisecond apart can't make a processor busier than it can be", () => {
    const times = [0, 200, 201];
    const looks = [usage({}), usage({ cpuSeconds: 0.2 }), usage({ cpuSeconds: 0.28 })];
    let at = 0;
    const run = new Sampling("self", 100, { read: () => looks[at]!, now: () => times[at++]!, cores: 2 });
    run.sample();
    expect(run.sample()).toMatchObject({ cpu_percent: 200 });
    expect(run.end()).toMatchObject({
      cpu_percent_max: expect.closeTo(100, 6),
      cpu_percent_mean: expect.closeTo(139.3, 1),
      cpu_seconds: 0.28,
    });
  });

  test("stop being written at the most that may be kept, and count on", () => {
    const run = sampling([usage({}), usage({ rssBytes: 1 }), usage({ rssBytes: 9 })], { maxSamples: 1 });
    expect(run.sample()).toBeDefined();
    expect(run.sample()).toBeUndefined();
    expect(run.end()).toMatchObject({ rss_bytes_max: 9, resource_samples: 2 });
  });

  test("a shell that only waits is not taken for its program, and what is gone is unknown", () => {
    const run = sampling([usage({}), usage({ rssBytes: 5 })], { pid: 7 });
    run.sample();
    expect(run.end()).toMatchObject({ rss_bytes_max: null, rss_bytes_peak: null });
    const gone = sampling([null], { pid: 7 });
    expect(gone.sample()).toBeUndefined();
    expect(gone.end()).toMatchObject({ cpu_seconds: null, read_bytes: null });
  });

  test.runIf(process.platform === "linux")("are of a process and of what it started", async () => {
    const child = spawn("sh", ["-c", "(echo up; read x); true"], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    const both = readUsage(child.pid!)!;
    expect(both.processes).toBe(2);
    expect(both.rssBytes).toBeGreaterThan(100_000);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    child.stdin.end();
    await ended;
    expect(readUsage(child.pid!)).toBeNull();
  });
});
