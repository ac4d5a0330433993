// Rollouts of an agent that writes one line, graded by a test that looks for it: what Assay itself takes for a copy of the
// repository, two programs in the sandbox, the patch, the grading and all files of the run. Minima: others may use the machine.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assay, has, median, missing, peakMegabytes, row, scratch, seconds } from "../support/measure.js";
import { makeTask } from "./make-task.js";

const FILES = 1000;
const ROLLOUTS = 31;
const REPEATS = 3;
const LIMITS_MS = { directory: 150, bubblewrap: 250 };
const MANY = 1000;
/** By then the memory of the runtime has grown to what it will have. */
const FEW = 300;

export default async function measure() {
  const dir = scratch("rollouts");
  makeTask(join(dir, "large"), FILES);
  makeTask(join(dir, "small"), 20);
  const rows = Object.entries(LIMITS_MS).map(([sandbox, mostMs]) => {
    const name = `a rollout on ${FILES} files in ${sandbox}`;
    if (sandbox === "bubblewrap" && !has("bwrap")) return missing(name, "bubblewrap is not installed");
    const { least, middle } = overheadMs(dir, sandbox);
    const limited = row(name, least, mostMs, { rival: "limit", most: 1, unit: "ms" });
    return { ...limited, note: `the least of ${REPEATS * (ROLLOUTS - 1)}; the median is ${middle} ms` };
  });
  return [...rows, memoryOfMany(dir)];
}

/** From the start of a rollout to that of the next one, all that is around it included: the least, and the median. */
function overheadMs(dir, sandbox) {
  const study = writeStudy(dir, { task: "large", sandbox, rollouts: ROLLOUTS });
  const between = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const out = `${sandbox}-${repeat}`;
    seconds(process.execPath, words(study, dir, out), { cwd: dir });
    const journal = readFileSync(join(dir, out, study.replace(".json", ""), "journal.jsonl"), "utf8");
    const records = journal.trim().split("\n").map(JSON.parse);
    if (records.some(({ metrics }) => metrics.solved !== 1)) throw new Error("a rollout was not solved");
    const starts = records.map(({ startedAtMs }) => startedAtMs).sort((a, b) => a - b);
    between.push(...starts.slice(1).map((start, i) => start - starts[i]));
  }
  return { least: Math.min(...between), middle: median(between) };
}

/** All of a thousand against the first of them: what grows with each would show. */
function memoryOfMany(dir) {
  const peak = (rollouts) => {
    const study = writeStudy(dir, { task: "small", sandbox: "directory", rollouts });
    return peakMegabytes(process.execPath, words(study, dir, `memory-${rollouts}`), { cwd: dir });
  };
  const few = peak(FEW);
  return row(`memory of ${MANY} rollouts`, peak(MANY), few, {
    ...{ rival: `${FEW} rollouts`, most: 1.1, unit: "MB" },
  });
}

function writeStudy(dir, { task, sandbox, rollouts }) {
  const name = `${task}-${sandbox}-${rollouts}`;
  const study = {
    ...{ study: name, target: "rollout", tasks: [`./${task}`], seeds: rollouts, executor: { jobs: 1 } },
    params: { sandbox, agent: ["sh", "-c", "echo mended >> src/part0/file0.js"] },
  };
  writeFileSync(join(dir, `${name}.json`), JSON.stringify(study));
  return `${name}.json`;
}

function words(study, dir, out) {
  return [assay, "run", study, "-q", "--no-report", "--out-root", join(dir, out)];
}
