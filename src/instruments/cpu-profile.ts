import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { Session } from "node:inspector";
import * as z from "zod";
import { readJson, replaceFile } from "../host/files.ts";
import { defineInstrument, type InstrumentContext, type Measured } from "./instrument.ts";

const options = z.strictObject({
  top_n: z.int().min(1).max(10_000).default(30).describe("Functions listed by self and by total time."),
  interval_us: z.int().min(50).max(1_000_000).default(1000).describe("Microseconds between two samples."),
});
type Options = z.output<typeof options>;

/**
 * Which functions the time goes to, by V8's sampling profiler: a .cpuprofile for DevTools or speedscope, and a list
 * of the top functions. A module is profiled on its thread; a program that is Node profiles itself.
 */
export const cpuProfile = defineInstrument({
  name: "cpu-profile",
  description:
    "sampling CPU profile: cpu-profile.cpuprofile and the top functions; modules and Node programs",
  options,
  around: "run",
  measures: "anything",
  // NODE_OPTIONS would reach further, but Node 20 does not take these flags from there.
  command: ([program, ...words], { options: { interval_us }, outDir }) => {
    const isNode = /(^|\/)node(js)?$/.test(program!);
    if (!isNode || outDir === null) return [program!, ...words];
    const flags = [`--cpu-prof-interval=${interval_us}`, `--cpu-prof-dir=${tempDir(outDir)}`];
    return [program!, "--cpu-prof", ...flags, ...words];
  },
  start: (ctx) => (ctx.pid === undefined ? profileThread(ctx) : () => readProgram(ctx)),
});

function profileThread(ctx: InstrumentContext<Options>): () => Measured {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.setSamplingInterval", { interval: ctx.options.interval_us });
  session.post("Profiler.start");
  return () => {
    let profile: CpuProfile | undefined;
    // Within one thread the answer comes before the call returns.
    session.post("Profiler.stop", (error, answer) => {
      if (error) throw error;
      profile = answer.profile as CpuProfile;
    });
    session.disconnect();
    if (!profile) throw new Error("the profiler gave no profile");
    return keep([profile], ctx);
  };
}

/** Node writes one file per process that it ran. */
function readProgram(ctx: InstrumentContext<Options>): Measured {
  if (ctx.outDir === null) return {};
  const dir = tempDir(ctx.outDir);
  const profiles: CpuProfile[] = [];
  try {
    for (const file of readdirSync(dir)
      .filter((name) => name.endsWith(".cpuprofile"))
      .sort())
      profiles.push(readJson<CpuProfile>(`${dir}/${file}`));
  } catch {
    // Nobody wrote there.
  }
  rmSync(dir, { recursive: true, force: true });
  if (profiles.length === 0) {
    ctx.warn(
      "cpu-profile: the program wrote no profile; only commands that start with node, and end by themselves, do",
    );
    return { profile_samples: null };
  }
  return keep(profiles, ctx);
}

function tempDir(outDir: string): string {
  return `${outDir}/.cpu-profile`;
}

function keep(
  profiles: CpuProfile[],
  { outDir, iteration, options: { top_n } }: InstrumentContext<Options>,
): Measured {
  // The process that worked longest comes first; further ones are its children.
  profiles.sort((a, b) => b.endTime - b.startTime - (a.endTime - a.startTime));
  const samples = profiles.reduce((sum, profile) => sum + (profile.samples?.length ?? 0), 0);
  if (outDir !== null) {
    mkdirSync(outDir, { recursive: true });
    for (const [i, profile] of profiles.entries()) {
      const name = ["cpu-profile", iteration > 0 && iteration, i > 0 && `process${i}`]
        .filter(Boolean)
        .join("-");
      const top = topFunctions(profile, top_n);
      replaceFile(`${outDir}/${name}.cpuprofile`, JSON.stringify(profile), { isDurable: false });
      replaceFile(`${outDir}/${name}.top.json`, `${JSON.stringify(top, null, 2)}\n`, { isDurable: false });
    }
  }
  return { profile_samples: samples };
}

/** The parts of a .cpuprofile (Chrome DevTools protocol, Profiler.Profile) that are read here. */
interface CpuProfile {
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number };
    hitCount?: number;
    children?: number[];
  }[];
  startTime: number;
  endTime: number;
  samples?: number[];
  timeDeltas?: number[];
}

interface TopFunction {
  function: string;
  file: string;
  line: number;
  /** In the function itself. */
  self_ms: number;
  /** In it and in what it called; recursion counts once. */
  total_ms: number;
  /** Samples that were taken in the function itself. */
  hits: number;
}

/** The functions that a profile spends its time in, by total time. O(nodes + samples). */
export function topFunctions(
  profile: CpuProfile,
  most: number,
): { by_self: TopFunction[]; by_total: TopFunction[] } {
  const selfUs = new Map<number, number>();
  const hits = new Map<number, number>();
  for (const [i, id] of (profile.samples ?? []).entries()) {
    // The time from a sample to the next one belongs to what the first one saw.
    selfUs.set(id, (selfUs.get(id) ?? 0) + (profile.timeDeltas?.[i + 1] ?? 0));
    hits.set(id, (hits.get(id) ?? 0) + 1);
  }
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const found = new Map<string, TopFunction>();
  const isChild = new Set(profile.nodes.flatMap((node) => node.children ?? []));
  const visit = (id: number, open: ReadonlySet<string>): number => {
    const { callFrame, children = [] } = nodes.get(id)!;
    const key = `${callFrame.functionName}\0${callFrame.url}\0${callFrame.lineNumber}`;
    const own = selfUs.get(id) ?? 0;
    const within = open.has(key) ? open : new Set(open).add(key);
    const total = children.reduce((sum, child) => sum + visit(child, within), own);
    let entry = found.get(key);
    if (!entry) {
      const { functionName, url, lineNumber } = callFrame;
      const name = functionName || "(anonymous)";
      entry = { function: name, file: url, line: lineNumber + 1, self_ms: 0, total_ms: 0, hits: 0 };
      found.set(key, entry);
    }
    entry.self_ms += own / 1000;
    entry.hits += hits.get(id) ?? 0;
    if (!open.has(key)) entry.total_ms += total / 1000;
    return total;
  };
  for (const { id } of profile.nodes) if (!isChild.has(id)) visit(id, new Set());
  const isReal = ({ function: name }: TopFunction) => !/^\((root|program|idle)\)$/.test(name);
  const all = [...found.values()];
  return {
    by_self: all
      .filter((entry) => entry.hits > 0 && isReal(entry))
      .sort((a, b) => b.self_ms - a.self_ms)
      .slice(0, most),
    by_total: all
      .filter(isReal)
      .sort((a, b) => b.total_ms - a.total_ms)
      .slice(0, most),
  };
}
