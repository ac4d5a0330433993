import type { Findings } from "../analysis/findings.ts";
import { cellTable } from "./cell-table.ts";
import type { Reporter } from "./reporter.ts";

/** report.md: for a pull request, a CI summary or a terminal. */
export const markdown: Reporter = {
  name: "markdown",
  description: "report.md, GitHub-ready",
  render: (findings) => [{ path: "report.md", content: renderMarkdown(findings) }],
};

function renderMarkdown(findings: Findings): string {
  const { name, question, counts, warnings, failures, study } = findings;
  const { header, rows } = cellTable(findings);
  const lines = [`# ${escapeMarkdown(name)}`, ""];
  if (question !== null) lines.push(escapeMarkdown(question), "");
  lines.push(
    `${counts.ok} of ${counts.total} runs ended well, ${counts.failed} failed, ${counts.missing} not done yet.`,
    "",
  );
  for (const warning of warnings) lines.push(`> **Mind:** ${escapeMarkdown(warning)}`, "");
  lines.push("## Results", "", "Mean (standard deviation) over the good runs of each cell.", "");
  lines.push(tableRow(header), tableRow(header.map(() => "---")), ...rows.map(tableRow), "");
  if (failures.length > 0) {
    lines.push("## Failures", "");
    for (const { owner, runs } of failures) {
      lines.push(
        `- ${escapeMarkdown(owner)}: ${runs.length}, for instance ${escapeMarkdown(runs[0]!.id)}: ${escapeMarkdown(runs[0]!.reason)}`,
      );
    }
    lines.push("");
  }
  lines.push(
    "## How it was made",
    "",
    ...facts(study).map(([label, fact]) => `- ${label}: ${escapeMarkdown(fact)}`),
    "",
  );
  return lines.join("\n");
}

/** What somebody needs to do it again. */
export function facts(study: Findings["study"]): [string, string][] {
  const { environment, git, spec, program, launches } = study;
  const commit = git
    ? `${String(git.commit).slice(0, 12)} on ${git.branch}${git.dirty ? ", with uncommitted changes" : ""}`
    : "not in a git checkout";
  return [
    ["Program", program],
    ["Study file", `${spec.path} (${spec.dialect}, sha256 ${spec.hash.slice(0, 12)})`],
    ["Git", commit],
    [
      "Machine",
      `${environment.cpu}, ${environment.cores} cores, ${environment.os}, Node ${environment.node}`,
    ],
    ["Last launch", `${launches.at(-1)?.at ?? "unknown"}: ${launches.at(-1)?.command ?? ""}`],
  ];
}

function tableRow(cells: string[]): string {
  return `| ${cells.map(escapeMarkdown).join(" | ")} |`;
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_<>|[\]]/g, "\\$&").replaceAll(/[\r\n]+/g, " ");
}
