// `assay summarize` of a launch of 10,000 rollouts, from a cold start: four agents on 500 tasks, five tries each.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assay, inTurn, row, scratch, seconds } from "../support/measure.js";

const AGENTS = ["first", "second", "third", "fourth"];
const TASKS = Array.from({ length: 500 }, (_, i) => `tasks/t${i}`);
const TRIES = [1, 2, 3, 4, 5];
const MOST_SECONDS = 2;

export default async function measure() {
  const dir = scratch("summaries");
  const launch = join(dir, "data/rollouts/many/20260101__00-00-00");
  mkdirSync(launch, { recursive: true });
  writeFileSync(join(launch, "study.json"), JSON.stringify(studyFile()));
  writeFileSync(join(launch, "journal.jsonl"), records().join(""));
  const summarize = (...words) =>
    seconds(process.execPath, [assay, "summarize", "many", ...words], { cwd: dir });
  const { text, csv } = inTurn(5, { text: () => summarize(), csv: () => summarize("--csv") });
  const limited = (name, ours) => row(name, ours, MOST_SECONDS, { rival: "limit", most: 1 });
  return [limited("summarise 10,000 rollouts, cold", text), limited("10,000 rollouts as CSV, cold", csv)];
}

function studyFile() {
  const study = {
    name: "many",
    target: { kind: "shipped", name: "rollout" },
    params: {},
    axes: [{ names: ["agent"], rows: AGENTS.map((agent) => [agent]) }],
    variants: [{ name: "baseline", params: {}, flags: [] }],
    seeds: TRIES,
    tasks: TASKS,
    repeats: { warmup: 0, measured: 1 },
    ...{ iterations: { warmup: 0, measured: 1 }, instruments: [] },
    limits: { timeoutMs: 0, graceMs: 5000, retries: 0, backoffMs: 1000, stdoutBytes: 1e7 },
    ...{ executor: { kind: "process", jobs: 2 }, artifacts: "all", outRoot: "data/rollouts", env: {} },
    analysis: { metric: "score", goal: "maximize", pairBy: ["task"] },
    isStamped: true,
  };
  return {
    ...{ format: 1, name: "many", program: "rollout@1", study, total: 10_000, launches: [] },
    spec: { path: "/made/many.toml", dialect: "rollouts-toml", hash: "0".repeat(64), text: "" },
    ...{ environment: { cpu: "made", cores: 2, os: "made", node: "made" }, packages: {}, git: null },
  };
}

function records() {
  let number = 0;
  return AGENTS.flatMap((agent, skill) =>
    TRIES.flatMap((seed) =>
      TASKS.map((task) => {
        const score = Math.abs(Math.sin(++number * 12.9898)) ** (1 / (skill + 1));
        const solved = score > 0.7 ? 1 : 0;
        const record = {
          id: `${agent}__${number.toString(16).padStart(12, "0")}`,
          ...{ params: { agent }, variant: "baseline", flags: [], seed, task, repeat: 0 },
          ...{ program: "rollout@1", attempt: 1, outcome: { status: "ok" } },
          metrics: { score, solved, cost_usd: 0.1, agent_seconds: 60, tests_passed: 3, tests_total: 4 },
          ...{ startedAtMs: 1.7e12, wallMs: 61_000, costUsd: 0.1 },
        };
        return `${JSON.stringify(record)}\n`;
      }),
    ),
  );
}
