// Our iterations against tinybench and mitata, with their defaults, on the same functions: the same answer, and how
// long it takes to come. Each measurement is a process of its own, and they take turns. Alone: node bench/harness/index.js
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { median, root } from "../support/measure.js";

const ROUNDS = 4;
const RIVALS = ["tinybench", "mitata"];
/** Answers of one function differ this much from process to process on a machine with other work. */
const SAME = 0.1;

export default async function measure() {
  const { tInterval } = await import("../../dist/stats.js");
  const program = await bundle();
  const ask = (harness, name) =>
    JSON.parse(execFileSync(process.execPath, [program, harness, name], { encoding: "utf8", cwd: root }));
  const rows = [];
  for (const name of ["tiny", "small"]) {
    const found = { assay: [], tinybench: [], mitata: [] };
    for (let round = 0; round < ROUNDS; round++)
      for (const harness of Object.keys(found)) found[harness].push(ask(harness, name));
    for (const rival of RIVALS) rows.push(...compare(name, rival, { found, tInterval }));
  }
  return [...rows, ...emptyRows(ask)];
}

/** Whether both say the same, and who says it sooner. */
function compare(name, rival, { found, tInterval }) {
  const of = (harness, key) => median(found[harness].map((answer) => answer[key]));
  const ratios = found.assay.map(({ ns }, i) => Math.log(ns / found[rival][i].ns));
  const interval = tInterval(ratios);
  const [low, high] = interval.known ? [Math.exp(interval.low), Math.exp(interval.high)] : [0, 0];
  // tinybench reads the clock around each call, so its answer holds what that takes: ours may be below.
  const isBelow = rival === "tinybench" && name === "tiny";
  const precision = (harness) => `± ${((of(harness, "halfWidth") ?? 0) * 100).toPrecision(2)} %`;
  return [
    {
      name: `harness: answer, ${name} body`,
      ours: `${of("assay", "ns").toPrecision(3)} ns`,
      rival: `${rival} ${of(rival, "ns").toPrecision(3)} ns`,
      ratio: (of("assay", "ns") / of(rival, "ns")).toFixed(2),
      target: isBelow ? "<= 1" : `1 within ${SAME}`,
      ok: isBelow ? low <= 1 : low <= 1 + SAME && high >= 1 - SAME,
      note: `95 % interval of the ratio ${low.toFixed(2)} to ${high.toFixed(2)}, ${ROUNDS} rounds${isBelow ? "; tinybench's holds its clock" : ""}`,
    },
    {
      name: `harness: time to answer, ${name} body`,
      ours: `${of("assay", "wallMs").toFixed(0)} ms`,
      rival: `${rival} ${of(rival, "wallMs").toFixed(0)} ms`,
      ratio: (of("assay", "wallMs") / of(rival, "wallMs")).toFixed(2),
      target: "<= 1",
      ok: of("assay", "wallMs") <= of(rival, "wallMs"),
      note: `mean known to ${precision("assay")}, theirs to ${precision(rival)}`,
    },
  ];
}

/** What remains when the body does nothing. */
function emptyRows(ask) {
  const overheadNs = median(Array.from({ length: 3 }, () => ask("assay", "empty").overheadNs));
  const calls = median(Array.from({ length: 3 }, () => ask("assay", "empty").ns));
  const theirs = median(Array.from({ length: 3 }, () => ask("mitata", "empty").ns));
  return [
    {
      name: "harness: an empty body, timed alone",
      ours: `${overheadNs} ns`,
      rival: "limit 1000 ns",
      ratio: (overheadNs / 1000).toFixed(3),
      target: "< 1",
      ok: overheadNs < 1000,
      note: "timing_overhead_ns of every result.json",
    },
    {
      name: "harness: an empty body, in batches",
      ours: `${calls.toPrecision(2)} ns`,
      rival: `mitata ${theirs.toPrecision(2)} ns`,
      ratio: "-",
      target: "-",
      ok: null,
      note: "a call that is not inlined; mitata compiles its loop anew around each body",
    },
  ];
}

async function bundle() {
  const outfile = join(root, "node_modules", `.bench-harness-${process.pid}.mjs`);
  await build({
    entryPoints: [join(root, "bench/harness/contestant.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["tinybench", "mitata", "libsql", "ioredis", "jiti"],
    logLevel: "error",
  });
  const { rmSync } = await import("node:fs");
  process.on("exit", () => rmSync(outfile, { force: true }));
  return outfile;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await measure());
