import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { escapeHtml } from "../core/escape.ts";
import type { Encoded, Report, Reporter } from "./reporter.ts";
import type { StudyView } from "./study-view.ts";

const MOST_CELLS = 200;

/** report/index.html: one file, no network, opens from disk. */
export const html: Reporter = {
  name: "html",
  description: "index.html, self-contained, with charts and the table of runs",
  render: (report) => [{ path: "index.html", content: renderHtml(report) }],
};

function renderHtml({ data, encoded, viewer }: Report): string {
  if (!viewer) throw new Error("the html reporter needs the viewer's files");
  const { view } = data;
  // A script's text ends where "</script" stands, whatever the language thinks of it.
  const script = viewer.script.replaceAll(/<\/script/gi, "<\\/script").replaceAll("<!--", "<\\!--");
  const style = viewer.style.replaceAll(/<\/style/gi, "<\\/style");
  return `${pageHead({ title: view.name, style, scripts: [script] })}
<body>
<div id="app"></div>
<noscript>${withoutScript(view)}</noscript>
${dataScript("assay-data", encoded.data)}
<script>${script}</script>
${encoded.runs ? dataScript("assay-runs", encoded.runs) : ""}
</body>
</html>
`;
}

function dataScript(id: string, { encoding, text }: Encoded): string {
  return `<script type="application/json" id="${id}" data-encoding="${encoding}">${safeJson(text)}</script>`;
}

/** JSON that can stand in a page: "<" could end the element or open a comment. */
function safeJson(text: string): string {
  return text.replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** What the page says where scripts are off: the same words, without charts and runs. */
function withoutScript({
  name,
  question,
  answer,
  warnings,
  counts,
  summary,
  cells,
  failures,
  madeWith,
  reproduce,
}: StudyView): string {
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;
  const facts = (list: StudyView["summary"]) =>
    `<dl>${list.map(({ label, value }) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`).join("")}</dl>`;
  const row = (cell: "th" | "td", words: string[]) =>
    `<tr>${words.map((word) => `<${cell}>${escapeHtml(word)}</${cell}>`).join("")}</tr>`;
  return [
    `<h1>${escapeHtml(name)}</h1>`,
    question === null ? "" : paragraph(question),
    answer === null
      ? ""
      : `<p><strong>${escapeHtml(answer.sentence)}</strong></p>${answer.also.map(paragraph).join("")}${paragraph(answer.method)}`,
    ...warnings.map(({ text }) => paragraph(`Mind: ${text}`)),
    paragraph(
      `${counts.ok} of ${counts.total} runs succeeded, ${counts.stopped > 0 ? `${counts.stopped} stopped early, ` : ""}${counts.failed} failed, ${counts.missing} not done.`,
    ),
    facts(summary),
    `<h2>Results</h2>${paragraph(cells.note)}`,
    `<table><thead>${row("th", cells.header)}</thead><tbody>${cells.rows
      .slice(0, MOST_CELLS)
      .map((words) => row("td", words))
      .join("")}</tbody></table>`,
    ...failures.map(
      ({ owner, count, reasons }) =>
        `${paragraph(`Failed by ${owner}: ${count}`)}<ul>${reasons
          .map(
            ({ reason, count: times, ids }) =>
              `<li>${escapeHtml(`${times} × ${reason} (${ids.join(", ")})`)}</li>`,
          )
          .join("")}</ul>`,
    ),
    `<h2>How it was made</h2>${facts(madeWith)}<pre>${escapeHtml(reproduce.join("\n"))}</pre>`,
    paragraph(
      "Charts and the table of runs need JavaScript; it is all in this file and loads nothing from elsewhere.",
    ),
  ].join("\n");
}

/** What stands before a page's body: its own scripts and style work, and nothing else does. */
export function pageHead({
  title,
  style,
  scripts,
}: {
  title: string;
  style: string;
  scripts: readonly string[];
}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${pagePolicy(scripts, style)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>`;
}

/** A content security policy without a network and without forms. */
function pagePolicy(scripts: readonly string[], style: string): string {
  const hashes = (texts: readonly string[]) => texts.map((text) => `'${hashOf(text)}'`).join(" ") || "'none'";
  return [
    "default-src 'none'",
    `script-src ${hashes(scripts)}`,
    `style-src ${hashes([style])}`,
    "img-src data:",
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function hashOf(text: string): string {
  const bytes = sha256(utf8ToBytes(text));
  return `sha256-${btoa(String.fromCharCode(...bytes))}`;
}
