import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseNetworkBytes } from "../../src/farm/system/probes.ts";
import { systemProfiler } from "../../src/farm/system/system-profiler.ts";
import { callTarget } from "./call-target.ts";

const small = { num_agents: 30, steps: 20, disk_megabytes: 1, sampling_interval: 1e-6 };
let outDir: string;
beforeEach(() => {
  outDir = mkdtempSync(join(tmpdir(), "assay-system-profiler-"));
});
afterEach(() => rmSync(outDir, { recursive: true, force: true }));

describe("system_profiler", () => {
  it("reports every metric that it declares, each of them finite", async () => {
    const { metrics, warnings } = await callTarget(
      systemProfiler,
      { ...small, monitor_network: true },
      { outDir },
    );
    const one = metrics[0]!;
    const isLinux = existsSync("/proc/net/dev");
    const declared = Object.keys(systemProfiler.metrics!).filter(
      (name) => isLinux || !name.startsWith("network"),
    );
    expect(Object.keys(one).sort()).toEqual(declared.sort());
    for (const [name, value] of Object.entries(one)) {
      expect(Number.isFinite(value), name).toBe(true);
      expect(value, name).toBeGreaterThanOrEqual(0);
    }
    expect(warnings).toEqual(isLinux ? [] : [expect.stringContaining("network")]);
  });

  it("leaves out what is not to be watched", async () => {
    const nothing = { monitor_cpu: false, monitor_memory: false, monitor_disk: false };
    const { metrics } = await callTarget(systemProfiler, { ...small, ...nothing }, { outDir });
    expect(
      Object.keys(metrics[0]!).filter((name) => /cpu|rss|heap|copy|disk|fsync|network/.test(name)),
    ).toEqual([]);
    expect(metrics[0]!.load_ms).toBeGreaterThan(0);
  });

  it("simulates the same world with the same seed, wherever it is logged", async () => {
    const population = async (params: object, seed: number) =>
      (await callTarget(systemProfiler, { ...small, ...params, steps: 60 }, { outDir, seed })).metrics[0]!
        .population;
    const inMemory = await population({}, 3);
    expect(await population({ use_in_memory_db: false }, 3)).toBe(inMemory);
    expect(await population({ persist_db_on_completion: true }, 3)).toBe(inMemory);
  });

  it("draws a series while it measures, none while it warms up, and leaves no file", async () => {
    const { series } = await callTarget(systemProfiler, small, { outDir, warmup: 1, iterations: 1 });
    expect(series.map(({ step }) => step)).toEqual([5, 10, 15, 20]);
    for (const { rss_bytes, heap_bytes } of series) expect(rss_bytes).toBeGreaterThan(heap_bytes! / 2);
    expect(readdirSync(outDir)).toEqual([]);
  });
});

describe("network traffic", () => {
  it("is the sum over all networks", () => {
    const text = [
      "Inter-|   Receive                                                |  Transmit",
      " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop",
      "    lo:  100       1    0    0    0     0          0         0      200       1    0    0    0     0       0          0",
      "  eth0:1000       9    0    0    0     0          0         0     5000       7    0    0    0     0       0          0",
    ].join("\n");
    expect(parseNetworkBytes(`${text}\n`)).toEqual({ received: 1100, sent: 5200 });
  });
});
