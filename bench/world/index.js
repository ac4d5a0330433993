import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

/** The agent world against 1,000,000 agent steps a second, and what logging it into memory first is worth. */

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, "../..");
const LIMIT = 1_000_000;
const REPEATS = 3;
const PAIRS = 10;

const WORLDS = [
  { name: "100 agents, 100 x 100 cells", params: {} },
  {
    name: "10,000 agents, 1,000 x 1,000 cells",
    params: { num_agents: 10_000, width: 1000, height: 1000, patches: 2400 },
  },
  {
    name: "100,000 agents, 3,000 x 3,000 cells",
    params: { num_agents: 100_000, width: 3000, height: 3000, patches: 10_000 },
  },
];

const LOGGINGS = [
  { name: "write-ahead log, 10 steps a commit", params: {} },
  { name: "write-ahead log, every step", params: { flush_every: 1 } },
  { name: "SQLite's defaults, 10 steps a commit", params: { profile: "default" } },
  { name: "SQLite's defaults, every step", params: { profile: "default", flush_every: 1 } },
];

export default async function benchWorld() {
  // Inside the project, so that the programs find its packages; on a real disk, which /tmp may not be.
  const dir = mkdtempSync(join(ROOT, "node_modules/.bench-world-"));
  try {
    const programs = await bundle(dir);
    const speeds = WORLDS.map((world) => speedRow(programs["agent-steps"], world));
    const ratios = [];
    for (const logging of LOGGINGS) ratios.push(await ratioRow(programs.logged, logging, dir));
    return [...speeds, ...ratios];
  } finally {
    rmSync(dir, { recursive: true });
  }
}

async function bundle(dir) {
  const names = ["agent-steps", "logged"];
  await build({
    entryPoints: names.map((name) => join(HERE, `${name}.ts`)),
    outdir: dir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["libsql"],
    logLevel: "error",
  });
  return Object.fromEntries(names.map((name) => [name, join(dir, `${name}.mjs`)]));
}

function speedRow(program, { name, params }) {
  const runs = Array.from({ length: REPEATS }, () => runJson(program, [JSON.stringify(params)]));
  const wall = median(runs.map(({ agentSteps, seconds }) => agentSteps / seconds));
  const cpu = median(runs.map(({ agentSteps, cpuSeconds }) => agentSteps / cpuSeconds));
  return {
    name: `agent steps/s, ${name}`,
    ours: Math.round(wall),
    rival: LIMIT,
    ratio: round(wall / LIMIT),
    target: ">= 1,000,000",
    ok: wall >= LIMIT,
    note: `no log; ${REPEATS} repeats; by processor time ${Math.round(cpu)}`,
  };
}

/** The geometric mean of disk over persisted, with the t interval of its logarithm. */
async function ratioRow(program, { name, params }, dir) {
  const { tInterval } = await import("../../dist/stats.js");
  const asked = { ...params, parameters: { test_in_memory: false } };
  const { speedups } = runJson(program, [JSON.stringify(asked), String(PAIRS), dir]);
  const interval = tInterval(speedups.map(Math.log));
  const [estimate, low, high] = interval.known
    ? [interval.estimate, interval.low, interval.high].map((value) => round(Math.exp(value)))
    : [null, null, null];
  return {
    name: `disk over memory-then-persist, ${name}`,
    ours: estimate,
    rival: 1,
    ratio: estimate,
    target: "-",
    ok: null,
    note: `95 % interval ${low} to ${high}, ${PAIRS} pairs, read back; above 1, memory first is faster`,
  };
}

function runJson(program, args) {
  return JSON.parse(execFileSync(process.execPath, [program, ...args], { encoding: "utf8" }));
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function round(value) {
  return Math.round(value * 100) / 100;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  console.table(await benchWorld());
