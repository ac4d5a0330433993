// Rollouts of tasks in their own images, by podman. What Assay takes around an agent that writes one line, the start of its
// container not counted: what it changed is kept, shown as a patch and graded in a second container. Held against an empty
// container in the same run. Then whether the second launch of many tasks builds anything.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assay, has, median, missing, row, scratch, seconds } from "../support/measure.js";

const BASE = "localhost/assay-base:1";
const ROLLOUTS = Number(process.env.BENCH_ROLLOUTS ?? 10);
const TASKS = Number(process.env.BENCH_TASKS ?? 100);
const NAMES = ["a rollout in a container without its agent", `builds of the second launch of ${TASKS} tasks`];

export default async function measure() {
  if (!has("podman")) return NAMES.map((name) => missing(name, "podman is not installed"));
  if (spawnSync("podman", ["image", "exists", BASE]).status !== 0)
    return NAMES.map((name) => missing(name, `no image ${BASE}: bash scripts/container-base.sh makes it`));
  const dir = scratch("containers");
  return [overhead(dir), builds(dir)];
}

function overhead(dir) {
  makeTask(join(dir, "one"), 0);
  const container = () =>
    1000 * seconds("podman", [...podmanWords(), "run", "--rm", ...LIMITS, BASE, "true"]);
  const half = Array.from({ length: Math.ceil(ROLLOUTS / 2) });
  const before = half.map(container);
  // The first one builds, and looks for what others left behind.
  const [, ...records] = run(dir, { tasks: ["one"], out: "one", env: process.env, seeds: ROLLOUTS + 1 });
  const around = records.map(({ wallMs, metrics }) => wallMs - 1000 * metrics.agent_seconds);
  const empty = [...before, ...half.map(container)];
  const most = 1.5 * median(empty) + 150;
  const limited = row(NAMES[0], median(around), most, {
    rival: "1.5 x podman run --rm + 150 ms",
    most: 1,
    unit: "ms",
  });
  return {
    ...limited,
    note: `medians of ${around.length}; an empty container takes ${median(empty).toFixed(0)} ms`,
  };
}

/** Counted by a program called podman that writes down what it is asked. */
function builds(dir) {
  const tasks = Array.from({ length: TASKS }, (_, i) => `many-${i}`);
  for (const [i, task] of tasks.entries()) makeTask(join(dir, task), `${process.pid}-${i}`);
  const real = spawnSync("sh", ["-c", "command -v podman"], { encoding: "utf8" }).stdout.trim();
  mkdirSync(join(dir, "bin"));
  const log = join(dir, "builds");
  const script = `#!/bin/sh\ncase " $* " in *" build "*) echo "$*" >> ${log} ;; esac\nexec ${real} "$@"\n`;
  writeFileSync(join(dir, "bin/podman"), script);
  chmodSync(join(dir, "bin/podman"), 0o755);
  const env = { ...process.env, PATH: `${join(dir, "bin")}:${process.env.PATH}` };
  const count = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").length : 0);
  run(dir, { tasks, out: "first", env, jobs: 2 });
  const first = count();
  run(dir, { tasks, out: "second", env, jobs: 2 });
  const second = count() - first;
  const words = ["images", "--quiet", "--filter", `label=bench=${process.pid}`];
  const ids = spawnSync("podman", words, { encoding: "utf8" }).stdout.trim().split("\n").filter(Boolean);
  if (ids.length > 0) spawnSync("podman", ["rmi", "--force", ...new Set(ids)]);
  if (first !== TASKS) throw new Error(`the first launch built ${first} images, not ${TASKS}`);
  const limited = row(NAMES[1], second, 1, { rival: "none allowed", most: 0, unit: "builds" });
  return { ...limited, note: `the first launch built ${first}` };
}

function makeTask(dir, mark) {
  const files = {
    "task.toml": "[environment]\nallow_internet = false\n",
    "instruction.md": "Write on.\n",
    "environment/Dockerfile": `FROM ${BASE}\nWORKDIR /app\nLABEL mark=${mark} bench=${process.pid}\n`,
    "tests/test.sh":
      "grep -qx on lamp && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt\n",
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(dir, name, ".."), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
}

function run(dir, { tasks, out, env, jobs = 1, seeds = 1 }) {
  const study = {
    ...{ study: out, target: "rollout", tasks: tasks.map((task) => `./${task}`), seeds, executor: { jobs } },
    params: { sandbox: "podman", agent: ["sh", "-c", "echo on > lamp"] },
  };
  writeFileSync(join(dir, `${out}.json`), JSON.stringify(study));
  const words = [assay, "run", `${out}.json`, "-q", "--no-report", "--out-root", join(dir, "out")];
  seconds(process.execPath, words, { cwd: dir, env });
  const journal = readFileSync(join(dir, "out", out, "journal.jsonl"), "utf8");
  const records = journal
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  if (records.some(({ metrics }) => metrics.solved !== 1)) throw new Error("a rollout was not solved");
  return records;
}

const LIMITS = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1000:1000"];

/** As Assay calls it: crun fails where version 1 of control groups is in use. */
function podmanWords() {
  return !existsSync("/sys/fs/cgroup/cgroup.controllers") && has("runc") ? ["--runtime", "runc"] : [];
}
