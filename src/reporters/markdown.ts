import type { Report, Reporter } from "./reporter.ts";
import type { StudyView, TableView } from "./study-view.ts";

const MOST_ROWS = 100;
const MOST_REASONS = 10;
const MOST_IDS = 3;

/** report.md: for a pull request, a CI summary or a terminal. */
export const markdown: Reporter = {
  name: "markdown",
  description: "report.md, GitHub-ready",
  render: (report) => [{ path: "report.md", content: renderMarkdown(report) }],
};

function renderMarkdown({ data: { view }, pictures }: Report): string {
  const { name, question, answer, counts, cells } = view;
  const lines = [`# ${escapeMarkdown(name)}`, ""];
  if (question !== null) lines.push(escapeMarkdown(question), "");
  if (answer !== null) {
    lines.push(`**${escapeMarkdown(answer.sentence)}** _(${answer.status})_`, "");
    for (const sentence of answer.also) lines.push(`**${escapeMarkdown(sentence)}**`, "");
    for (const other of answer.others.slice(0, 10)) lines.push(`- ${escapeMarkdown(other)}`);
    if (answer.others.length > 0) lines.push("");
  }
  lines.push(
    `${counts.ok} of ${counts.total} runs succeeded, ${counts.stopped > 0 ? `${counts.stopped} stopped early, ` : ""}${counts.failed} failed, ${counts.missing} not done.`,
    "",
  );
  lines.push(...alert("WARNING", view, "warn"), ...alert("NOTE", view, "info"));
  const { tables = [] } = view;
  const results = tables.filter(({ isResult }) => isResult);
  for (const table of results) lines.push(...tableLines(table));
  const title = cells.title ?? (results.length > 0 ? "Cells" : "Results");
  lines.push(`## ${title}`, "", escapeMarkdown(cells.note), "");
  const rows = cells.rows.slice(0, MOST_ROWS);
  lines.push(tableRow(cells.header), tableRow(cells.header.map(() => "---")), ...rows.map(tableRow), "");
  if (cells.rows.length > rows.length)
    lines.push(
      `The first ${rows.length} of ${cells.rows.length} cells; aggregate/runs.csv has all runs.`,
      "",
    );
  for (const table of tables.filter(({ isResult }) => !isResult)) lines.push(...tableLines(table));
  for (const { title, path } of pictures) lines.push(`![${escapeMarkdown(title)}](${encodeURI(path)})`, "");
  lines.push(...failureLines(view), ...madeLines(view));
  return lines.join("\n");
}

function tableLines({ title, note = "", header, rows }: TableView): string[] {
  const shown = rows.slice(0, MOST_ROWS);
  const more = rows.length > shown.length ? [`The first ${shown.length} of ${rows.length} rows.`, ""] : [];
  return [
    ...[`## ${escapeMarkdown(title)}`, "", escapeMarkdown(note), ""],
    ...[tableRow(header), tableRow(header.map(() => "---")), ...shown.map(tableRow), ""],
    ...more,
  ];
}

function alert(kind: string, { warnings }: StudyView, level: "warn" | "info"): string[] {
  const own = warnings.filter((warning) => warning.level === level);
  if (own.length === 0) return [];
  return [`> [!${kind}]`, ...own.map(({ text }) => `> - ${escapeMarkdown(text)}`), ""];
}

function failureLines({ failures }: StudyView): string[] {
  if (failures.length === 0) return [];
  return [
    "## Failures",
    "",
    ...failures.flatMap(({ owner, count, reasons }) => [
      `- ${escapeMarkdown(owner)}: ${count}`,
      ...reasons
        .slice(0, MOST_REASONS)
        .map(
          ({ reason, count: times, ids }) =>
            `  - ${times} × ${escapeMarkdown(reason.slice(0, 300))} (${idsText(ids, times)})`,
        ),
      ...(reasons.length > MOST_REASONS ? ["  - and further reasons"] : []),
    ]),
    "",
  ];
}

function idsText(ids: readonly string[], count: number): string {
  const shown = ids.slice(0, MOST_IDS);
  const more = count > shown.length ? " and others" : "";
  return `${shown.map(escapeMarkdown).join(", ")}${more}`;
}

function madeLines({ answer, summary, madeWith, reproduce }: StudyView): string[] {
  const facts = [...summary, ...madeWith].map(
    ({ label, value }) => `- ${escapeMarkdown(label)}: ${escapeMarkdown(value)}`,
  );
  return [
    "<details>",
    "<summary>How this was made, and how to reproduce it</summary>",
    "",
    ...(answer?.method ? [escapeMarkdown(answer.method), ""] : []),
    ...facts,
    "",
    // Four spaces: code that no backtick in it can end.
    ...reproduce.map((command) => `    ${oneLine(command)}`),
    "",
    "</details>",
    "",
  ];
}

function tableRow(cells: string[]): string {
  return `| ${cells.map(escapeMarkdown).join(" | ")} |`;
}

function escapeMarkdown(text: string): string {
  return oneLine(text).replaceAll(/[\\`*_<>|[\]#~!]/g, "\\$&");
}

function oneLine(text: string): string {
  return text.replaceAll(/[\x00-\x1f\x7f\u2028\u2029]+/g, " ");
}
