import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

/** Measures the simulator: its event loop against SimPy and a minimal C++ loop, and the whole model. */

const HERE = dirname(fileURLToPath(import.meta.url));
const RIVALS = process.env.ASSAY_RIVALS ?? join(HERE, "../../../shared/peers/events");
const REPEATS = 5;
const CUSTOMERS = 1_000_000;
const SIMPY_CUSTOMERS = 200_000; // SimPy's time grows linearly, and 1,000,000 would take most of a minute a run
const QUEUE = ["4", "0.8"];

export default async function benchEvents() {
  const dir = mkdtempSync(join(tmpdir(), "bench-events-"));
  try {
    const programs = await bundle(dir);
    return [
      ...compareLoops(programs, dir),
      wholeModel(programs),
      flatMemory(programs),
      manyWorkflows(programs),
      defaultMatrix(programs, "results only", []),
      defaultMatrix(programs, "with all files and traces", ["files"]),
    ];
  } finally {
    rmSync(dir, { recursive: true });
  }
}

async function bundle(dir) {
  const names = ["mm4", "whole-model", "default-matrix"];
  await build({
    entryPoints: names.map((name) => join(HERE, `${name}.ts`)),
    outdir: dir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  return Object.fromEntries(names.map((name) => [name, join(dir, `${name}.mjs`)]));
}

/** Ours and theirs turn and turn about, so that a busy machine is unfair to all of them alike. */
function compareLoops(programs, dir) {
  const cpp = buildCpp(dir);
  const simpy = findSimpy();
  const ours = [];
  const cppRates = [];
  const simpyRates = [];
  for (let repeat = 1; repeat <= REPEATS; repeat++) {
    const seed = String(repeat);
    const mine = runJson(programs.mm4, [String(CUSTOMERS), ...QUEUE, seed]);
    ours.push(mine.events / mine.seconds);
    if (cpp.run) cppRates.push((2 * CUSTOMERS) / seconds(cpp.run, [String(CUSTOMERS), ...QUEUE, seed]));
    if (simpy.run)
      simpyRates.push((2 * SIMPY_CUSTOMERS) / seconds(simpy.run, [String(SIMPY_CUSTOMERS), ...QUEUE, seed]));
  }
  return [
    loopRow("M/M/4 events/s against SimPy", ours, simpyRates, {
      skipped: simpy.skipped,
      target: ">= 25x SimPy",
      ratio: (mine, rival) => mine / rival,
      ok: (ratio) => ratio >= 25,
    }),
    loopRow("M/M/4 events/s against minimal C++", ours, cppRates, {
      skipped: cpp.skipped,
      target: "<= 3x the time of C++",
      ratio: (mine, rival) => rival / mine,
      ok: (ratio) => ratio <= 3,
    }),
  ];
}

function loopRow(name, ours, rival, { skipped, target, ratio, ok }) {
  const row = { name, ours: Math.round(median(ours)), rival: null, ratio: null, target, ok: null };
  if (skipped) return { ...row, note: `skipped: ${skipped}` };
  const ofMedians = ratio(median(ours), median(rival));
  const ofBest = ratio(Math.max(...ours), Math.max(...rival));
  const note = `${REPEATS} repeats; best against best ${ofBest.toFixed(2)}x`;
  return { ...row, rival: Math.round(median(rival)), ratio: round(ofMedians), ok: ok(ofMedians), note };
}

function wholeModel(programs) {
  const runs = Array.from({ length: REPEATS }, () =>
    runJson(programs["whole-model"], ['{"workflows":1000}']),
  );
  const rates = runs.map(({ events, seconds }) => events / seconds);
  const note = `policy full, 1,000 workflows, ${runs[0].events} events; best ${Math.round(Math.max(...rates))}`;
  return {
    name: "whole model events/s",
    ours: Math.round(median(rates)),
    rival: null,
    ratio: null,
    target: "-",
    ok: true,
    note,
  };
}

/** The same workflows with 3 and with 100 iterations: events multiply, memory must not. */
function flatMemory(programs) {
  const probe = (iters) =>
    runJson(programs["whole-model"], [
      JSON.stringify({ workflows: 200, iters, evidence_prob: 0, budget_usd: null }),
    ]);
  const few = probe(3);
  const many = probe(100);
  const ratio = many.peakMb / few.peakMb;
  return {
    name: "peak memory, MB, for more events without a trace",
    ours: round(many.peakMb),
    rival: round(few.peakMb),
    ratio: round(ratio),
    target: "<= 1.25x",
    ok: ratio <= 1.25,
    note: `${many.events} events against ${few.events}`,
  };
}

function manyWorkflows(programs) {
  const run = runJson(programs["whole-model"], ['{"workflows":10000}']);
  const note = `${run.events} events, peak ${round(run.peakMb)} MB, ${run.finished} finished`;
  return {
    name: "10,000 workflows in one run, s",
    ours: round(run.seconds),
    rival: null,
    ratio: null,
    target: "works",
    ok: run.finished > 0,
    note,
  };
}

function defaultMatrix(programs, what, args) {
  const times = Array.from({ length: 3 }, () => runJson(programs["default-matrix"], args).seconds);
  return {
    name: `default matrix, 96 runs, ${what}, s`,
    ours: round(median(times)),
    rival: null,
    ratio: null,
    target: "< 15 s",
    ok: median(times) < 15,
    note: `one thread; best ${round(Math.min(...times))}`,
  };
}

function buildCpp(dir) {
  const source = join(RIVALS, "mmc.cpp");
  if (!existsSync(source)) return { skipped: `${source} is not there` };
  const program = join(dir, "mmc");
  const built = spawnSync("c++", ["-O3", "-o", program, source], { encoding: "utf8" });
  if (built.error || built.status !== 0) return { skipped: "no C++ compiler (apt-get install g++)" };
  return { run: [program] };
}

function findSimpy() {
  const script = join(RIVALS, "mmc_simpy.py");
  if (!existsSync(script)) return { skipped: `${script} is not there` };
  const found = spawnSync("/usr/bin/python3", ["-c", "import simpy"]);
  if (found.error || found.status !== 0) {
    return { skipped: "no SimPy 3 or later (apt-get install python3-simpy3, or pip install simpy)" };
  }
  return { run: ["/usr/bin/python3", script] };
}

/** The rivals print their time, such as `0.081s`, on stderr. */
function seconds([program, ...first], args) {
  const { stderr } = spawnSync(program, [...first, ...args], { encoding: "utf8" });
  return Number(/ ([\d.]+)s /.exec(stderr)[1]);
}

function runJson(program, args) {
  return JSON.parse(execFileSync(process.execPath, [program, ...args], { encoding: "utf8" }));
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function round(value) {
  return Math.round(value * 100) / 100;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  console.table(await benchEvents());
