// Draws the README's pictures from what the built program prints and shows, and writes them to docs/pictures/.
// `--check` only says which ones are stale.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../", import.meta.url));
const STUDY = "examples/quickstart/study.yaml";

/** Runs `use` in a folder that has only examples/ and that is gone afterwards. */
async function withExamples(use) {
  const folder = mkdtempSync(join(tmpdir(), "assay-pictures-"));
  try {
    cpSync(join(root, "examples"), join(folder, "examples"), { recursive: true });
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function assay(folder, words) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(root, "bin/assay.js"), ...words], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, FORCE_COLOR: "1", NO_COLOR: "", COLUMNS: String(COLUMNS) },
  });
  if (status !== 0) throw new Error(`assay ${words.join(" ")} exited with ${status}: ${stderr}`);
  return stdout;
}

const COLUMNS = 90;
const LINE_PX = 18;
const CHAR_PX = 8.1;
const SIDE_PX = 18;
const TOP_PX = 46;

/** A terminal in which the README's program is tried; it plays once and ends with everything in view. */
function terminalPicture(folder) {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const [, program] = /^cat > agent\.py <<'PROGRAM'\n(.*?)^PROGRAM$/ms.exec(readme);
  const [, line] = /^assay (try .*)$/m.exec(readme);
  writeFileSync(join(folder, "agent.py"), program);
  const words = line.split(/ (?=(?:[^']*'[^']*')*[^']*$)/).map((word) => word.replaceAll("'", ""));
  const shown = [
    { command: "cat agent.py", output: program },
    { command: `assay ${line}`, output: assay(folder, words) },
  ];
  const rows = [];
  let atMs = 600;
  for (const { command, output } of shown) {
    for (const [i, part] of wrap(command, COLUMNS - 12).entries()) {
      const typingMs = part.length * 30;
      rows.push({ text: part, atMs, typingMs, isFirst: i === 0 });
      atMs += typingMs;
    }
    atMs += 500;
    const printed = output.replaceAll(/\d[\d.]* m?s\b/g, "1.1 s").trimEnd();
    for (const text of printed.split("\n").flatMap((line) => wrap(line))) {
      rows.push({ text, atMs });
      atMs += 60;
    }
    rows.push({ text: "", atMs });
    atMs += 1500;
  }
  return drawTerminal(rows.slice(0, -1));
}

/** As a terminal breaks a line that is too long, but between words; its colour goes on. */
function wrap(line, columns = COLUMNS) {
  const lines = [""];
  for (const word of line.split(/(?<= )(?=\S)/)) {
    const last = lines.at(-1) + word;
    if (visible(last).trimEnd().length <= columns || lines.at(-1) === "") lines[lines.length - 1] = last;
    else lines.push((/\x1b\[[1-9]\d*m(?!.*\x1b\[0m)/.exec(lines.at(-1))?.[0] ?? "") + word);
  }
  return lines;
}

function drawTerminal(rows) {
  const width = Math.ceil(COLUMNS * CHAR_PX + 2 * SIDE_PX);
  const height = TOP_PX + rows.length * LINE_PX + 14;
  const drawn = rows.map(({ text, atMs, typingMs, isFirst }, i) => {
    const y = TOP_PX + i * LINE_PX;
    const delay = `animation-delay:${atMs}ms`;
    if (!typingMs)
      return `<text class="line" style="${delay}" x="${SIDE_PX}" y="${y}">${coloured(text)}</text>`;
    const long = (text.length * CHAR_PX).toFixed(1);
    const cover = `${delay};animation-duration:${typingMs}ms;animation-timing-function:steps(${text.length});--long:${long}px`;
    return [
      `<text class="line" style="${delay}" x="${SIDE_PX}" y="${y}"><tspan class="green">${isFirst ? "$" : " "} </tspan><tspan class="bold">${escapeXml(text)}</tspan></text>`,
      `<rect class="cover" style="${cover}" x="${SIDE_PX + 2 * CHAR_PX}" y="${y - 14}" width="${COLUMNS * CHAR_PX}" height="${LINE_PX}"/>`,
    ].join("\n");
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A terminal: assay tries a program with two models and tells which is better">
<style>
text { font: 13.5px ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d7dce2; white-space: pre; }
.bold { font-weight: 700; fill: #fff; } .dim { fill: #8b95a1; } .red { fill: #ff8f8f; } .green { fill: #7ee2a8; } .yellow { fill: #f0d27a; } .cyan { fill: #7cc8f4; }
.cover, .back { fill: #14181d; }
@keyframes appear { from { opacity: 0; } to { opacity: 1; } }
@keyframes uncover { from { transform: translateX(0); } to { transform: translateX(var(--long)); } }
.line { animation: appear 1ms both; }
.cover { animation: uncover 1s both; }
@media (prefers-reduced-motion: reduce) { .line { animation: none; } .cover { display: none; } }
</style>
<rect class="back" width="${width}" height="${height}" rx="10"/>
<circle cx="20" cy="18" r="5.5" fill="#ff5f57"/><circle cx="38" cy="18" r="5.5" fill="#febc2e"/><circle cx="56" cy="18" r="5.5" fill="#28c840"/>
${drawn.join("\n")}
</svg>
`;
}

const CLASSES = { 1: "bold", 2: "dim", 31: "red", 32: "green", 33: "yellow", 36: "cyan" };

function coloured(line) {
  const parts = line.split(/\x1b\[(\d+)m/);
  let name;
  return parts
    .map((part, i) => {
      if (i % 2 === 1) {
        name = CLASSES[part];
        return "";
      }
      const text = escapeXml(part);
      return name && text ? `<tspan class="${name}">${text}</tspan>` : text;
    })
    .join("");
}

function visible(line) {
  return line.replaceAll(/\x1b\[\d+m/g, "");
}

function escapeXml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const PAGE_PX = 1000;

/** The top of the report's page, down to its first chart, as it stands in the browser. */
async function reportPicture(folder, browser) {
  assay(folder, ["run", STUDY, "--quiet"]);
  const page = await browser.newPage({ viewport: { width: PAGE_PX, height: 900 }, colorScheme: "light" });
  try {
    await page.goto(pathToFileURL(join(folder, "bench_runs/quickstart/report/index.html")).href);
    await page.locator("figure.chart svg").first().waitFor();
    const { body, style, height } = await page.evaluate(topOfPage);
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${PAGE_PX} ${height}" width="${PAGE_PX}" height="${height}" role="img" aria-label="The report: the question, the answer with its interval, what to doubt, and a chart">
<style>${escapeXml(style)}</style>
<foreignObject width="${PAGE_PX}" height="${height}">${body}</foreignObject>
</svg>
`;
  } finally {
    await page.close();
  }
}

/** Runs in the page: leaves out what is below the first chart. */
function topOfPage() {
  const { document, XMLSerializer } = globalThis;
  for (const extra of document.querySelectorAll("script, noscript, .skip, figure.chart ~ figure.chart"))
    extra.remove();
  let below = document.querySelector(".charts").parentElement.nextElementSibling;
  while (below) {
    const next = below.nextElementSibling;
    below.remove();
    below = next;
  }
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  return {
    height: Math.ceil(document.querySelector("figure.chart").getBoundingClientRect().bottom) + 28,
    body: new XMLSerializer().serializeToString(document.body),
    style: rules.map((rule) => rule.cssText).join("\n"),
  };
}

/** What a picture says; how wide a letter is depends on the machine's fonts. */
function wordsOf(svg) {
  const withoutStyle = svg.replace(/<style>.*?<\/style>/s, "");
  return withoutStyle.replaceAll(/<[^>]*>/g, "\n").replaceAll(/\n\s*/g, "\n");
}

const browserPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  existsSync,
);
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
const pictures = {
  "terminal.svg": await withExamples(terminalPicture),
  "report.svg": await withExamples((folder) => reportPicture(folder, browser)),
};
await browser.close();
for (const [name, svg] of Object.entries(pictures)) {
  const path = join(root, "docs/pictures", name);
  if (!process.argv.includes("--check")) writeFileSync(path, svg);
  else if (wordsOf(readFileSync(path, "utf8")) !== wordsOf(svg)) {
    console.error(`docs/pictures/${name} is stale: run npm run build && npm run pictures`);
    process.exitCode = 1;
  }
}
