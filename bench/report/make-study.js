import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";

const POLICIES = ["fifo_cheapest", "dag_cheapest", "dag_escalation", "full"];
const STEPS = 200;

/** A study of 8 cells as a runner leaves it: journal, logs, series. Numbers from a small generator, always the same. */
export function makeStudy(dir, { seeds, withFolders = true }) {
  let state = 1;
  const random = () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state / 2 ** 31;
  };
  const axes = [
    { names: ["workflows"], rows: [[50], [100]] },
    { names: ["policy"], rows: POLICIES.map((policy) => [policy]) },
  ];
  const lines = [];
  mkdirSync(dir, { recursive: true });
  for (let seed = 1; seed <= seeds; seed++) {
    for (const workflows of [50, 100]) {
      for (const [rank, policy] of POLICIES.entries()) {
        const hash = createHash("sha256").update(`${seed} ${workflows} ${policy}`).digest("hex").slice(0, 12);
        const id = `wf${workflows}__${policy}__seed${seed}__${hash}`;
        const makespan = workflows * 20 * (1 - rank * 0.1) * (0.9 + 0.2 * random());
        const isFailed = random() < 0.01;
        lines.push(
          JSON.stringify({
            ...{
              id,
              params: { workflows, policy, pdfs: 10 },
              variant: "baseline",
              flags: [],
              seed,
              task: null,
            },
            ...{ repeat: 0, program: "made@1", attempt: 1 },
            outcome: isFailed
              ? { status: "failed", owner: "agent", reason: "exit 1" }
              : { status: "ok", exitCode: 0 },
            metrics: isFailed ? {} : metricsOf(makespan, random),
            ...{ startedAtMs: 1_790_000_000_000 + seed * 1000, wallMs: 100 + 50 * random(), files: [] },
          }),
        );
        if (withFolders) writeRun(`${dir}/runs/${id}`, random);
      }
    }
  }
  writeFileSync(`${dir}/journal.jsonl`, `${lines.join("\n")}\n`);
  writeFileSync(`${dir}/study.json`, JSON.stringify(studyFile(dir, { axes, seeds, total: lines.length })));
}

function metricsOf(makespan, random) {
  return {
    ...{ makespan_mean_ms: makespan, makespan_p50_ms: makespan * 0.9, makespan_p95_ms: makespan * 2 },
    ...{ makespan_p99_ms: makespan * 3, cost_mean: 1 + random(), cost_p50: 1 + random(), retries: 5 },
  };
}

function writeRun(dir, random) {
  mkdirSync(dir, { recursive: true });
  const steps = Array.from({ length: STEPS }, (_, step) =>
    JSON.stringify({ step, reward: random(), loss: 1 / (step + 1) }),
  );
  writeFileSync(`${dir}/series.jsonl`, `${steps.join("\n")}\n`);
  const log = Array.from({ length: 60 }, (_, i) => `step ${i}: reward ${random().toFixed(4)}`).join("\n");
  writeFileSync(`${dir}/stdout.txt`, `${log}\n`);
  writeFileSync(`${dir}/meta.json`, "{}");
}

function studyFile(dir, { axes, seeds, total }) {
  const launch = {
    at: "2026-01-01T00:00:00.000Z",
    command: "assay run study.yaml",
    specHash: "",
    program: "made@1",
    plan: "",
  };
  return {
    ...{ format: 1, name: dir.split("/").at(-1), program: "made@1", total },
    study: {
      ...{ name: "made", target: { kind: "shipped", name: "noop" }, params: { pdfs: 10 }, axes },
      variants: [{ name: "baseline", params: {}, flags: [] }],
      seeds: Array.from({ length: seeds }, (_, i) => i + 1),
      ...{ repeats: { warmup: 0, measured: 1 }, iterations: { warmup: 0, measured: 1 }, instruments: [] },
      limits: { timeoutMs: 0, graceMs: 5000, retries: 0, backoffMs: 1000, stdoutBytes: 1e7 },
      ...{ executor: { kind: "thread", jobs: 2 }, artifacts: "all", outRoot: "bench_runs", env: {} },
      analysis: { metric: "makespan_p95_ms", goal: "minimize", baseline: { policy: "fifo_cheapest" } },
    },
    spec: { path: "/made/study.yaml", dialect: "native", hash: "0".repeat(64), text: "" },
    environment: { cpu: "made", cores: 2, os: "made", node: "made" },
    ...{ packages: {}, git: null, launches: [launch] },
  };
}
