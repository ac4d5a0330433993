// Simulates studies of many kinds, compares them as `assay compare` does, and writes what came of it into
// docs/statistics.md. `node scripts/write-verdicts.js` takes a quarter of an hour; the tests repeat a part of it.
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const studies = Number(process.argv[2] ?? 1000);
const root = fileURLToPath(new URL("..", import.meta.url));
const outfile = join(tmpdir(), `assay-verdicts-${process.pid}.mjs`);
await build({
  entryPoints: [join(root, "test/analysis/compare/simulated-studies.ts")],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  logLevel: "error",
});
const { SCENARIOS, simulate, familyErrors } = await import(pathToFileURL(outfile).href);

const rows = new Map();
let disagreements = 0;
for (const scenario of SCENARIOS) {
  const { data, layout, size } = scenario;
  const found = simulate(scenario, studies, { withRivals: true });
  disagreements += found.disagreements;
  const row = `${data}, ${layout}`;
  if (!rows.has(row)) rows.set(row, []);
  rows.get(row).push({ size, ...found });
  process.stderr.write(`${row}, ${size}: ${text(found)}\n`);
}
const family = familyErrors(Math.min(studies, 1000));

const lines = [
  "| data and layout | size | false claims | coverage | power | best other method, its power |",
  "|---|---|---|---|---|---|",
];
for (const [row, cells] of rows)
  for (const [i, cell] of cells.entries()) {
    const { falsePositives, coverage, power, rival, warned } = cell;
    const covered = `${share(coverage)}${warned >= 0.5 ? " (warned)" : ""}`;
    const other = rival ? `${rival.name}, ${share(rival.power, 2)}` : "none";
    lines.push(
      `| ${i === 0 ? row : ""} | ${cell.size} | ${share(falsePositives)} | ${covered} | ${share(power, 2)} | ${other} |`,
    );
  }
const cells = [...rows.values()].flat();
const behind = cells.map(({ rival, power }) => (rival ? rival.power - power : 0));
const uneven = cells.flatMap((cell) => (cell.uneven === null ? [] : [cell.uneven]));
const closing = `${studies.toLocaleString("en")} studies a row: the error of a share of .05 is ${share(Math.sqrt((0.05 * 0.95) / studies))}. In ${behind.filter((gap) => gap <= 0.03).length} of ${cells.length} rows no other method finds more than .03 more; the most is ${share(Math.max(...behind), 2)}. With three times the spread in the smaller arm, independent arms without a difference are told apart in ${share(Math.min(...uneven))} to ${share(Math.max(...uneven))}. Ten like arms of 15 values, all pairs: one false claim or more in ${share(family)} of the studies. Verdicts that are not what their interval says: ${disagreements} of ${(2 * studies * SCENARIOS.length).toLocaleString("en")}.`;
const path = join(root, "docs/statistics.md");
const page = readFileSync(path, "utf8");
const [begin, end] = ["<!-- verdicts -->\n", "<!-- /verdicts -->\n"];
const from = page.indexOf(begin) + begin.length;
writeFileSync(
  path,
  `${page.slice(0, from)}\n${lines.join("\n")}\n\n${closing}\n\n${page.slice(page.indexOf(end))}`,
);

function text({ falsePositives, coverage, power }) {
  return [falsePositives, coverage, power].map((x) => share(x)).join(" ");
}

function share(x, digits = 3) {
  return x === 1 ? "1" : x.toFixed(digits).replace(/^0/, "");
}
