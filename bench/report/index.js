// `assay report` of 1,000 runs with all its pictures, from a cold start; and how large the page of 100 runs is.
// Alone: npm run bench -- report
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { assay, median, scratch, seconds } from "../support/measure.js";
import { makeStudy } from "./make-study.js";

const ROUNDS = 3;
const LIMIT_S = 3;
const LIMIT_BYTES = 1_500_000;

export default async function measure() {
  const cwd = scratch("report");
  makeStudy(join(cwd, "bench_runs/thousand"), { seeds: 125 });
  makeStudy(join(cwd, "bench_runs/hundred"), { seeds: 13 });
  const report = (name) => seconds(process.execPath, [assay, "report", name], { cwd });
  const thousand = median(Array.from({ length: ROUNDS }, () => report("thousand")));
  report("hundred");
  const pictures = readdirSync(join(cwd, "bench_runs/thousand/report/assets")).length;
  const bytes = statSync(join(cwd, "bench_runs/hundred/report/index.html")).size;
  return [
    {
      name: `report of 1,000 runs, ${pictures} pictures`,
      ...limited(thousand, LIMIT_S, (value) => `${value.toPrecision(3)} s`),
    },
    {
      name: "page of 104 runs with logs and series",
      ...limited(bytes, LIMIT_BYTES, (value) => `${(value / 1e6).toFixed(2)} MB`),
    },
  ];
}

function limited(ours, limit, text) {
  const ratio = ours / limit;
  return {
    ours: text(ours),
    rival: `limit ${text(limit)}`,
    ratio: ratio.toFixed(2),
    target: "<= 1",
    ok: ratio <= 1,
  };
}
