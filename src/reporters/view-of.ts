import type { StudyAnswer } from "../analysis/answer.ts";
import { leftOutWords } from "../analysis/estimate-arm.ts";
import type { Findings } from "../analysis/findings.ts";
import { type CellSummary, countedIn, type Estimate } from "../analysis/summarise.ts";
import { shellWord } from "../core/escape.ts";
import { countText, durationText, numberText, usdText } from "../core/number-text.ts";
import { nameOf } from "../core/params.ts";
import type { RunRecord } from "../core/run.ts";
import type { Design } from "../design/design.ts";
import { type MetricFacts, primaryMetrics, withoutStatistics } from "../design/metric.ts";
import { comparedAs } from "../design/statistic.ts";
import type { ChartView, Fact, StudyView, TableView } from "./study-view.ts";

/** At most this many metrics beside the main one: a table, not a data dump; runs.csv has all. */
const MOST_METRICS = 6;

interface Parts {
  id: string;
  answer: StudyAnswer | null;
  design: Design;
  metric: MetricFacts | null;
  charts: ChartView[];
  /** What the table of cells is made of, where it is not all there is. */
  cells?: Findings;
  tables?: TableView[];
}

/** A page lists so many reasons of an owner; the table has all failed runs. */
const MOST_REASONS = 20;

/** What the page shows of a study. */
export function viewOf(findings: Findings, parts: Parts): StudyView {
  const { id, answer, design, metric, charts, cells = findings, tables = [] } = parts;
  const { name, question, counts, failures, study } = findings;
  return {
    format: 1,
    ...{ id, name, question, counts, charts },
    answer: answer && {
      ...{ sentence: answer.sentence, method: answer.method, status: answer.standing.status },
      ...{ verdict: answer.verdict, also: answer.also, others: answer.others },
    },
    warnings: warningsOf({ warnings: [...findings.warnings, ...statisticOf(cells, findings)] }, answer),
    summary: summaryOf(findings),
    failures: failures.map(({ owner, runs, reasons }) => ({
      owner,
      count: runs.length,
      reasons: reasons.slice(0, MOST_REASONS).map(({ reason, count, ids }) => ({ reason, count, ids })),
    })),
    madeWith: factsOf(study),
    reproduce: commandsOf(findings, design),
    cells: {
      ...cellTable(cells),
      note: `Mean over the ${countedIn(design.unit)}s of each cell, and in brackets their standard deviation.${metric ? leftOutWords(metric) : ""}`,
    },
    ...(tables.length > 0 && { tables }),
    metric: metric && { name: metric.name, unit: metric.unit, goal: metric.goal },
  };
}

/** Why it is this number of each run that is compared, where only the cells tell. */
function statisticOf(cells: Findings, whole: Findings): Findings["warnings"] {
  return cells === whole ? [] : cells.warnings.filter(({ kind }) => kind === "statistic");
}

function warningsOf(
  { warnings }: Pick<Findings, "warnings">,
  answer: StudyAnswer | null,
): StudyView["warnings"] {
  // How few the runs are, the study's own warnings say.
  const doubts = (answer?.warnings ?? []).filter(({ kind }) => kind !== "few");
  const list = [...warnings, ...doubts];
  for (const { at, text } of answer?.standing.lock?.deviations ?? [])
    list.push({
      kind: "deviation",
      level: "warn",
      text: `Deviation from the locked plan at ${at}: ${text}.`,
    });
  if (answer?.standing.status === "exploratory")
    list.push({
      ...{ kind: "exploratory", level: "info" },
      text: `Exploratory: ${answer.standing.why}, so this answer is one of several that could have been picked.`,
    });
  return list.sort((a, b) => Number(a.level === "info") - Number(b.level === "info"));
}

/** What does it all again, and what gives the same sentence on the command line: neither needs more than the study. */
function commandsOf({ study, metric, records }: Findings, { arms }: Design): string[] {
  const launch = study.launches.at(-1)?.command;
  const name = shellWord(study.name);
  const asked = study.study.analysis.metric;
  const isAsked = metric === null || (asked !== undefined && comparedAs(asked, records).name === metric);
  const named = isAsked ? "" : ` --metric ${shellWord(metric)}`;
  return [
    launch && /^assay (run|confirm|import) /.test(launch)
      ? launch
      : `assay run ${shellWord(study.spec.path)}`,
    ...(metric !== null && arms.length > 1 ? [`assay compare ${name}${named}`] : []),
    `assay report ${name}`,
  ];
}

const MOST_VALUES = 12;

