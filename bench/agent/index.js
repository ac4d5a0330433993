// Instances of the scripted agent, in memory and in folders with real processes: what a study without a network takes.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assay, inTurn, scratch, seconds } from "../support/measure.js";

const STRATEGIES = ["raw", "observation_masking", "llm_summary", "hybrid"];

export default async function measure() {
  const dir = scratch("agent");
  const write = (name, sandbox, more) =>
    writeFileSync(
      join(dir, `${name}.json`),
      JSON.stringify({
        study: name,
        target: "agent",
        artifacts: "none",
        params: { model: "scripted", sandbox },
        executor: { jobs: 2 },
        ...more,
      }),
    );
  const matrix = { strategy: STRATEGIES };
  write("many", "memory", { matrix, tasks: { subset: "all" }, seeds: 4 });
  write("few", "memory", { tasks: ["shop-pricing"] });
  write("folders", "directory", { matrix, tasks: { subset: "small" } });
  const run = (name, out) => [
    assay,
    "run",
    `${name}.json`,
    "-q",
    "--no-report",
    "--out-root",
    join(dir, out),
  ];
  const { many, few, folders } = inTurn(3, {
    many: (i) => seconds(process.execPath, run("many", `a${i}`), { cwd: dir }),
    few: (i) => seconds(process.execPath, run("few", `b${i}`), { cwd: dir }),
    folders: (i) => seconds(process.execPath, run("folders", `c${i}`), { cwd: dir }),
  });
  const rate = (4 * 23 * 4 - 1) / (many - few);
  return [
    {
      name: "scripted instances in memory, two workers",
      ours: `${rate.toFixed(1)} /s`,
      rival: "target 50",
      ratio: (rate / 50).toFixed(2),
      target: ">= 1",
      ok: rate >= 50,
    },
    {
      name: "small scripted instances in folders, two workers",
      ours: `${((4 * 8 - 1) / (folders - few)).toFixed(1)} /s`,
      rival: "no target",
      ratio: "",
      target: "",
      ok: true,
      note: "most of it is starting Node for the tests",
    },
  ];
}
