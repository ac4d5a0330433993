// Simulates studies of many kinds, compares them as `assay compare` does, and writes what came of it into
// docs/statistics.md. `node scripts/write-verdicts.js 2000` takes some minutes; the tests repeat a part of it.
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const studies = Number(process.argv[2] ?? 2000);
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
  const found = simulate(scenario, studies);
  disagreements += found.disagreements;
  const row = `${data}, ${layout}`;
  if (!rows.has(row)) rows.set(row, []);
  rows.get(row).push({ size, ...found });
  process.stderr.write(`${row}, ${size}: ${text(found)}\n`);
}
const family = familyErrors(Math.min(studies, 1000));

const lines = ["| data and layout | size | false claims | coverage | power |", "|---|---|---|---|---|"];
for (const [row, cells] of rows)
  for (const [i, cell] of cells.entries()) {
    const { falsePositives, coverage, power } = cell;
    lines.push(
      `| ${i === 0 ? row : ""} | ${cell.size} | ${share(falsePositives)} | ${share(coverage)} | ${share(power, 2)} |`,
    );
  }
const closing = `Ten like arms of 15 values, all pairs: one false claim or more in ${share(family)} of the studies. Verdicts that are not what their interval says: ${disagreements} of ${(2 * studies * SCENARIOS.length).toLocaleString("en")}.`;
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
