// The same bar chart with intervals as PNG: matplotlib against ours, a process each (cold) and many in one (warm).
// Ours is 1,520 pixels wide, matplotlib's 800: what each writes unless told.
// Alone: npm run bench -- plot
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { inTurn, median, missing, peer, pythonHas, root, row, scratch, seconds } from "../support/measure.js";

const COLD_ROUNDS = 7;
const WARM_ROUNDS = 3;
const CHARTS = 10;
const PYTHON = "/usr/bin/python3";

export default async function measure() {
  const script = peer("plot/plot_mpl.py");
  if (!script) return [missing("one chart as PNG", "../shared/peers is absent")];
  if (!pythonHas("matplotlib")) return [missing("one chart as PNG", "no matplotlib")];
  const cwd = scratch("plot");
  const ours = await bundle();
  const cold = inTurn(COLD_ROUNDS, {
    ours: () => seconds(process.execPath, [ours, "cold"], { cwd }),
    theirs: () => seconds(PYTHON, [script, "cold", "1"], { cwd }),
  });
  const warm = inTurn(WARM_ROUNDS, {
    ours: () => median(times(process.execPath, [ours, "warm", String(CHARTS)], { cwd })),
    theirs: () => median(times(PYTHON, [script, "warm", String(CHARTS)], { cwd })),
  });
  const target = { rival: "matplotlib", most: 1 };
  return [
    row("one chart as PNG, cold start", cold.ours, cold.theirs, target),
    row("one chart as PNG, warm", warm.ours, warm.theirs, target),
  ];
}

/** Beside our packages, where the fonts are found; gone when the benchmark ends. */
async function bundle() {
  const dir = join(root, "node_modules/.assay-bench-plot");
  mkdirSync(dir, { recursive: true });
  process.on("exit", () => rmSync(dir, { recursive: true, force: true }));
  const outfile = join(dir, "ours.mjs");
  await build({
    entryPoints: [join(root, "bench/plot/ours.ts")],
    ...{ bundle: true, format: "esm", platform: "node", outfile, logLevel: "error" },
    external: ["@resvg/resvg-js", "dejavu-fonts-ttf"],
  });
  return outfile;
}

/** Seconds a chart: a number a line, or the third column of the rival's. */
function times(command, words, options) {
  const lines = execFileSync(command, words, { encoding: "utf8", ...options })
    .trim()
    .split("\n");
  return lines.map((line) => Number(line.includes("\t") ? line.split("\t")[2] : line));
}
