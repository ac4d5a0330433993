// Does a true slowdown of 0, 2, 5 or 10 % get found on a busy machine? Ours against hyperfine and pytest-benchmark, each with
// the verdict that it gives itself. `npm run bench -- slowdown`; SLOWDOWN_REPEATS, _EFFECTS, _LOADS make it smaller.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { assay, missing, scratch } from "../support/measure.js";

const list = (name, fallback) => (process.env[name] ?? fallback).split(",").map(Number);
const REPEATS = Number(process.env.SLOWDOWN_REPEATS ?? 40);
const EFFECTS = list("SLOWDOWN_EFFECTS", "0,2,5,10");
const LOADS = list("SLOWDOWN_LOADS", "0,1,2");
/** A loop that takes about 1.5 ms. */
const SIZE = 150_000;
const STARTS = 10;
const PYTHON = process.env.SLOWDOWN_PYTHON ?? "python3";

/** Small whole numbers only: where one outgrew 31 bits, the engine would change its mind, and 5 % would be 100 %. */
const BODY = `export function body(size) {
  let sum = 0;
  for (let i = 0; i < size; i++) sum = (sum + (i & 1023) * 7) % 10007;
  return sum;
}
`;

export default async function measure() {
  const dir = scratch("slowdown");
  write(dir);
  const rivals = rivalsHere(dir);
  const rows = Object.entries(rivals).flatMap(([name, run]) =>
    run === null ? [missing(`${name} finds a slowdown`, `${name} is not installed`)] : [],
  );
  const judges = {
    assay: ours,
    ...(process.env.SLOWDOWN_ONLY === "assay"
      ? {}
      : Object.fromEntries(Object.entries(rivals).filter(([, run]) => run))),
  };
  for (const load of LOADS) {
    const busy = Array.from({ length: load }, () =>
      spawn(process.execPath, ["-e", "for (;;) Math.sqrt(Math.random())"], { stdio: "ignore" }),
    );
    try {
      for (const effect of EFFECTS) rows.push(...cell(dir, { load, effect, judges }));
    } finally {
      for (const child of busy) child.kill("SIGKILL");
    }
  }
  return rows;
}

/** All judges see the same two bodies, in turns, again and again. */
function cell(dir, { load, effect, judges }) {
  const found = {};
  const before = loadavg()[0];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    for (const [name, judge] of Object.entries(judges)) {
      const said = judge(dir, { effect, repeat, load });
      for (const [how, verdict] of Object.entries(typeof said === "string" ? { [name]: said } : said)) {
        found[how] ??= { slower: 0, faster: 0, same: 0 };
        found[how][verdict]++;
        process.stderr.write(
          `${effect} %, ${load} competing, repeat ${repeat + 1}: ${how} says ${verdict}\n`,
        );
      }
    }
  }
  const machine = `${availableParallelism()} cores, load ${before.toFixed(0)} to ${loadavg()[0].toFixed(0)}`;
  return Object.entries(found).map(([how, { slower, faster }]) => ({
    name: `${effect} % slower, ${load} competing: ${how}`,
    ours: `found ${slower}`,
    rival: `wrong sign ${faster}`,
    ratio: `of ${REPEATS}`,
    target: how !== "assay" ? "-" : effect === 0 ? "<= 5 %" : effect >= 5 ? ">= 90 %" : "-",
    ok: judged(how, { effect, slower, faster }),
    note: machine,
  }));
}

function judged(how, { effect, slower, faster }) {
  if (how !== "assay" || effect === 2) return null;
  const allowed = Math.max(1, Math.round(0.05 * REPEATS));
  return effect === 0 ? slower + faster <= allowed : faster === 0 && slower >= Math.floor(0.9 * REPEATS);
}