/** What somebody needs to do it again. */
function factsOf(study: Findings["study"]): Fact[] {
  const { environment, git, spec, program, launches, packages } = study;
  const commit = git
    ? `${String(git.commit).slice(0, 12)} on ${git.branch}${git.dirty ? ", with uncommitted changes" : ""}`
    : "not in a git checkout";
  const version = Object.hasOwn(packages, "assay") ? `Assay ${packages.assay}, ` : "";
  return [
    { label: "Program", value: program },
    { label: "Study file", value: `${spec.path} (${spec.dialect}, sha256 ${spec.hash.slice(0, 12)})` },
    ...(study.study.notes ? [{ label: "Notes", value: study.study.notes }] : []),
    { label: "Git", value: commit },
    {
      label: "Machine",
      value: `${environment.cpu}, ${environment.cores} cores, ${environment.os}, ${version}Node ${environment.node}`,
    },
    { label: "Last launch", value: `${launches.at(-1)?.at ?? "unknown"}: ${launches.at(-1)?.command ?? ""}` },
  ];
}

/** What was varied, how often, and how it went: the head of a report. */
function summaryOf({ study: file, records, counts, failures }: Findings): Fact[] {
  const { study } = file;
  const done = `${countText(counts.ok)} of ${countText(counts.total)} succeeded`;
  const rest = [
    counts.stopped > 0 && `${countText(counts.stopped)} stopped early`,
    counts.failed > 0 && `${countText(counts.failed)} failed`,
    counts.cancelled > 0 && `${countText(counts.cancelled)} cancelled`,
    counts.missing > 0 && `${countText(counts.missing)} not done`,
  ].filter(Boolean);
  const facts: Fact[] = [{ label: "Runs", value: [done, ...rest].join(", ") }];
  for (const { names, rows } of study.axes) {
    for (const [column, name] of names.entries())
      facts.push({
        label: name,
        value: listOf([...new Set(rows.map((row) => nameOf(row[column] ?? null)))]),
      });
  }
  if (study.variants.length > 1)
    facts.push({ label: "Variants", value: listOf(study.variants.map(({ name }) => name)) });
  facts.push({ label: "Seeds", value: `${study.seeds.length} (${listOf(study.seeds.map(String))})` });
  if (study.repeats.measured > 1) facts.push({ label: "Repeats", value: String(study.repeats.measured) });
  const tasks = new Set(records.flatMap(({ task }) => (task === null ? [] : [task])));
  if (tasks.size > 0) facts.push({ label: "Tasks", value: String(tasks.size) });
  if (failures.length > 0)
    facts.push({
      label: "Failures by owner",
      value: failures.map(({ owner, runs }) => `${owner}: ${runs.length}`).join(", "),
    });
  return [...facts, ...spent(records)];
}

function spent(records: readonly RunRecord[]): Fact[] {
  const wallMs = records.reduce(
    (total, record) => total + (Number.isFinite(record.wallMs) ? record.wallMs : 0),
    0,
  );
  const costs = records.flatMap(({ costUsd }) => (costUsd === undefined ? [] : [costUsd]));
  const facts: Fact[] = [{ label: "Time in runs", value: durationText(wallMs) }];
  if (costs.length > 0) facts.push({ label: "Cost", value: usdText(costs.reduce((a, b) => a + b, 0)) });
  return facts;
}

function listOf(words: readonly string[]): string {
  if (words.length <= MOST_VALUES) return words.join(", ");
  return `${words.slice(0, MOST_VALUES).join(", ")} and ${words.length - MOST_VALUES} more`;
}

/** The cells as a table of text: axes, variant, runs, then mean (sd) of the first metrics. */
function cellTable(findings: Findings): { header: string[]; rows: string[][] } {
  const { axisNames, cells } = findings;
  const hasVariants = new Set(cells.map((cell) => cell.variant)).size > 1;
  const metrics = chooseMetrics(findings);
  const header = [...axisNames, ...(hasVariants ? ["variant"] : []), "runs", "failed", ...metrics];
  const rows = cells.map((cell: CellSummary) => [
    ...cell.words,
    ...(hasVariants ? [cell.variant] : []),
    String(cell.runs),
    String(cell.failed),
    ...metrics.map((name) =>
      estimateText(Object.hasOwn(cell.metrics, name) ? cell.metrics[name] : undefined),
    ),
  ]);
  return { header, rows };
}

/** The study's own metric, then what the target calls its results, then the others. */
function chooseMetrics({ cells, metric, study: { metrics: infos = {} } }: Findings): string[] {
  const all = withoutStatistics([...new Set(cells.flatMap((cell) => Object.keys(cell.metrics)))], [metric]);
  const first = metric === null ? [] : [metric];
  return [...new Set([...first, ...primaryMetrics(all, infos), ...all])].slice(0, MOST_METRICS);
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function estimateText(estimate: Estimate | undefined): string {
  if (!estimate || estimate.mean === null) return "unknown";
  const spread = estimate.sd === null ? "" : ` (${numberText(estimate.sd)})`;
  return `${numberText(estimate.mean)}${spread}`;
}
