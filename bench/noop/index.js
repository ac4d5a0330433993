// Runs that do nothing, in threads, journalled: the harness's own speed and memory, and lazy planning.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  assay,
  inTurn,
  missing,
  peakMegabytes,
  peer,
  pythonHas,
  row,
  scratch,
  seconds,
} from "../support/measure.js";

const RUNS = 200_000;
const MANY = 1_000_000;

export default async function measure() {
  const dir = scratch("noop");
  const study = { target: "noop", artifacts: "none", params: { value: 1 } };
  writeFileSync(join(dir, "noop.json"), JSON.stringify({ study: "noop", ...study, seeds: RUNS }));
  writeFileSync(join(dir, "empty.json"), JSON.stringify({ study: "empty", ...study, seeds: 1 }));
  writeFileSync(join(dir, "million.json"), JSON.stringify({ study: "million", ...study, seeds: MANY }));
  const run = (file, out) => [assay, "run", file, "-q", "--no-report", "--out-root", join(dir, out)];
  const { all, one } = inTurn(3, {
    all: (i) => seconds(process.execPath, run("noop.json", `a${i}`), { cwd: dir }),
    one: (i) => seconds(process.execPath, run("empty.json", `b${i}`), { cwd: dir }),
  });
  const rate = RUNS / (all - one);
  const atLeast = (name, ours, target, unit) => ({
    name,
    ours: `${Math.round(ours)} ${unit}`,
    rival: `target ${target}`,
    ratio: (ours / target).toFixed(2),
    target: ">= 1",
    ok: ours >= target,
  });
  const atMost = (name, ours, target, unit) => ({
    name,
    ours: `${ours.toPrecision(3)} ${unit}`,
    rival: `target ${target}`,
    ratio: (ours / target).toFixed(2),
    target: "<= 1",
    ok: ours <= target,
  });
  const rows = [atLeast("no-op runs journalled", rate, 50_000, "runs/s")];
  const optuna = peer("trials/optuna_noop.py");
  if (optuna && pythonHas("optuna")) {
    const words = (n) => [optuna, String(n), "random", "mem"];
    const { many, few } = inTurn(3, {
      many: () => seconds("/usr/bin/python3", words(5000)),
      few: () => seconds("/usr/bin/python3", words(1)),
    });
    rows.push(
      row("time of one no-op run", 1e6 / rate, ((many - few) / 5000) * 1e6, {
        rival: "Optuna in memory",
        most: 0.2,
        unit: "us",
      }),
    );
  } else rows.push(missing("no-op runs vs Optuna", "python3-optuna is not installed"));
  rows.push(
    atMost(
      `memory of ${MANY} runs`,
      peakMegabytes(process.execPath, run("million.json", "m"), { cwd: dir }),
      300,
      "MB",
    ),
  );
  rows.push(
    atMost(
      `counting ${MANY} runs`,
      seconds(process.execPath, [assay, "plan", "million.json"], { cwd: dir }),
      1,
      "s",
    ),
  );
  rows.push(
    atMost(`first of ${MANY} runs recorded`, await firstRecord(dir, run("million.json", "f")), 2, "s"),
  );
  return rows;
}

/** Seconds from the start of the command to the first line of its journal. */
async function firstRecord(dir, words) {
  const journal = join(dir, "f/million/journal.jsonl");
  const start = performance.now();
  const child = spawn(process.execPath, words, { cwd: dir, stdio: "ignore" });
  while (!existsSync(journal) || readFileSync(journal).length === 0)
    await new Promise((resolve) => setTimeout(resolve, 5));
  const elapsed = (performance.now() - start) / 1000;
  const ended = new Promise((resolve) => child.on("exit", resolve));
  child.kill("SIGTERM");
  await ended;
  return elapsed;
}