/** Ten starts of each size that take turns, twenty iterations each; by the default, and by what else the journal has. */
function ours(dir, { effect, repeat, load }) {
  const name = `s${effect}_${load}_${repeat}`;
  const study = {
    study: name,
    target: "./target.mjs",
    matrix: { slower: [0, 1] },
    params: { effect },
    seeds: STARTS,
    iterations: { warmup: 5, measured: 20 },
    instruments: ["timing"],
    executor: { jobs: 1 },
    artifacts: "none",
    analysis: { metric: "duration_ms", goal: "minimize", baseline: { slower: 0 } },
  };
  writeFileSync(join(dir, `${name}.json`), JSON.stringify(study));
  run(dir, process.execPath, [assay, "run", `${name}.json`, "-q", "--no-report"]);
  const verdictOf = (metric) => {
    const words = [assay, "compare", name, "--by", "slower", "--baseline", "0", "--metric", metric, "--json"];
    const { comparisons } = JSON.parse(run(dir, process.execPath, words));
    return { worse: "slower", better: "faster" }[comparisons[0].verdict] ?? "same";
  };
  return {
    assay: verdictOf("duration_ms"),
    "the same runs by their medians": verdictOf("duration_ms_p50"),
    "the same runs by their means": verdictOf("duration_ms_mean"),
  };
}

/** hyperfine says "1.05 ± 0.02 times faster": found where that leaves 1 out. */
function hyperfine(dir, { effect }) {
  const command = (size) => `${process.execPath} program.mjs ${size}`;
  const words = ["-N", "--runs", String(STARTS), "--warmup", "1", "--export-json", "hf.json"];
  run(dir, "hyperfine", [...words, command(SIZE), command(slower(effect))]);
  const [a, b] = JSON.parse(readFileSync(join(dir, "hf.json"), "utf8")).results;
  const ratio = b.mean / a.mean;
  const sd = ratio * Math.hypot(a.stddev / a.mean, b.stddev / b.mean);
  return ratio - sd > 1 ? "slower" : ratio + sd < 1 ? "faster" : "same";
}

/** pytest-benchmark fails a comparison by a threshold on its minimum; half the effect, as one would set it to see 5 %. */
function pytestBenchmark(dir, { effect }) {
  const measured = [SIZE, slower(effect)].map((size) => {
    run(
      dir,
      PYTHON,
      [
        ...["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_body.py", "--benchmark-json=pb.json"],
        ...["--benchmark-max-time=0.3", "--benchmark-warmup=on"],
      ],
      { BODY_SIZE: String(Math.round(size / 10)) },
    );
    return JSON.parse(readFileSync(join(dir, "pb.json"), "utf8")).benchmarks[0].stats.min;
  });
  const ratio = measured[1] / measured[0];
  return ratio > 1.025 ? "slower" : ratio < 1 / 1.025 ? "faster" : "same";
}

function rivalsHere(dir) {
  const has = (program, words) => spawnSync(program, words, { cwd: dir, stdio: "ignore" }).status === 0;
  return {
    hyperfine: has("hyperfine", ["--version"]) ? hyperfine : null,
    "pytest-benchmark": has(PYTHON, ["-c", "import pytest_benchmark"]) ? pytestBenchmark : null,
  };
}

function slower(effect) {
  return Math.round(SIZE * (1 + effect / 100));
}

function write(dir) {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "body.mjs"), BODY);
  writeFileSync(
    join(dir, "target.mjs"),
    `import { body } from "./body.mjs";
export default {
  name: "body",
  params: { safeParse: (data) => ({ success: true, data }) },
  run: ({ params }) => ({ sum: body(Math.round(${SIZE} * (1 + (params.slower * params.effect) / 100))) }),
};
`,
  );
  writeFileSync(
    join(dir, "program.mjs"),
    'import { body } from "./body.mjs";\nfor (let i = 0; i < 20; i++) body(Number(process.argv[2]));\n',
  );
  writeFileSync(
    join(dir, "test_body.py"),
    `import os

SIZE = int(os.environ["BODY_SIZE"])


def body():
    total = 0
    for i in range(SIZE):
        total = (total + (i & 1023) * 7) % 10007
    return total


def test_body(benchmark):
    benchmark(body)
`,
  );
}

function run(cwd, program, words, env = {}) {
  const { status, stdout, stderr } = spawnSync(program, words, {
    cwd,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${program} ${words.join(" ")}: ${stderr || stdout}`);
  return stdout;
}
