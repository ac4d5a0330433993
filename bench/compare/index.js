// `assay compare` from a cold start: a study of 1,000 runs before Python has imported scipy; a large CSV.
import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { assay, inTurn, missing, pythonHas, row, scratch, seconds } from "../support/measure.js";

const ROWS = 1_000_000;
const MOST_SECONDS = 5;

export default async function measure() {
  const dir = scratch("compare");
  return [...ofStudy(dir), ...ofCsv(dir)];
}

/** Two policies of the scheduler simulator on 500 seeds, some 45 metrics a run. */
function ofStudy(dir) {
  const name = "compare a study of 1,000 runs, cold";
  if (!pythonHas("scipy.stats")) return [missing(name, "python3-scipy is not installed")];
  const study = {
    study: "arms",
    target: "sched-sim",
    artifacts: "none",
    params: { workflows: 2, pdfs: 2, iters: 1, subqueries: 2 },
    matrix: { policy: ["fifo_cheapest", "full"] },
    seeds: 500,
  };
  writeFileSync(join(dir, "study.json"), JSON.stringify(study));
  seconds(process.execPath, [assay, "run", "study.json", "-q", "--no-report"], { cwd: dir });
  const words = [assay, "compare", "arms", "--by", "policy", "--metric", "makespan_p95_ms"];
  const { ours, scipy } = inTurn(9, {
    ours: () => seconds(process.execPath, words, { cwd: dir }),
    scipy: () => seconds("/usr/bin/python3", ["-c", "import scipy.stats"]),
  });
  return [row(name, ours, scipy, { rival: "python3 -c 'import scipy.stats'", most: 1 })];
}

/** Half a million tasks in two arms: paired by task, and as independent groups. */
function ofCsv(dir) {
  const path = join(dir, "rows.csv");
  const file = openSync(path, "w");
  let text = "task,arm,score,cost,note\n";
  for (let i = 0; i < ROWS; i++) {
    const score = Math.sin(i * 12.9898) + Math.sin((i >> 1) * 78.233);
    text += `task-${i >> 1},${i % 2 === 0 ? "control" : "candidate"},${score.toFixed(6)},${(i % 97) / 100},"some, text"\n`;
    if (text.length > 1 << 20) {
      writeSync(file, text);
      text = "";
    }
  }
  writeSync(file, text);
  closeSync(file);
  const compare = (...words) => seconds(process.execPath, [assay, "compare", path, "--by", "arm", ...words]);
  const { paired, groups } = inTurn(3, {
    paired: () => compare("--metric", "score", "--task", "task"),
    groups: () => compare("--metric", "score", "--unpaired"),
  });
  const limited = (name, ours) => row(name, ours, MOST_SECONDS, { rival: "limit", most: 1 });
  return [
    limited("compare 1,000,000 CSV rows, paired by task", paired),
    limited("compare 1,000,000 CSV rows, not paired", groups),
  ];
}
