import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import * as z from "zod";
import { defineInstrument, type InstrumentContext, type Measured } from "./instrument.ts";

const options = z.strictObject({
  with: z
    .enum(["auto", "perf", "callgrind"])
    .default("auto")
    .describe(
      "auto: perf where the kernel lets it count, else valgrind's callgrind, which is some 50 times slower.",
    ),
});
type Options = z.output<typeof options>;

/**
 * Instructions that a program executes, of all its processes. They hardly differ from run to run, so differences far
 * below a percent are seen on any machine. They are no time: waiting, system calls (with callgrind), what another core
 * does to the caches, and instructions that take longer than others are not in them.
 */
export const instructions = defineInstrument({
  name: "instructions",
  description:
    "instructions that a program executes, by perf or valgrind: differences below 0.1 %, on any machine",
  options,
  measures: "anything",
  command: (argv, { options: chosen, outDir }) => {
    if (outDir === null) return argv;
    return counterOf(chosen) === "perf"
      ? [
          whichOf("perf"),
          "stat",
          "-x",
          ",",
          "-e",
          PERF_EVENTS.join(","),
          "-o",
          `${outDir}/${PERF_FILE}`,
          "--",
          ...argv,
        ]
      : [
          ...[whichOf("valgrind"), "--tool=callgrind", "--cache-sim=yes", "--trace-children=yes", "-q"],
          ...[`--callgrind-out-file=${outDir}/${CALLGRIND_FILE}.%p`, "--", ...argv],
        ];
  },
  start: (ctx) => {
    if (ctx.pid === undefined) {
      // In a process of its own, who started that process counts; in a thread nobody can.
      if (!isMainThread)
        ctx.warn("instructions: a module in a thread can't be counted: run it with executor: process");
      return () => ({});
    }
    if (ctx.outDir === null) {
      ctx.warn("instructions: the study keeps no files (artifacts: none), so nothing could be counted");
      return () => ({});
    }
    const counter = counterOf(ctx.options);
    return () => (counter === "perf" ? readPerf(ctx) : readCallgrind(ctx));
  },
});

const PERF_EVENTS = ["instructions:u", "cache-misses:u"];
const PERF_FILE = "perf-stat.csv";
const CALLGRIND_FILE = "callgrind.out";

const found = new Map<string, "perf" | "callgrind">();

/** What can count here; asked once. */
function counterOf({ with: wanted }: Options): "perf" | "callgrind" {
  const known = found.get(wanted);
  if (known) return known;
  const canPerf = wanted !== "callgrind" && hasPerf();
  const canGrind = wanted !== "perf" && whichOf("valgrind") !== "";
  const counter = canPerf ? "perf" : canGrind ? "callgrind" : undefined;
  if (!counter)
    throw new Error(
      wanted === "perf"
        ? "perf can't count instructions here: it is not installed, the kernel forbids it (kernel.perf_event_paranoid), or the machine is virtual and has no counters"
        : "neither perf can count here nor is valgrind installed (apt-get install valgrind)",
    );
  found.set(wanted, counter);
  return counter;
}

/** Virtual machines often have perf and no counters: only trying tells. */
function hasPerf(): boolean {
  const perf = whichOf("perf");
  if (perf === "") return false;
  const { status, stderr } = spawnSync(perf, ["stat", "-x", ",", "-e", "instructions:u", "true"], {
    encoding: "utf8",
  });
  return status === 0 && parsePerf(stderr)["instructions:u"] !== undefined;
}

function whichOf(program: string): string {
  try {
    return execFileSync("/bin/sh", ["-c", `command -v ${program}`], { encoding: "utf8" }).trim();
  } catch {
    return "";
  }
}

function readPerf({ outDir }: InstrumentContext<Options>): Measured {
  const path = `${outDir}/${PERF_FILE}`;
  const counts = existsSync(path) ? parsePerf(readFileSync(path, "utf8")) : {};
  rmSync(path, { force: true });
  return {
    instructions: counts["instructions:u"] ?? null,
    ...(counts["cache-misses:u"] !== undefined && { cache_misses: counts["cache-misses:u"] }),
  };
}

/** `count,unit,event,...` lines; `<not supported>` in place of a count is none. */
export function parsePerf(text: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const line of text.split("\n")) {
    const [count, , event] = line.split(",");
    if (event !== undefined && /^\d+$/.test(count!)) counts[event] = Number(count);
  }
  return counts;
}

function readCallgrind({ outDir, warn }: InstrumentContext<Options>): Measured {
  const files = readdirSync(outDir!).filter((name) => name.startsWith(`${CALLGRIND_FILE}.`));
  let [total, misses] = [0, 0];
  for (const name of files) {
    const { instructions: own, lastLevelMisses } = parseCallgrind(readFileSync(`${outDir}/${name}`, "utf8"));
    total += own;
    misses += lastLevelMisses;
    rmSync(`${outDir}/${name}`);
  }
  if (files.length === 0 || total === 0) {
    warn("instructions: valgrind left no counts; the program may have been killed");
    return { instructions: null };
  }
  return { instructions: total, cache_misses_estimate: misses };
}

/** The `events:` line names the columns of `summary:` (or `totals:`). The last level's misses are those that reach memory. */
export function parseCallgrind(text: string): { instructions: number; lastLevelMisses: number } {
  const events = /^events: (.+)$/m.exec(text)?.[1]?.trim().split(/\s+/) ?? [];
  const counts = /^(?:summary|totals): (.+)$/m.exec(text)?.[1]?.trim().split(/\s+/).map(Number) ?? [];
  const of = (event: string) => counts[events.indexOf(event)] ?? 0;
  return { instructions: of("Ir"), lastLevelMisses: of("ILmr") + of("DLmr") + of("DLmw") };
}
