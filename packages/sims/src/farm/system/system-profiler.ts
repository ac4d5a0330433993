import { defineTarget, type MetricInfo } from "assay/plugin";
import * as z from "zod";
import { loadSqlite, WorkFolder } from "../database/database.ts";
import { createWorld } from "../world/world.ts";
import { networkBytes, probeDisk, probeMachine } from "./probes.ts";
import { ProcessWatch, runLoad } from "./run-load.ts";

const less = (unit: string, description: string): MetricInfo => ({
  unit,
  direction: "minimize",
  description,
});
const more = (unit: string, description: string): MetricInfo => ({
  unit,
  direction: "maximize",
  description,
});
const flag = (value: boolean, description: string) => z.boolean().default(value).describe(description);

/** What the machine gives: watched while a world is simulated and logged, and probed by itself. */
export const systemProfiler = defineTarget({
  name: "system_profiler",
  version: "1",
  description: "watches processor, memory, event loop and network under a simulation; probes disk and clocks",
  params: z.strictObject({
    monitor_cpu: flag(true, "Processor time, event loop, and a fixed piece of arithmetic"),
    monitor_memory: flag(true, "Peaks of memory, and the speed of a copy"),
    monitor_disk: flag(true, "Speed of writing, and of making a page safe"),
    monitor_network: flag(false, "Bytes that the whole machine received and sent meanwhile (Linux)"),
    sampling_interval: z.number().gt(0).max(3600).default(1).describe("Seconds between points of the series"),
    num_agents: z.int().min(1).max(100_000).default(200).describe("Agents of the world at its start"),
    steps: z.int().min(1).max(100_000).default(150).describe("Steps of the world, each of them logged"),
    use_in_memory_db: flag(true, "Log to a database in memory; else to one on the disk"),
    persist_db_on_completion: flag(false, "Write the database in memory to the disk at the end"),
    disk_megabytes: z.int().min(1).max(1024).default(8).describe("What the probe of the disk writes"),
  }),
  metrics: {
    load_ms: less("ms", "To simulate and log the world, until it is persisted where that is asked for"),
    steps_per_s: more("1/s", "Steps of the world a second"),
    cpu_user_ms: less("ms", "Processor time of the whole process meanwhile, all threads"),
    cpu_system_ms: less("ms", "The same, spent in the kernel"),
    cpu_cores: { unit: "1", direction: "none", description: "Cores in use on average, and along the series" },
    event_loop_delay_ms: less("ms", "By how much turns of the event loop came late, mean"),
    event_loop_worst_ms: less("ms", "And at worst"),
    arithmetic_ms: less("ms", "A fixed piece of arithmetic, the same on every machine"),
    clock_step_ns: less("ns", "The smallest step that the clock was seen to take"),
    clock_cost_ns: less("ns", "What reading the clock costs"),
    timer_late_ms: less("ms", "By how much a timer of one millisecond is late, mean"),
    rss_peak_bytes: less("bytes", "The most memory that the process was seen to have, all threads"),
    heap_peak_bytes: less("bytes", "The most that this thread's heap was seen to hold"),
    memory_copy_gb_per_s: more("GB/s", "Copying 16 MB from one array to another"),
    disk_write_mb_per_s: more("MB/s", "Writing, until it is on the disk"),
    fsync_ms: less("ms", "A page written and made safe, median of 20"),
    fsync_worst_ms: less("ms", "And at worst"),
    network_received_bytes: {
      unit: "bytes",
      direction: "none",
      description: "By the whole machine meanwhile",
    },
    network_sent_bytes: { unit: "bytes", direction: "none", description: "By the whole machine meanwhile" },
    population: {
      unit: "agents",
      direction: "none",
      description: "Agents at the end: the same seed gives the same",
    },
  },
  async setup({ outDir }) {
    return { open: await loadSqlite(), folder: new WorkFolder(outDir) };
  },
  async run({ params, seed, signal, series, iteration, warn }, { open, folder }) {
    const probed = await probeMachine();
    const disk = params.monitor_disk ? probeDisk(folder.path, params.disk_megabytes) : null;
    const world = createWorld({ num_agents: params.num_agents }, seed);
    const file = folder.newFile();
    const db = open(params.use_in_memory_db ? ":memory:" : file);
    const before = params.monitor_network ? networkBytes() : null;
    const watch = new ProcessWatch();
    const onTurn = (step: number) => {
      const sample = watch.look(params.sampling_interval * 1000);
      if (sample !== null && iteration >= 0) series({ step, ...sample });
    };
    try {
      const persistTo = params.use_in_memory_db && params.persist_db_on_completion ? file : null;
      const { steps } = params;
      const { loadMs } = await runLoad({ world, steps, db, persistTo, signal, onTurn });
      const watched = watch.end();
      const after = before === null ? null : networkBytes();
      if (params.monitor_network && after === null) warn("this machine does not tell its network traffic");
      return {
        load_ms: loadMs,
        steps_per_s: (steps / loadMs) * 1000,
        population: world.count,
        clock_step_ns: probed.clockStepNs,
        clock_cost_ns: probed.clockCostNs,
        timer_late_ms: probed.timerLateMs,
        ...(params.monitor_cpu && {
          cpu_user_ms: watched.cpuUserMs,
          cpu_system_ms: watched.cpuSystemMs,
          cpu_cores: watched.cpuCores,
          event_loop_delay_ms: watched.loopDelayMs,
          event_loop_worst_ms: watched.loopDelayWorstMs,
          arithmetic_ms: probed.arithmeticMs,
        }),
        ...(params.monitor_memory && {
          rss_peak_bytes: watched.peakRssBytes,
          heap_peak_bytes: watched.peakHeapBytes,
          memory_copy_gb_per_s: probed.copyGbPerS,
        }),
        ...(disk && {
          disk_write_mb_per_s: disk.writeMbPerS,
          fsync_ms: disk.fsyncMs,
          fsync_worst_ms: disk.fsyncWorstMs,
        }),
        ...(before &&
          after && {
            network_received_bytes: after.received - before.received,
            network_sent_bytes: after.sent - before.sent,
          }),
      };
    } finally {
      db.close();
      folder.removeFile(file);
    }
  },
  teardown(_, state) {
    state?.folder.remove();
  },
});
