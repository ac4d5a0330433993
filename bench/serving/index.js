// 1,200 short items of a dataset: a Python process for each against one that serves them all.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assay, inTurn, row, scratch, seconds } from "../support/measure.js";

const ITEMS = 1200;
const REPEATS = 3;

export default async function measure() {
  const dir = scratch("serving");
  const items = Array.from({ length: ITEMS }, (_, i) => JSON.stringify({ id: `q${i}`, n: i }));
  writeFileSync(join(dir, "items.jsonl"), `${items.join("\n")}\n`);
  const body = 'import assay\ndef half(n):\n    return {"half": n / 2}\n';
  writeFileSync(join(dir, "each.py"), `${body}assay.metrics(half(assay.item()["n"]))\n`);
  writeFileSync(join(dir, "served.py"), `${body}assay.serve(lambda run: half(run["item"]["n"]))\n`);
  const study = (name, target) =>
    writeFileSync(
      join(dir, `${name}.json`),
      JSON.stringify({ study: name, target, tasks: { file: "items.jsonl" }, executor: { jobs: 2 } }),
    );
  study("each", { command: ["python3", "each.py"] });
  study("served", { command: ["python3", "served.py"], worker: true });
  const run = (name) => (i) =>
    seconds(
      process.execPath,
      [assay, "run", `${name}.json`, "-q", "--no-report", "--out-root", join(dir, `${name}-${i}`)],
      { cwd: dir },
    );
  const { served, each } = inTurn(REPEATS, { served: run("served"), each: run("each") });
  return [row(`${ITEMS} short items in Python`, served, each, { rival: "a process each", most: 0.05 })];
}
