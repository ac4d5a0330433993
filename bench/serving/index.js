// 1,200 short items of a dataset: a process for each against one that serves them all, in Python and in Node.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assay, cpuSeconds, median, row, scratch } from "../support/measure.js";

const ITEMS = 1200;
const REPEATS = 3;
const MOST = 0.05;

const PYTHON_BODY = 'import assay\ndef half(n):\n    return {"half": n / 2}\n';
const NODE_BODY = 'const fs = require("node:fs");\nconst half = (n) => ({ half: n / 2 });\n';
const LANGUAGES = [
  {
    name: "Python",
    command: ["python3"],
    suffix: "py",
    each: `${PYTHON_BODY}assay.metrics(half(assay.item()["n"]))\n`,
    served: `${PYTHON_BODY}assay.serve(lambda run: half(run["item"]["n"]))\n`,
  },
  {
    name: "Node",
    command: [process.execPath],
    suffix: "cjs",
    each: `${NODE_BODY}const item = JSON.parse(fs.readFileSync(process.env.ASSAY_TASK_FILE, "utf8"));
fs.writeFileSync(process.env.ASSAY_OUT_DIR + "/metrics.json", JSON.stringify(half(item.n)));\n`,
    served: `${NODE_BODY}require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, item } = JSON.parse(line);
  console.log(JSON.stringify({ id, metrics: half(item.n) }));
});\n`,
  },
];

export default async function measure() {
  const dir = scratch("serving");
  const items = Array.from({ length: ITEMS }, (_, i) => JSON.stringify({ id: `q${i}`, n: i }));
  writeFileSync(join(dir, "items.jsonl"), `${items.join("\n")}\n`);
  return LANGUAGES.flatMap((language) => compare(dir, language));
}

/** A row of wall time and one of the processor time of all processes together, both of the same launches. */
function compare(dir, { name, command, suffix, ...programs }) {
  const launches = { wall: {}, processor: {} };
  for (const [way, program] of Object.entries(programs)) {
    writeFileSync(join(dir, `${way}.${suffix}`), program);
    const target = { command: [...command, `${way}.${suffix}`], worker: way === "served" };
    const study = { study: `${name}-${way}`, target, tasks: { file: "items.jsonl" }, executor: { jobs: 2 } };
    writeFileSync(join(dir, `${name}-${way}.json`), JSON.stringify(study));
    launches.wall[way] = [];
    launches.processor[way] = [];
  }
  for (let i = 0; i < REPEATS; i++) {
    for (const way of Object.keys(programs)) {
      const words = [
        "run",
        `${name}-${way}.json`,
        "-q",
        "--no-report",
        "--out-root",
        join(dir, `${name}-${i}`),
      ];
      const start = performance.now();
      launches.processor[way].push(cpuSeconds(process.execPath, [assay, ...words], { cwd: dir }));
      launches.wall[way].push((performance.now() - start) / 1000);
    }
  }
  return Object.entries(launches).map(([kind, { served, each }]) =>
    row(`${ITEMS} short items in ${name}, ${kind} time`, median(served), median(each), {
      rival: "a process each",
      most: MOST,
    }),
  );
}
