// The bodies that become slower, and who is asked about them: each runs them and says "slower", "faster" or "same", effect by effect.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assay, root } from "../support/measure.js";

const STARTS = { node: 10, python: 15 };
/** A start of Python takes longer than many iterations, so each gets more of them: a slow moment of the machine passes. */
const ITERATIONS = { node: { warmup: 5, measured: 20 }, python: { warmup: 5, measured: 60 } };
/** About 1.5 ms in Node and in Python, and a Python program of about 100 ms. */
const SIZES = { node: 550_000, python: 20_000, program: 900_000 };
const PYTHON = process.env.SLOWDOWN_PYTHON ?? pythonItself();

/** `python3` may be a shell script that looks for a version (pyenv), which would be timed along with it. */
function pythonItself() {
  const words = ["-c", "import os, sys; print(os.path.realpath(sys.executable))"];
  return spawnSync("python3", words, { encoding: "utf8" }).stdout?.trim() || "python3";
}

/** Small whole numbers only: where one outgrew 31 bits, the engine would change its mind, and 5 % would be 100 %. */
const NODE_BODY = `export function body(size) {
  let sum = 0;
  for (let i = 0; i < size; i++) sum = (sum + (i & 1023) * 7) % 10007;
  return sum;
}
`;
const PYTHON_BODY = `def body(size):
    total = 0
    for i in range(size):
        total = (total + (i & 1023) * 7) % 10007
    return total
`;

export const judges = {
  "assay run (Node)": { body: "node", ask: (dir, cell) => ours(dir, cell, "./target.mjs") },
  "assay run (Python)": {
    body: "python",
    needs: PYTHON,
    ask: (dir, cell) => ours(dir, cell, "./bench.py:bench_body"),
  },
  "pytest-benchmark": {
    body: "python",
    needs: [PYTHON, "-c", "import pytest_benchmark"],
    ask: pytestBenchmark,
  },
  "assay time": { body: "program", needs: PYTHON, ask: each(timed) },
  hyperfine: { body: "program", needs: ["hyperfine", "--version"], ask: each(hyperfine) },
};

export function isHere({ needs }, dir) {
  if (needs === undefined) return true;
  const [program, ...words] = typeof needs === "string" ? [needs, "--version"] : needs;
  return spawnSync(program, words, { cwd: dir, stdio: "ignore" }).status === 0;
}

export function writeBodies(dir) {
  mkdirSync(dir, { recursive: true });
  const write = (name, text) => writeFileSync(join(dir, name), text);
  write("body.mjs", NODE_BODY);
  write(
    "target.mjs",
    `import { body } from "./body.mjs";
export default {
  name: "body",
  params: { safeParse: (data) => ({ success: true, data }) },
  run: ({ params }) => void body(params.size),
};
`,
  );
  write("body.py", PYTHON_BODY);
  write(
    "bench.py",
    "from body import body\n\n\ndef bench_body(size: int = 1, is_after: int = 0):\n    body(size)\n",
  );
  write("program.py", "import sys\n\nfrom body import body\n\nbody(int(sys.argv[1]))\n");
  write(
    "test_body.py",
    'import os\n\nfrom body import body\n\n\ndef test_body(benchmark):\n    benchmark(body, int(os.environ["BODY_SIZE"]))\n',
  );
}

const sizeAt = (body, effect) => Math.round(SIZES[body] * (1 + effect / 100));

/** A judge of two things at a time. */
function each(ask) {
  return (dir, { body, effects }) =>
    effects.map((effect) => ask(dir, [sizeAt(body, 0), sizeAt(body, effect)]));
}

