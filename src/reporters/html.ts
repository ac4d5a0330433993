import type { Findings } from "../analysis/findings.ts";
import { cellTable, significant, textOf } from "./cell-table.ts";
import { facts } from "./markdown.ts";
import type { Reporter } from "./reporter.ts";
import { sortScript, sortScriptHash } from "./sort-script.ts";

const MOST_RUNS = 5000;

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --warn: #b45309; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
h1 { margin-bottom: .2rem } h2 { margin-top: 2.2rem }
.lead { font-size: 1.15rem } .mind { border-left: 4px solid var(--warn); padding: .3rem .8rem; margin: .5rem 0; background: var(--soft) }
.scroll { overflow-x: auto } table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap }
td.number { text-align: right }
th button { font: inherit; font-weight: 600; background: none; border: 0; padding: 0; cursor: pointer; color: inherit }
th[aria-sort=ascending] button::after { content: " \\2191" } th[aria-sort=descending] button::after { content: " \\2193" }
td.failed { color: var(--warn) } dt { font-weight: 600 } dd { margin: 0 0 .4rem }
@media print { body { max-width: none } }
`;

/** report/index.html: one file, no network, opens from disk. */
export const html: Reporter = {
  name: "html",
  description: "index.html, self-contained",
  render: (findings) => [{ path: "index.html", content: renderHtml(findings) }],
};

function renderHtml(findings: Findings): string {
  const { name, question, counts, warnings, failures, study, records } = findings;
  const cells = cellTable(findings);
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src '${sortScriptHash}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(name)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(name)}</h1>
${question === null ? "" : `<p class="lead">${escapeHtml(question)}</p>`}
<p>${counts.ok} of ${counts.total} runs ended well, ${counts.failed} failed, ${counts.missing} not done yet.</p>
${warnings.map((warning) => `<p class="mind">${escapeHtml(warning)}</p>`).join("\n")}
<h2>Results</h2>
<p>Mean (standard deviation) over the good runs of each cell.</p>
${renderTable(cells.header, cells.rows)}
${failures.length === 0 ? "" : `<h2>Failures</h2>\n${failures.map(renderFailures).join("\n")}`}
<h2>Runs</h2>
${records.length > MOST_RUNS ? `<p>The first ${MOST_RUNS} of ${records.length}; aggregate/runs.csv has all.</p>` : ""}
${renderRuns(findings)}
<h2>How it was made</h2>
<dl>${facts(study)
    .map(([label, fact]) => `<dt>${label}</dt><dd>${escapeHtml(fact)}</dd>`)
    .join("\n")}</dl>
<script>${sortScript}</script>
</body>
</html>
`;
}

function renderFailures({ owner, runs }: Findings["failures"][number]): string {
  const items = runs
    .slice(0, 20)
    .map(({ id, reason }) => `<li><code>${escapeHtml(id)}</code>: ${escapeHtml(reason)}</li>`);
  const more = runs.length > 20 ? `<li>and ${runs.length - 20} more</li>` : "";
  return `<p>${escapeHtml(owner)}: ${runs.length}</p><ul>${items.join("")}${more}</ul>`;
}

function renderRuns({ records, metric, axisNames }: Findings): string {
  const metrics = [
    ...new Set([...(metric === null ? [] : [metric]), ...Object.keys(records[0]?.metrics ?? {})]),
  ].slice(0, 6);
  const header = ["run", ...axisNames, "variant", "seed", "status", "time (s)", ...metrics];
  const rows = records.slice(0, MOST_RUNS).map((record) => [
    record.id,
    ...axisNames.map((name) => (record.params[name] === undefined ? "" : textOf(record.params[name]))),
    record.variant,
    String(record.seed),
    record.outcome.status,
    significant(record.wallMs / 1000),
    ...metrics.map((name) => {
      const value = record.metrics[name];
      return typeof value === "number" ? significant(value) : "unknown";
    }),
  ]);
  return renderTable(header, rows);
}

function renderTable(header: string[], rows: string[][]): string {
  const head = header
    .map((name) => `<th scope="col"><button type="button">${escapeHtml(name)}</button></th>`)
    .join("");
  const body = rows.map((row) => `<tr>${row.map(renderCell).join("")}</tr>`);
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>\n${body.join("\n")}\n</tbody></table></div>`;
}

function renderCell(cell: string): string {
  const kind =
    cell === "failed" || cell === "timeout"
      ? "failed"
      : /^-?[\d,.]+( \([\d,.e+-]+\))?$/.test(cell)
        ? "number"
        : "";
  return `<td${kind && ` class="${kind}"`}>${escapeHtml(cell)}</td>`;
}

/** Nothing in the data can become markup. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
