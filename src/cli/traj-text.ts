import { SPENDERS } from "../analysis/trajectories/summarise-file.ts";
import type { FolderSummary } from "../analysis/trajectories/summarise-folder.ts";
import type { Measured } from "../analysis/trajectories/tally.ts";
import type { ReadRow } from "../api/read-trajectories.ts";
import { countText, durationText, numberText, percentText, plural, usdText } from "../core/number-text.ts";
import { printable, styleFor, table } from "./terminal.ts";

const UNKNOWN = "-";
const MOST_NAME = 44;

/** One row per trajectory. A dash is unknown. */
export function fileTable(rows: readonly ReadRow[]): string {
  const header = [
    ...["instance", "model", "exit", "turns", "calls", "input", "cached", "output", "reasoning"],
    ...["cost $", "time", "patch"],
  ];
  const cells = rows.flatMap((row) => {
    if ("problem" in row) return [];
    const { tokens } = row;
    return [
      [
        shortened(row.instance ?? row.file.split("/").at(-1)!),
        shortened(row.model ?? UNKNOWN),
        exitText(row.exit, row.category, row.limit),
        ...[row.turns, row.calls, tokens.input, tokens.cached, tokens.output, tokens.reasoning].map(count),
        row.costUsd === null ? UNKNOWN : numberText(row.costUsd),
        row.wallMs === null ? UNKNOWN : durationText(row.wallMs),
        row.isEmpty === null ? UNKNOWN : row.isEmpty ? "empty" : "yes",
      ],
    ];
  });
  return table(header, cells);
}

/** What all files come to, and of how many of them that is unknown. */
export function summaryLines(summary: FolderSummary): string[] {
  const { bold } = styleFor(process.stdout);
  const { files, broken, tokens, parts } = summary;
  const lines = [
    `${bold(plural(files, "trajectory").replace(/ys$/, "ies"))}${broken > 0 ? `, ${countText(broken)} broken` : ""}`,
  ];
  if (files === 0) return lines;
  const exits = Object.entries(summary.exits).map(([name, number]) => `${name} ${countText(number)}`);
  lines.push(`formats     ${counts(summary.formats)}`);
  if (Object.keys(summary.models).length > 0) lines.push(`models      ${counts(summary.models)}`);
  lines.push(`exits       ${exits.join(", ")}`);
  if (summary.callLimits > 0)
    lines.push(`            ${plural(summary.callLimits, "exit")} for cost were for the number of calls`);
  lines.push(`submitted   ${submittedText(summary)}`);
  const { resolved } = summary;
  if (resolved.known > 0)
    lines.push(`resolved    ${countText(resolved.count)} of ${countText(resolved.known)} that tell`);
  const measure = (label: string, measured: Measured, text = amountText) =>
    lines.push(`${label.padEnd(11)} ${measuredText(measured, text)}`);
  measure("turns", summary.turns);
  measure("calls", summary.calls);
  measure("input", tokens.input);
  measure("cached", tokens.cached);
  measure("output", tokens.output);
  measure("reasoning", tokens.reasoning);
  measure("cost", summary.costUsd, usdText);
  measure("time", summary.wallMs, durationText);
  if (parts)
    for (const who of SPENDERS) {
      const { costUsd, calls, costFraction, callFraction } = parts[who];
      if (costUsd === 0 && calls === 0 && who !== "agent") continue;
      lines.push(
        `  ${who.padEnd(9)} ${usdText(costUsd)} (${share(costFraction)} of the cost), ${plural(calls, "call")} (${share(callFraction)})`,
      );
    }
  const hits = summary.cacheHitRate;
  lines.push(
    `cache hits  ${hits === null ? "unknown: no file tells" : `${share(hits)} of the prompt tokens of files that tell`}`,
  );
  lines.push(
    `per turn    ${summary.avgTokensPerTurn === null ? "unknown" : `${countText(Math.round(summary.avgTokensPerTurn))} prompt tokens`}`,
  );
  return lines;
}

function submittedText({ submitted, files, emptySubmissions, unknownSubmissions }: FolderSummary): string {
  const notes = [
    emptySubmissions > 0 && `${countText(emptySubmissions)} with an empty patch`,
    unknownSubmissions > 0 && `${countText(unknownSubmissions)} of unknown content`,
  ].filter(Boolean);
  return `${countText(submitted)} of ${countText(files)}${notes.length > 0 ? `, ${notes.join(", ")}` : ""}`;
}

function measuredText({ total, mean, unknown }: Measured, text: (value: number) => string): string {
  if (total === null || mean === null) return "unknown: no file tells";
  const note = unknown === 0 ? "" : `, unknown in ${plural(unknown, "file")}`;
  return `${text(total)}, ${text(mean)} a file${note}`;
}

function amountText(value: number): string {
  return numberText(value, value < 100 ? 3 : 4);
}

function exitText(exit: string | null, category: string, limit: string | null): string {
  const raw = exit === null || exit === "" ? "none" : exit;
  const sorted = raw.toLowerCase() === category ? raw : `${raw} = ${category}`;
  return shortened(limit === null ? sorted : `${sorted} (${limit})`);
}

function counts(byName: Record<string, number>): string {
  return Object.entries(byName)
    .map(([name, number]) => `${printable(shortened(name))} ${countText(number)}`)
    .join(", ");
}

function count(value: number | null): string {
  return value === null ? UNKNOWN : countText(value);
}

function share(value: number | null): string {
  return value === null ? "unknown" : percentText(value);
}

/** One line of a cell, whatever a file has for a name. */
function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length <= MOST_NAME ? line : `${line.slice(0, MOST_NAME - 1)}…`;
}
