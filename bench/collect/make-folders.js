import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";

const POLICIES = ["fifo_cheapest", "dag_cheapest", "dag_escalation", "full"];
const VARIANTS = [
  ["baseline", []],
  ["no_hedge", ["--disable_hedging"]],
  ["no_escalation", ["--disable_escalation"]],
  ["no_dag_priority", ["--disable_dag_priority"]],
];
const TIERS = [
  ["llm_provider", 0],
  ["llm_provider", 1],
  ["embed_provider", 0],
  ["embed_provider", 1],
];
const SUMMARY = [
  "makespan_mean_ms",
  "makespan_p50_ms",
  "makespan_p95_ms",
  "makespan_p99_ms",
  "cost_mean",
  "cost_p50",
];

/** Run folders in the layout of a scheduler sweep, with the journal that such a sweep leaves. */
export function makeFolders(study, runs) {
  mkdirSync(`${study}/runs`, { recursive: true });
  const journal = openSync(`${study}/journal.jsonl`, "w");
  let state = 12345;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Number((state / 2 ** 32).toFixed(4));
  };
  for (let i = 0; i < runs; i++) {
    const policy = POLICIES[i & 3];
    const [variant, flags] = VARIANTS[(i >> 2) & 3];
    const workflows = (i >> 4) & 1 ? 100 : 50;
    const seed = i >> 5;
    const id = `${policy}__wf${workflows}__seed${seed}__${variant}__${i.toString(16).padStart(12, "0")}`;
    const params = {
      policy,
      workflows,
      pdfs: 10,
      iters: 3,
      subqueries: 4,
      time_scale: 50,
      enable_model_routing: true,
      heavy_tail_prob: 0.02,
      heavy_tail_mult: 50,
    };
    const startedAtMs = 1.76e12 + i * 1500;
    const wallMs = 1000 + random() * 1000;
    const metrics = Object.fromEntries(SUMMARY.map((name) => [name, random() * 1000]));
    const dir = `${study}/runs/${id}`;
    mkdirSync(dir);
    mkdirSync(`${dir}/out`);
    writeFileSync(
      `${dir}/out/summary.csv`,
      `${SUMMARY.join(",")}\n${SUMMARY.map((name) => metrics[name]).join(",")}\n`,
    );
    const lines = TIERS.map(([provider, tier]) => {
      const cells = ["queue_wait_p95_ms", "utilization", "in_flight_avg"].map((name) => {
        metrics[`${provider}_tier${tier}_${name}`] = random();
        return metrics[`${provider}_tier${tier}_${name}`];
      });
      return [provider, tier, ...cells].join(",");
    });
    writeFileSync(
      `${dir}/out/tiers.csv`,
      `provider,tier_id,queue_wait_p95_ms,utilization,in_flight_avg\n${lines.join("\n")}\n`,
    );
    const cmd = [
      "./build/agent_sched_sim",
      "--policy",
      policy,
      "--workflows",
      String(workflows),
      "--seed",
      String(seed),
      ...flags,
    ];
    const meta = {
      run_id: id,
      params: { ...params, seed },
      ablation_name: variant,
      ablation_flags: flags,
      cmd,
      start_time_unix_s: startedAtMs / 1000,
      end_time_unix_s: (startedAtMs + wallMs) / 1000,
      wall_time_s: wallMs / 1000,
      exit_code: 0,
    };
    writeFileSync(`${dir}/meta.json`, JSON.stringify(meta, null, 2));
    const record = {
      id,
      params,
      variant,
      flags,
      seed,
      task: null,
      repeat: 0,
      program: "sched-sim@1",
      attempt: 1,
      outcome: { status: "ok", exitCode: 0 },
      metrics,
      startedAtMs,
      wallMs,
      files: ["summary.csv", "tiers.csv"],
    };
    writeSync(journal, `${JSON.stringify(record)}\n`);
  }
  closeSync(journal);
}
