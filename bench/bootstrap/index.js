// The paired BCa bootstrap against scipy, numpy and a plain C loop: 10,000 and 100,000 resamples at n = 15, 100, 1,000.
// Each contestant is a process that repeats each case; they take turns, so drift hits all alike.
// Alone: node bench/bootstrap/index.js
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { compile, has, median, missing, peer, pythonHas, root, scratch } from "../support/measure.js";

const ROUNDS = 3;
const REPEATS = 3;
const SIZES = [15, 100, 1000];
const CASES = SIZES.flatMap((n) => [10_000, 100_000].map((resamples) => ({ n, resamples })));

/** How the lines of each contestant start. */
const CONTESTANTS = {
  ours: "assay BCa",
  scipy: "scipy BCa",
  numpy: "numpy chunked percentile",
  c: "C percentile",
};

/** Ours over theirs may be at most this; no target against Python below 100 values, where its overhead rules. */
const TARGETS = {
  scipy: { most: 0.5, from: 100 },
  numpy: { most: 0.5, from: 100 },
  c: { most: 2.5, from: 15 },
};

export default async function measure() {
  const data = peer("stats/data.json");
  if (!data) return [missing("bootstrap", "../shared/peers is absent")];
  const { runs, skipped } = await prepare(scratch("bootstrap"), data);
  const lines = [];
  for (let round = 0; round < ROUNDS; round++) for (const run of runs) lines.push(...run());
  const results = collect(lines);
  return [...skipped, ...CASES.flatMap((one) => compare(one, results)), ...memory(results)];
}

/** Builds what can be built; what is missing becomes a row that says so. */
async function prepare(dir, data) {
  const copy = join(dir, "data.json");
  copyFileSync(data, copy);
  const bundle = join(dir, "stats.mjs");
  await build({
    entryPoints: [join(root, "src/stats/index.ts")],
    ...{ bundle: true, format: "esm", platform: "node", outfile: bundle, logLevel: "error" },
  });
  const ours = fileURLToPath(new URL("./ours.js", import.meta.url));
  const runs = [() => output(process.execPath, [ours, bundle, copy, String(REPEATS)], { cwd: dir })];
  const skipped = [];
  if (has("cc")) {
    const program = compile(peer("stats/boot_c.c"), join(dir, "boot_c"));
    runs.push(() => output(program, [String(REPEATS)], { cwd: dir, input: differencesOf(data) }));
  } else skipped.push(missing("bootstrap vs C", "no C compiler"));
  if (pythonHas("scipy")) {
    copyFileSync(peer("stats/boot_scipy.py"), join(dir, "boot_scipy.py"));
    runs.push(() => output("/usr/bin/python3", ["boot_scipy.py", String(REPEATS)], { cwd: dir }));
  } else
    skipped.push(missing("bootstrap vs scipy", "python3-scipy is missing: apt-get install -y python3-scipy"));
  return { runs, skipped };
}

function output(command, words, options) {
  const { stdout, stderr } = spawnSync(command, words, { encoding: "utf8", ...options });
  if (!stdout) throw new Error(`${command} printed nothing: ${stderr}`);
  return stdout.trim().split("\n");
}

/** The C program reads for each n the count and then the differences. */
function differencesOf(data) {
  const sets = JSON.parse(readFileSync(data, "utf8"));
  return SIZES.map((n) => {
    const { treatment, control } = sets[`pairs${n}`];
    return [n, ...treatment.map((x, i) => x - control[i])].join(" ");
  }).join("\n");
}

/** Lines are "name n=N B=B", repeat, wall seconds, user, system, peak kilobytes, separated by tabs. */
function collect(lines) {
  const results = new Map();
  for (const line of lines) {
    const [what, , seconds, , , kilobytes] = line.split("\t");
    const result = results.get(what) ?? { seconds: [], megabytes: 0 };
    result.seconds.push(Number(seconds));
    result.megabytes = Math.max(result.megabytes, Number(kilobytes) / 1000);
    results.set(what, result);
  }
  return (contestant, { n, resamples }) => results.get(`${CONTESTANTS[contestant]} n=${n} B=${resamples}`);
}

function compare(one, results) {
  const ours = results("ours", one);
  return Object.entries(TARGETS).flatMap(([rival, { most, from }]) => {
    const theirs = results(rival, one);
    if (!theirs) return [];
    const ratio = median(ours.seconds) / median(theirs.seconds);
    const best = Math.min(...ours.seconds) / Math.min(...theirs.seconds);
    const bound = one.n >= from;
    return {
      name: `bootstrap n=${one.n} B=${one.resamples}`,
      ours: milliseconds(ours.seconds),
      rival: `${CONTESTANTS[rival]} ${milliseconds(theirs.seconds)}`,
      ratio: ratio.toFixed(2),
      target: bound ? `<= ${most}` : "-",
      ok: bound ? ratio <= most : null,
      note: `medians; ratio of minima ${best.toFixed(2)}`,
    };
  });
}

/** Memory should grow by the distribution alone, 8 bytes a resample, whatever n is. */
function memory(results) {
  const small = results("ours", { n: 15, resamples: 10_000 }).megabytes;
  const large = results("ours", { n: 1000, resamples: 100_000 }).megabytes;
  const scipy = results("scipy", { n: 1000, resamples: 100_000 })?.megabytes;
  const line = (name, rival, { theirs, most }) => ({
    name,
    ours: `${large.toFixed(0)} MB`,
    rival: `${rival} ${theirs.toFixed(0)} MB`,
    ratio: (large / theirs).toFixed(2),
    target: `<= ${most}`,
    ok: large / theirs <= most,
  });
  const rows = [line("bootstrap peak memory, all cases", "after the smallest", { theirs: small, most: 1.5 })];
  if (scipy) rows.push(line("bootstrap peak memory, all cases", "scipy", { theirs: scipy, most: 0.1 }));
  return rows;
}

function milliseconds(seconds) {
  return `${(median(seconds) * 1000).toPrecision(3)} ms`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await measure());
