// What the simulator of a fleet says against what a real one does: sleeping runs on 1, 2, 4 and 8 workers of this
// machine, with a real Redis. The costs that it simulates with are those of measured.json, taken on the same machine.
// Alone, and for some of it: node bench/scale/index.js 4x20 (workers x milliseconds).
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assay, has, missing, root, scratch } from "../support/measure.js";
import { Fleet, writeSleeper } from "./fleet.js";

const WORKERS = [1, 2, 4, 8];
const LENGTHS_MS = [5, 20, 100];
const SECONDS = 2;
const REPEATS = 3;
/** Everything shares the cores of one machine, which the simulator knows nothing of. */
const MOST_OFF = 0.25;

export default async function measure(asked = []) {
  if (!has("redis-server")) return [missing("scale: simulated fleet against a real one", "redis-server")];
  const cases = WORKERS.flatMap((workers) => LENGTHS_MS.map((ms) => ({ workers, ms }))).filter(
    ({ workers, ms }) => asked.length === 0 || asked.includes(`${workers}x${ms}`),
  );
  const overheadMs = Object.fromEntries(LENGTHS_MS.map((ms) => [ms, overhead(ms)]));
  const rows = [];
  const fleet = await Fleet.start();
  for (const { workers, ms } of cases) {
    while (fleet.workers.length < workers) await fleet.addWorker();
    const runs = Math.max(200, Math.ceil((SECONDS * 1000 * workers) / ms));
    const real = [];
    for (let repeat = 0; repeat < REPEATS; repeat++) real.push((await fleet.run({ runs, ms })).runsPerS);
    const said = predict({ workers, run_ms: ms, worker_run_us: overheadMs[ms] * 1000 });
    rows.push(toRow({ workers, ms, said, real }));
    process.stderr.write(`${JSON.stringify(rows.at(-1))}\n`);
  }
  await fleet.close();
  return rows;
}

function toRow({ workers, ms, said, real }) {
  // Others' work on the machine only ever slows a fleet down, so the fastest is the least disturbed.
  const best = Math.max(...real);
  const ratio = said / best;
  return {
    name: `scale: ${workers} workers, runs of ${ms} ms`,
    ours: `${said.toPrecision(3)} runs/s simulated`,
    rival: `real ${best.toPrecision(3)} runs/s`,
    ratio: ratio.toFixed(2),
    target: `${1 - MOST_OFF} to ${1 + MOST_OFF}`,
    ok: Math.abs(ratio - 1) <= MOST_OFF,
    note: `best of ${real.map((rate) => rate.toPrecision(3)).join(", ")}; ideal ${(workers * 1000) / ms}`,
  };
}

/** What a run takes beside its sleep on one thread of this machine, without any queue. */
function overhead(ms) {
  const dir = scratch("scale-local");
  writeSleeper(dir);
  const study = {
    study: "local",
    target: "./sleeper.mjs",
    params: { ms },
    seeds: 200,
    artifacts: "none",
    outRoot: "out",
  };
  writeFileSync(join(dir, "local.json"), JSON.stringify(study));
  const words = [assay, "run", "local.json", "--jobs", "1", "--no-report", "-q"];
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: dir, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  const starts = readFileSync(join(dir, "out/local/journal.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).startedAtMs)
    .sort((a, b) => a - b);
  return (starts.at(-1) - starts[0]) / (starts.length - 1) - ms;
}

function predict(params) {
  const dir = scratch("scale-sim");
  const study = {
    study: "sim",
    target: "fleet-sim",
    params: { ...params, network_ms: 0.05 },
    outRoot: "out",
  };
  writeFileSync(join(dir, "sim.json"), JSON.stringify(study));
  const { status, stderr } = spawnSync(process.execPath, [assay, "run", "sim.json", "--no-report", "-q"], {
    cwd: dir,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(readFileSync(join(dir, "out/sim/journal.jsonl"), "utf8")).metrics.runs_per_s;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.chdir(root);
  for (const { name, ours, rival, ratio, ok, note } of await measure(process.argv.slice(2)))
    console.log([name, ours, rival, ratio, ok ? "yes" : "NO", note].join("  "));
  process.exit(0);
}
