// What tracing adds to a study of the scripted agent, whose calls take a millisecond: with a real model it is nothing.
// Time of the processor, and the median of many pairs: one alone is off by a tenth on a machine that others use too.
// Alone: npm run bench -- tracing
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assay, cpuSeconds, median, scratch } from "../support/measure.js";

const ROUNDS = 20;

export default async function measure() {
  const dir = scratch("tracing");
  const study = {
    ...{ study: "traced", target: "agent", seeds: 2, tasks: { subset: "all" }, executor: { jobs: 1 } },
    params: { model: "scripted", sandbox: "memory" },
    matrix: { strategy: ["raw", "hybrid"] },
  };
  writeFileSync(join(dir, "study.json"), JSON.stringify(study));
  const run = (out, ...words) =>
    cpuSeconds(
      process.execPath,
      [assay, "run", "study.json", "-q", "--no-report", "--out-root", join(dir, out), ...words],
      { cwd: dir },
    );
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    // Each goes first as often as the other.
    const names = round % 2 === 0 ? ["traced", "untraced"] : ["untraced", "traced"];
    const seconds = {};
    for (const name of names) {
      const words = name === "traced" ? [] : ["--no-trace"];
      seconds[name] = run(`${name}${round}`, ...words);
    }
    rounds.push(seconds);
  }
  const ratio = median(rounds.map(({ traced, untraced }) => traced / untraced));
  return [
    {
      name: "what tracing adds to 92 scripted instances",
      ours: `${median(rounds.map(({ traced }) => traced)).toFixed(2)} s`,
      rival: `without it ${median(rounds.map(({ untraced }) => untraced)).toFixed(2)} s`,
      ratio: ratio.toFixed(3),
      target: "<= 1.05",
      ok: ratio <= 1.05,
      note: `processor time, the median of ${ROUNDS} pairs`,
    },
  ];
}
