// @ts-check
// Prints what each strategy solved and cost here, and beside it what was published about another model and other tasks.
// Run it after the study: node examples/agent-strategies/table.mjs [bench_runs/agent-strategies]
import { latestRecords, summariseInstances } from "assay";

/** @type {Record<string, [string, string]>} Qwen3-Coder-480B on the 500 tasks of SWE-bench Verified, arXiv:2508.21433. */
const PUBLISHED = {
  raw: ["53.4 %", "$1.286"],
  observation_masking: ["54.8 %", "$0.610"],
  llm_summary: ["53.8 %", "$0.637"],
  hybrid: ["-", "-"],
};

const records = latestRecords(process.argv[2] ?? "bench_runs/agent-strategies");
const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(1)} %`;
const line = (/** @type {string[]} */ cells) => `| ${cells.join(" | ")} |`;

console.log(
  "Here: the scripted model on the tasks that ship. Published: a large language model on real repositories.",
);
console.log(
  line(["strategy", "solved, here", "95 %", "turns", "cost, here", "solved, published", "cost, published"]),
);
console.log(line(Array(7).fill("---")));
for (const [strategy, [solved, cost]] of Object.entries(PUBLISHED)) {
  const { solveRate, averages } = summariseInstances(
    records.filter(({ params }) => params.strategy === strategy),
  );
  const rate = solveRate.known
    ? [percent(solveRate.estimate), `${percent(solveRate.low)} to ${percent(solveRate.high)}`]
    : ["unknown", solveRate.why];
  const { avg_turns: turns, avg_cost: dollars } = averages;
  console.log(
    line([
      strategy,
      ...rate,
      (turns ?? Number.NaN).toFixed(1),
      `$${(dollars ?? Number.NaN).toFixed(4)}`,
      solved,
      cost,
    ]),
  );
}
