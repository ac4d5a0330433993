import { relative } from "node:path";
import { missingMetric } from "../analysis/findings.ts";
import { type CellSummary, summariseCells } from "../analysis/summarise.ts";
import { currentRecords, readStudyFile } from "../archive/read-records.ts";
import { plural } from "../core/number-text.ts";
import { type FailureGroup, groupFailures, isFailure, type RunRecord } from "../core/run.ts";
import type { Study } from "../core/study.ts";
import { RUN_NOTE, SECRETS, warningOfRun } from "../core/warning.ts";
import { type MetricSources, metricFacts } from "../design/metric.ts";
import { mainMetric } from "../design/statistic.ts";
import type { StudyResult } from "../launch/launch-study.ts";
import type { StudyView, TableView } from "../reporters/study-view.ts";
import { estimateText } from "../reporters/view-of.ts";
import { failureLines, resumeText } from "./run-summary.ts";
import { printable, prose, styleFor, table } from "./terminal.ts";

const MOST_CELLS = 24;
const MOST_DOUBTS = 3;
const MOST_TABLES = 4;

/** What the study says, and the page that says it, where one was written. */
export interface Told {
  view: StudyView;
  report?: string;
  /** What reporters of the user's wrote beside it. */
  others?: string[];
}

/** What the runs show at a first look, and what to do next: `next`, instead of what most studies call for. */
export async function printFindings(
  { summary, studyDir, decision }: StudyResult,
  study: Study,
  { told, next }: { told: Told; next?: string | undefined },
): Promise<void> {
  const style = styleFor(process.stdout);
  const dir = relative(process.cwd(), studyDir) || ".";
  const records = currentRecords(studyDir);
  const failures = groupFailures(records.filter(({ outcome }) => isFailure(outcome)));
  for (const line of failureLines(failures)) console.log(line);
  printSecrets(records);
  if (study.search && study.search.objectives.length > 0) await printBest(studyDir);
  else if (study.isStamped) await printArms(studyDir);
  else if (resultsOf(told.view).length > 0) printResults(resultsOf(told.view));
  else printCells(studyDir, study, records);
  printAnswer(told.view);
  if (told.report !== undefined) console.log(`Open this report: ${style.cyan(told.report)}`);
  if (told.others?.length) console.log(`Your reporters wrote ${told.others.map(printable).join(", ")}`);
  console.log(
    `Next: ${(summary.failed + summary.left === 0 && next) || nextStep(decision?.isOver ? { ...summary, left: 0 } : summary, { dir, study, failures, view: told.view })}`,
  );
}

/** Loaded only for searches. */
async function printBest(studyDir: string): Promise<void> {
  const [{ bestStudy }, { bestLines }] = await Promise.all([
    import("../api/best-study.ts"),
    import("./best.ts"),
  ]);
  console.log(
    `\n${bestLines(await bestStudy(relative(process.cwd(), studyDir) || "."))
      .slice(2)
      .join("\n")}`,
  );
}

/** Loaded only for rollouts. */
async function printArms(studyDir: string): Promise<void> {
  const [{ summariseLaunch }, { armTable }] = await Promise.all([
    import("../read/summarise-launch.ts"),
    import("./coding-tables.ts"),
  ]);
  const { summary } = await summariseLaunch(studyDir);
  if (summary.arms.length > 0) console.log(`\n${armTable(summary.arms)}`);
}

/** Runs with secrets in their files: nobody should overlook them. */
function printSecrets(records: readonly RunRecord[]): void {
  for (const { id, warnings = [] } of records)
    for (const { text } of warnings.map(warningOfRun).filter(({ kind }) => kind === SECRETS))
      console.log(styleFor(process.stdout).yellow(`  ${id}: ${printable(text)}`));
}

/** What the target calls its results. */
function resultsOf({ tables = [] }: StudyView): TableView[] {
  return tables.filter(({ isResult }) => isResult);
}

function printResults(tables: readonly TableView[]): void {
  for (const { title, header, rows } of tables.slice(0, MOST_TABLES))
    console.log(`\n${printable(title)}\n${table(header, rows.slice(0, MOST_CELLS))}`);
  const left = tables.length - MOST_TABLES;
  if (left > 0) console.log(`The report has ${plural(left, "more table")}.`);
}

