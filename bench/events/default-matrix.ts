import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { simulate } from "../../packages/sims/src/sched-sim/index.ts";
import { paramsSchema } from "../../packages/sims/src/sched-sim/params.ts";
import { writeOutputs } from "../../packages/sims/src/sched-sim/write-outputs.ts";

/** The 96 runs of the page's default matrix, one after the other in one thread; `files` writes all outputs. */
const files = process.argv[2] === "files";
const dir = mkdtempSync(join(tmpdir(), "default-matrix-"));
const ablations = [
  {},
  { disable_hedging: true },
  { disable_escalation: true },
  { disable_dag_priority: true },
];
const startMs = performance.now();
let runs = 0;
for (const policy of ["fifo_cheapest", "dag_cheapest", "dag_escalation", "full"]) {
  for (const workflows of [50, 100]) {
    for (const seed of [1, 2, 3]) {
      for (const ablation of ablations) {
        const params = paramsSchema.parse({ policy, workflows, trace: files, ...ablation });
        const result = simulate(params, seed);
        if (files) writeOutputs(result, join(dir, String(runs)));
        runs++;
      }
    }
  }
}
const seconds = (performance.now() - startMs) / 1000;
rmSync(dir, { recursive: true });
console.log(JSON.stringify({ seconds, runs }));
