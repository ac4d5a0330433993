import type { Compared } from "../analysis/compare/compare-arms.ts";
import type { Comparison } from "../analysis/compare/comparison.ts";
import { escapeHtml } from "../core/escape.ts";
import { numberText } from "../core/number-text.ts";
import { axisLabel, type MetricFacts } from "../design/metric.ts";
import type { Chart } from "../plots/chart.ts";
import { drawChart } from "../plots/draw-chart.ts";
import { forestOf, pairsOf } from "./charts/difference-charts.ts";
import { pageHead } from "./html.ts";

/** The look of a comparison's page: light, dark and on paper. Charts take their colours from the custom properties. */
const compareStyle = `
:root { color-scheme: light dark; --back: light-dark(#f6f7f8, #0e1216); --surface: light-dark(#ffffff, #161b21); --ink: light-dark(#16191d, #e6e9ec);
  --muted: light-dark(#545d67, #9ca7b3); --line: light-dark(#dfe3e7, #2b333c); --warn: light-dark(#7d5200, #e5b04a); --warn-soft: light-dark(#fbf0d9, #382a0e);
  --good: light-dark(#17703a, #5cc47f); --bad: light-dark(#b3202a, #ff8a80);
  --plot-ink: var(--ink); --plot-muted: var(--muted); --plot-grid: var(--line); --plot-rule: light-dark(#8c959f, #6b7682); --plot-paper: var(--surface);
  --plot-1: light-dark(#0072b2, #4ba6e0); --plot-2: light-dark(#d55e00, #f0803c); --plot-3: light-dark(#009e73, #25c497); --plot-4: light-dark(#cc79a7, #dd94bd);
  --plot-5: light-dark(#e69f00, #f0b53c); --plot-6: light-dark(#56b4e9, #7cc8f3); --plot-7: light-dark(#4d4d4d, #b4b4b4); }
* { box-sizing: border-box }
body { font: 15px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--back); max-width: 62rem; margin: 2.5rem auto; padding: 0 1.25rem }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .3rem } h2 { font-size: 1.15rem; margin: 2.4rem 0 .6rem } p { margin: .5rem 0 }
.lead { color: var(--muted); margin: 0 0 1.4rem }
.finding { border: 1px solid var(--line); border-left: .3rem solid var(--muted); border-radius: .4rem; padding: .7rem 1rem; margin: .6rem 0; background: var(--surface) }
.finding strong { font-size: 1.08rem; font-weight: 600 } .finding span { display: block; color: var(--muted); font-size: .9rem }
.finding.better { border-left-color: var(--good) } .finding.worse { border-left-color: var(--bad) }
.many .finding { padding: .3rem .9rem; margin: .25rem 0 } .many .finding strong { font-size: 1rem; font-weight: 500 } .many .finding span { display: none }
.mind { border-left: .3rem solid var(--warn); border-radius: .4rem; padding: .4rem .9rem; margin: .5rem 0; background: var(--warn-soft) }
.scroll { overflow-x: auto } table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem }
th, td { padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; vertical-align: top }
td.number, th.number { text-align: right } th { font-weight: 600 }
figure { margin: 1rem 0; padding: .5rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--surface) } svg { max-width: 100%; height: auto }
details { margin: .6rem 0 } summary { cursor: pointer; font-weight: 600 }
@media print { :root { color-scheme: light; --back: #ffffff } body { max-width: none; margin: 0 } .finding, figure, tr { break-inside: avoid } }
`;

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
  return `${pageHead({ title: words.title, style: compareStyle, scripts: [] })}
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
