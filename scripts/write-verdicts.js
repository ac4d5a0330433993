// Simulates studies of many kinds, compares each as a CSV file by the `compareStudies` of the built program, as a user's
// table would be, and writes what came of it into docs/statistics.md. After `npm run build`,
// `nice node scripts/write-verdicts.js 500` takes a quarter of an hour on two idle cores; the tests repeat a part of it.
import { fork } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const [, script, asked = "1000", dir, part, parts] = process.argv;
const studies = Number(asked);

if (dir === undefined) await writeTable();
else await simulatePart();

async function loadSimulation(folder) {
  return import(pathToFileURL(join(folder, "simulation.mjs")).href);
}

/** Every so many scenarios, one message each. */
async function simulatePart() {
  const { SCENARIOS, simulate, askTable, familyErrors } = await loadSimulation(dir);
  const { compareStudies } = await import(pathToFileURL(join(root, "dist/index.js")).href);
  const ask = askTable(mkdtempSync(join(dir, "part-")), compareStudies);
  for (let row = Number(part); row < SCENARIOS.length; row += Number(parts)) {
    const found = await simulate(SCENARIOS[row], studies, { ask, withRivals: true });
    process.send({ row, found: { ...found, rivals: [...found.rivals] } });
  }
  if (part === "0") process.send({ ten: await familyErrors(studies, ask) });
  process.disconnect();
}

async function writeTable() {
  const folder = mkdtempSync(join(tmpdir(), "assay-verdicts-"));
  await build({
    entryPoints: [join(root, "test/analysis/compare/simulated-studies.ts")],
    outfile: join(folder, "simulation.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  const { SCENARIOS, calibrated } = await loadSimulation(folder);
  const found = [];
  let ten;
  const simulatePartOf = (i, of) =>
    new Promise((resolve, reject) => {
      const child = fork(script, [asked, folder, i, of].map(String));
      child.on("message", (message) => {
        if (message.ten !== undefined) ten = message.ten;
        else found[message.row] = { ...message.found, rivals: new Map(message.found.rivals) };
        if (message.row !== undefined)
          process.stderr.write(`${rowName(SCENARIOS[message.row])}: ${text(message.found)}\n`);
      });
      child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`part ${i}: exit ${code}`))));
    });
  const of = availableParallelism();
  await Promise.all(Array.from({ length: of }, (_, i) => simulatePartOf(i, of)));
  rmSync(folder, { recursive: true });

  const rows = SCENARIOS.map((scenario, i) => {
    const family = found.filter((_, k) => SCENARIOS[k].family === scenario.family);
    const names = calibrated(family, studies);
    const [best] = [...found[i].rivals]
      .filter(([name]) => names.has(name))
      .sort(([, a], [, b]) => b.power - a.power);
    return { scenario, ...found[i], rival: best && { name: best[0], power: best[1].power } };
  });
  writeInto(join(root, "docs/statistics.md"), `${tableOf(rows)}\n\n${closingOf(rows, ten)}`);
}

function tableOf(rows) {
  const lines = [
    "| data and layout | size | false claims | coverage | power | best other method, its power |",
    "|---|---|---|---|---|---|",
  ];
  let last = "";
  for (const { scenario, falsePositives, coverage, power, rival, warned, unwarnedCoverage } of rows) {
    const kind = `${scenario.data}, ${scenario.layout}`;
    const isShort = coverage < 0.94 && warned >= 0.05;
    // Where every answer warns, nothing is left to cover.
    const told =
      warned >= 0.5 ? " (warned)" : isShort ? ` (${share(unwarnedCoverage)} where not warned)` : "";
    const covered = `${share(coverage)}${told}`;
    const other = rival ? `${rival.name}, ${share(rival.power, 2)}` : "none";
    lines.push(
      `| ${kind === last ? "" : kind} | ${scenario.size} | ${share(falsePositives)} | ${covered} | ${share(power, 2)} | ${other} |`,
    );
    last = kind;
  }
  return lines.join("\n");
}

function closingOf(rows, ten) {
  const behind = rows.map(({ rival, power }) => (rival ? rival.power - power : 0));
  const near = behind.filter((gap) => gap <= 0.03).length;
  const uneven = rows.filter((row) => row.uneven !== null);
  const most = (of) => share(Math.max(...of.map((row) => row.uneven.claims)));
  const told = uneven.filter((row) => row.uneven.warned >= 0.5);
  const silent = uneven.filter((row) => row.uneven.warned < 0.5);
  const wrong = rows.reduce((sum, row) => sum + row.disagreements, 0);
  return `${count(studies)} studies a row, each a CSV file that \`compareStudies\` read: the error of a share of .05 is ${share(Math.sqrt((0.05 * 0.95) / studies))}. In ${near} of ${rows.length} rows no other method finds more than .03 more; the most is ${share(Math.max(...behind), 2)}. With three times the spread in the smaller arm, independent arms without a difference are told apart in ${most(silent)} at most, or, in the ${told.length} rows where most answers have a warning, in ${most(told)}. Ten like arms of 15 values, all pairs: one false claim or more in ${share(ten)} of the studies. Verdicts that are not what their interval says: ${wrong} of ${count(2 * studies * rows.length)}.`;
}

function writeInto(path, words) {
  const page = readFileSync(path, "utf8");
  const [begin, end] = ["<!-- verdicts -->\n", "<!-- /verdicts -->\n"];
  const from = page.indexOf(begin) + begin.length;
  writeFileSync(path, `${page.slice(0, from)}\n${words}\n\n${page.slice(page.indexOf(end))}`);
}

function rowName({ data, layout, size }) {
  return `${data}, ${layout}, ${size}`;
}

function text({ falsePositives, coverage, power }) {
  return [falsePositives, coverage, power].map((x) => share(x)).join(" ");
}

function count(n) {
  return n.toLocaleString("en");
}

function share(x, digits = 3) {
  return x === 1 ? "1" : x.toFixed(digits).replace(/^0/, "");
}