/** Starts of each size that take turns, each with its iterations, and what `compare` says of each effect and the body as it was. */
async function ours(dir, { body, effects, competing, repeat }, target) {
  const { runStudy, compareStudies } = await import(join(root, "dist/index.js"));
  const name = `${body}_${effects.join("_")}_${competing}_${repeat}`;
  const study = {
    study: name,
    target,
    // What the body ignores tells the arms apart where nothing else does.
    variants: [
      { name: "before", params: { size: sizeAt(body, 0), is_after: 0 } },
      ...effects.map((effect) => ({
        name: `after_${effect}`,
        params: { size: sizeAt(body, effect), is_after: 1 },
      })),
    ],
    ...{
      seeds: STARTS[body],
      iterations: ITERATIONS[body],
      instruments: ["timing"],
      executor: { jobs: 1 },
      artifacts: "none",
    },
    outRoot: join(dir, "results"),
    analysis: { metric: "duration_ms", goal: "minimize", baseline: { variant: "before" } },
  };
  const file = join(dir, `${name}.json`);
  writeFileSync(file, JSON.stringify(study));
  await runStudy(file);
  // Each effect by itself, as if the others had not been measured: no error is shared with them.
  const askFor = async (effect, metric) => {
    const where = `variant == 'before' || variant == 'after_${effect}'`;
    const { comparisons } = await compareStudies([join(dir, "results", name)], { metrics: [metric], where });
    const [{ verdict, relative }] = comparisons;
    const percent = (share) => Number((100 * share).toFixed(2));
    return {
      verdict: { worse: "slower", better: "faster" }[verdict] ?? "same",
      percent: relative.known ? [relative.value, relative.low, relative.high].map(percent) : null,
    };
  };
  const language = body === "node" ? "Node" : "Python";
  const said = [];
  for (const effect of effects)
    said.push({
      ...(await askFor(effect, "duration_ms")),
      also: { [`${language}: fastest by the clock`]: (await askFor(effect, "duration_ms_min")).verdict },
    });
  return said;
}

const programs = (sizes) => sizes.map((size) => `${PYTHON} program.py ${size}`);

/** The second command is the same program under another name where nothing differs. */
function distinct([first, second]) {
  return [first, first === second ? second.replace("program.py", "./program.py") : second];
}

function timed(dir, sizes) {
  const words = ["time", ...distinct(programs(sizes)), "--shell", "none", "--warmup", "1", "--json"];
  const { compared } = JSON.parse(run(dir, process.execPath, [assay, ...words]));
  const [{ verdict, candidate }] = compared.comparisons;
  if (verdict !== "worse" && verdict !== "better") return { verdict: "same" };
  const isSecondWorse = (verdict === "worse") === (candidate.name === words[2]);
  return { verdict: isSecondWorse ? "slower" : "faster" };
}

/** As long as it measures by itself, like ours. It says "1.05 ± 0.02 times faster": found where that leaves 1 out. */
function hyperfine(dir, sizes) {
  run(dir, "hyperfine", ["-N", "--warmup", "1", "--export-json", "hf.json", ...programs(sizes)]);
  const [a, b] = JSON.parse(readFileSync(join(dir, "hf.json"), "utf8")).results;
  const ratio = b.mean / a.mean;
  const sd = ratio * Math.hypot(a.stddev / a.mean, b.stddev / b.mean);
  return { verdict: ratio - sd > 1 ? "slower" : ratio + sd < 1 ? "faster" : "same" };
}

/**
 * pytest-benchmark fails a comparison with what it saved by a threshold on its minimum: half of 5 %, as one would set it to
 * see 5 %.
 */
function pytestBenchmark(dir, { body, effects }) {
  const least = (effect) => {
    const words = ["-q", "-p", "no:cacheprovider", "test_body.py", "--benchmark-json=pb.json"];
    const pace = ["--benchmark-max-time=0.3", "--benchmark-warmup=on"];
    const env = { BODY_SIZE: String(sizeAt(body, effect)) };
    run(dir, PYTHON, ["-m", "pytest", ...words, ...pace], env);
    return JSON.parse(readFileSync(join(dir, "pb.json"), "utf8")).benchmarks[0].stats.min;
  };
  const saved = least(0);
  return effects.map((effect) => {
    const ratio = least(effect) / saved;
    return { verdict: ratio > 1.025 ? "slower" : ratio < 1 / 1.025 ? "faster" : "same" };
  });
}

function run(cwd, program, words, env = {}) {
  const options = { cwd, encoding: "utf8", env: { ...process.env, ...env } };
  const { status, stdout, stderr } = spawnSync(program, words, options);
  if (status !== 0) throw new Error(`${program} ${words.join(" ")}: ${stderr || stdout}`);
  return stdout;
}
