import type { Compared } from "../analysis/compare/compare-arms.ts";
import type { Comparison } from "../analysis/compare/comparison.ts";
import { escapeHtml } from "../core/escape.ts";
import { numberText } from "../core/number-text.ts";
import { axisLabel, type MetricFacts } from "../design/metric.ts";
import type { Chart } from "../plots/chart.ts";
import { drawChart } from "../plots/draw-chart.ts";
import { forestOf, pairsOf } from "./charts/difference-charts.ts";
import { compareStyle } from "./compare-style.ts";
import { pagePolicy } from "./html.ts";

/** A comparison in words and tables, as the command line says it. */
export interface CompareWords {
  title: string;
  header: string[];
  rows: string[][];
  notes: { title: string; lines: string[] }[];
  command: string;
}

const MOST_ROWS = 30;
/** With more sentences than this, each gets a line instead of a card. */
const FEW = 3;
const MOST_PAIRED = 6;
const MOST_VALUES = 500;

/** A comparison as one page without scripts: sentences, charts of the differences, numbers, doubts. */
export function renderComparison(
  { comparisons, alpha }: Compared,
  words: CompareWords,
  factsOf: (metric: string) => MetricFacts,
): string {
  const doubts = words.notes.filter(({ title }) => title === "Warnings").flatMap(({ lines }) => lines);
  const notes = words.notes.filter(({ title }) => title !== "Warnings");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${pagePolicy({ scripts: [], styles: [compareStyle] })}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(words.title)}</title>
<style>${compareStyle}</style>
</head>
<body>
<main>
<h1>${escapeHtml(words.title)}</h1>
<p class="lead">${comparisons.length} comparison${comparisons.length === 1 ? "" : "s"}; the chance of even one false claim is kept below ${alpha}.</p>
<div class="findings${comparisons.length > FEW ? " many" : ""}">
${comparisons.map(findingOf).join("\n")}
</div>
${doubts.map((line) => `<p class="mind">${escapeHtml(line)}</p>`).join("\n")}
<h2>Differences</h2>
${forests(comparisons, factsOf).join("\n")}
<h2>Numbers</h2>
${tableOf(words.header, words.rows)}
${pairedCharts(comparisons, factsOf)}
<h2>How it was compared</h2>
${notes.map(({ title, lines }) => `<h3>${escapeHtml(title)}</h3><ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join("")}</ul>`).join("\n")}
<p><code>${escapeHtml(words.command)}</code></p>
<h2>Values</h2>
${comparisons.map(valuesOf).join("\n")}
</main>
</body>
</html>
`;
}

function findingOf({ sentence, verdict, method, isRegression }: Comparison): string {
  const tone = verdict === "better" || verdict === "worse" ? ` ${verdict}` : "";
  const how = method ? `${verdict}${isRegression ? ", a regression" : ""}; ${method.name}` : verdict;
  return `<div class="finding${tone}"><strong>${escapeHtml(sentence)}</strong><span>${escapeHtml(how)}</span></div>`;
}

function forests(comparisons: readonly Comparison[], factsOf: (metric: string) => MetricFacts): string[] {
  const metrics = [...new Set(comparisons.map(({ metric }) => metric))];
  return metrics.map((metric) => {
    const own = comparisons.filter((one) => one.metric === metric).slice(0, MOST_ROWS);
    const baselines = [...new Set(own.map(({ baseline }) => baseline.name))];
    const chart = forestOf(own, {
      title: `${metric} against ${baselines.join(", ")}`,
      xLabel: `difference of ${axisLabel(factsOf(metric))} against ${baselines.join(", ")}`,
      rows: own.map(({ part, candidate }) => (part === null ? candidate.name : `${part}: ${candidate.name}`)),
    });
    return figureOf(chart);
  });
}

function pairedCharts(comparisons: readonly Comparison[], factsOf: (metric: string) => MetricFacts): string {
  const charts = comparisons.slice(0, MOST_PAIRED).flatMap((one) => {
    const chart = pairsOf(one, {
      metric: factsOf(one.metric),
      where: one.part === null ? "" : `, ${one.part}`,
    });
    return chart ? [figureOf(chart)] : [];
  });
  return charts.length === 0 ? "" : `<h2>Pair by pair</h2>\n${charts.join("\n")}`;
}

function figureOf(chart: Chart): string {
  return `<figure>${drawChart(chart, { look: "page" })}</figure>`;
}

function tableOf(header: readonly string[], rows: readonly string[][]): string {
  const isNumber = header.map((_, i) => rows.every((row) => /^[-−+\d.,<>% ]*$/.test(row[i] ?? "")));
  const cell = (tag: string, text: string, i: number) =>
    `<${tag}${tag === "th" ? ' scope="col"' : ""}${isNumber[i] ? ' class="number"' : ""}>${escapeHtml(text)}</${tag}>`;
  const line = (tag: string, words: readonly string[]) =>
    `<tr>${words.map((word, i) => cell(tag, word, i)).join("")}</tr>`;
  return `<div class="scroll"><table><thead>${line("th", header)}</thead><tbody>${rows.map((row) => line("td", row)).join("")}</tbody></table></div>`;
}

function valuesOf({ values, metric, part, baseline, candidate, pairing }: Comparison): string {
  const name = `${part === null ? "" : `${part}: `}${candidate.name} against ${baseline.name}, ${metric}`;
  const text = (value: number | null) => (value === null ? "" : numberText(value));
  const rows = values
    .slice(0, MOST_VALUES)
    .map((row) => [
      row.label,
      text(row.baseline),
      text(row.candidate),
      ...(pairing.isPaired ? [text((row.candidate ?? 0) - (row.baseline ?? 0))] : []),
    ]);
  const header = [
    pairing.keys.join(", ") || "run",
    baseline.name,
    candidate.name,
    ...(pairing.isPaired ? ["difference"] : []),
  ];
  const left =
    values.length > rows.length
      ? `<p>The first ${rows.length} of ${values.length}; --csv writes all.</p>`
      : "";
  return `<details><summary>${escapeHtml(name)} (${values.length})</summary>${left}${tableOf(header, rows)}</details>`;
}