/** The answer in a sentence, what the winner pays elsewhere, its caveats, and what the runs say of their own results. */
function printAnswer({ answer, warnings, counts }: StudyView): void {
  const style = styleFor(process.stdout);
  if (answer !== null) console.log(`\n${style.bold(prose(printable(answer.sentence)))}`);
  for (const sentence of answer?.also ?? []) console.log(prose(printable(sentence)));
  if (counts.ok + counts.stopped === 0) return;
  const ofRuns = warnings.filter(({ kind }) => kind === RUN_NOTE);
  // What failed is said above, with the reasons.
  const doubts = warnings.filter(
    ({ level, kind }) => level === "warn" && kind !== "failed" && kind !== RUN_NOTE,
  );
  const shown = [...(answer === null ? [] : doubts.slice(0, MOST_DOUBTS)), ...ofRuns];
  for (const { text, level } of shown) {
    const line = prose(`note: ${printable(text)}`);
    console.log(level === "warn" ? style.yellow(line) : line);
  }
}

/** Why the metric that the study names is in no run, though some ended well; undefined where it is. */
export function unmetMetric(studyDir: string, study: Study): string | undefined {
  return missingMetric(cellsOf(studyDir, study), study.analysis.metric);
}

function cellsOf(studyDir: string, study: Study): CellSummary[] {
  const sources = sourcesOf(studyDir, study);
  return summariseCells(currentRecords(studyDir), study, (name) => metricFacts(name, sources));
}

function sourcesOf(studyDir: string, { analysis }: Study): MetricSources {
  const { metrics: infos = {} } = readStudyFile(studyDir) ?? {};
  return { analysis, infos };
}

function printCells(studyDir: string, study: Study, records: readonly RunRecord[]): void {
  const axisNames = study.axes.flatMap((axis) => axis.names);
  const cells = cellsOf(studyDir, study);
  const { name: metric } = mainMetric(records, sourcesOf(studyDir, study));
  const hasResult = cells.some((cell) => cell.runs > cell.failed);
  const missing = missingMetric(cells, study.analysis.metric);
  // A metric that was named and is not there is an error, and told as such.
  if (missing !== undefined && study.analysis.metric === undefined)
    console.log(styleFor(process.stdout).yellow(missing));
  if (metric === null || missing !== undefined || cells.length > MOST_CELLS || !hasResult) return;
  const hasVariants = study.variants.length > 1;
  const header = [
    ...axisNames,
    ...(hasVariants ? ["variant"] : []),
    axisNames.includes("n") ? "runs" : "n",
    `${metric}: mean (sd)`,
  ];
  const rows = cells.map((cell) => [
    ...cell.words,
    ...(hasVariants ? [cell.variant] : []),
    cell.metrics[metric]?.n ?? 0,
    estimateText(cell.metrics[metric]),
  ]);
  console.log(`\n${table(header, rows)}`);
}

interface NextFacts {
  dir: string;
  study: Study;
  failures: FailureGroup[];
  view: StudyView;
}

function nextStep(
  { failed, left, stopped, costUsd }: StudyResult["summary"],
  { dir, failures: [worst], study, view }: NextFacts,
): string {
  const { analysis, axes, variants, search, isStamped } = study;
  if (left > 0 && stopped === "budget") return resumeText({ stopped, costUsd }, study);
  if (left > 0) return "run the same command again to resume";
  if (failed > 0 && worst)
    return `assay show ${worst.ids[0]}   (what it printed; the same command repeats failed runs)`;
  if (isStamped) return `assay summarize ${dir}`;
  if (search) return `assay confirm ${dir}   (the best points again, on fresh seeds)`;
  const hasArms = variants.length > 1 || axes.some(({ rows }) => rows.length > 1);
  const isCompared = resultsOf(view).length > 0 || (hasArms && (analysis.metric ?? view.answer) != null);
  if (isCompared) return `assay compare ${dir}`;
  return `assay query ${dir} "SELECT * FROM runs LIMIT 3"`;
}
