// Twenty workers on one sweep of 10,000 no-op runs, a fifth of them killed on the way: each run is recorded once.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assay, scratch, seconds } from "../support/measure.js";

const WORKERS = 20;
const RUNS = 10_000;
const KILLED = 4;

export default async function measure() {
  const dir = scratch("sweep");
  writeFileSync(join(dir, "many.yaml"), `study: many\ntarget: noop\nartifacts: none\nseeds: ${RUNS}\n`);
  seconds(process.execPath, [assay, "sweep", "many.yaml"], { cwd: dir });
  const work = () => spawn(process.execPath, [assay, "worker", "many", "-q"], { cwd: dir, stdio: "ignore" });
  const recorded = () => {
    try {
      const lines = readFileSync(join(dir, "bench_runs/many/journal.jsonl"), "utf8").split("\n");
      return lines.slice(0, -1).map((line) => JSON.parse(line).id);
    } catch {
      return [];
    }
  };
  const start = performance.now();
  const workers = Array.from({ length: WORKERS }, work);
  for (let kill = 1; kill <= KILLED; kill++) {
    while (recorded().length < (kill * RUNS) / (KILLED + 2)) await new Promise((go) => setTimeout(go, 20));
    workers.shift().kill("SIGKILL");
    workers.push(work());
  }
  await Promise.all(workers.map((worker) => once(worker, "close")));
  const elapsed = (performance.now() - start) / 1000;
  const ids = recorded();
  return [
    {
      name: `${WORKERS} workers, ${KILLED} killed: runs recorded`,
      ours: String(ids.length),
      rival: `planned ${RUNS}`,
      ratio: (new Set(ids).size / RUNS).toFixed(2),
      target: "= 1",
      ok: ids.length === RUNS && new Set(ids).size === RUNS,
      note: `in ${elapsed.toFixed(1)} s, ${WORKERS} cold starts included`,
    },
  ];
}
