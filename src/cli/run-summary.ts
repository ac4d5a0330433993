import { relative } from "node:path";
import { missingMetric } from "../analysis/missing-metric.ts";
import { summariseCells } from "../analysis/summarise.ts";
import { readStudyFile } from "../archive/read-records.ts";
import { countText, durationText, plural, usdText } from "../core/number-text.ts";
import { SECRETS_LEFT } from "../core/redact.ts";
import { isFailure } from "../core/run.ts";
import type { Study } from "../core/study.ts";
import { metricFacts } from "../design/metric.ts";
import type { StudyResult } from "../launch/launch-study.ts";
import { currentRecords } from "../read/current-records.ts";
import { estimateText } from "../reporters/cell-table.ts";
import { printable, styleFor, table } from "./terminal.ts";

const MOST_CELLS = 24;
const MOST_SUMMARISED = 20_000;

interface Extras {
  report: string | undefined;
  isQuiet: boolean;
}

/** What happened, what it shows at a first look, and what to do next. */
export async function printSummary(
  { summary, studyDir, notes, ending }: StudyResult,
  study: Study,
  { report, isQuiet }: Extras,
): Promise<void> {
  const style = styleFor(process.stdout);
  const dir = relative(process.cwd(), studyDir) || ".";
  for (const { text } of notes) console.log(style.dim(text));
  const parts = [
    `${countText(summary.ok)} ok`,
    summary.failed > 0 && style.red(`${countText(summary.failed)} failed`),
    summary.cancelled > 0 && `${countText(summary.cancelled)} cancelled`,
    summary.skipped > 0 && `${countText(summary.skipped)} done before`,
    summary.left > 0 && `${countText(summary.left)} left`,
  ].filter(Boolean);
  const cost = summary.costUsd > 0 ? `, ${usdText(summary.costUsd)}` : "";
  console.log(
    `${style.bold(study.name)}: ${parts.join(", ")} of ${plural(summary.total, "run")} in ${durationText(summary.wallMs)}${cost}`,
  );
  if (ending) console.log(`the search has ended: ${ending.why}`);
  if (summary.stopped) console.log(`stopped early (${summary.stopped}); the same command goes on`);
  if (isQuiet || summary.total > MOST_SUMMARISED) return;
  printFailures(studyDir);
  if (study.search && study.search.objectives.length > 0) await printBest(studyDir);
  else if (study.isStamped) await printArms(studyDir);
  else printCells(studyDir, study);
  if (report !== undefined) console.log(`\nOpen this report: ${style.cyan(report)}`);
  console.log(`Next: ${nextStep(summary, dir, study)}`);
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
  const { summary } = summariseLaunch(studyDir);
  if (summary.arms.length > 0) console.log(`\n${armTable(summary.arms)}`);
}

/** What nobody should overlook: failures, and runs with secrets in their files. */
function printFailures(studyDir: string): void {
  const records = currentRecords(studyDir);
  const failures = records.filter(({ outcome }) => isFailure(outcome));
  for (const { id, outcome } of failures.slice(0, 3)) {
    console.log(
      `  ${outcome.status} ${id}: ${printable(outcome.reason ?? "")}${outcome.owner ? ` (${outcome.owner})` : ""}`,
    );
  }
  if (failures.length > 3) console.log(`  and ${countText(failures.length - 3)} more`);
  for (const { id, warnings = [] } of records)
    for (const text of warnings.filter((warning) => warning.includes(SECRETS_LEFT)))
      console.log(styleFor(process.stdout).yellow(`  ${id}: ${printable(text)}`));
}

function printCells(studyDir: string, study: Study): void {
  const records = currentRecords(studyDir);
  const axisNames = study.axes.flatMap((axis) => axis.names);
  const { metrics: infos = {} } = readStudyFile(studyDir) ?? {};
  const cells = summariseCells(records, study, (name) =>
    metricFacts(name, { analysis: study.analysis, infos }),
  );
  const metric = study.analysis.metric ?? Object.keys(cells[0]?.metrics ?? {})[0];
  const missing = missingMetric(cells, study.analysis.metric);
  if (missing !== undefined) console.log(styleFor(process.stdout).yellow(missing));
  if (metric === undefined || missing !== undefined || cells.length > MOST_CELLS || cells.length === 0)
    return;
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
    cell.runs - cell.failed,
    estimateText(cell.metrics[metric]),
  ]);
  console.log(`\n${table(header, rows)}`);
}

function nextStep(
  { failed, left }: StudyResult["summary"],
  dir: string,
  { analysis, axes, variants, search, isStamped }: Study,
): string {
  if (left > 0) return "run the same command again to go on";
  if (failed > 0) return `assay status ${dir}   (why runs failed; the same command does them again)`;
  if (isStamped) return `assay summarize ${dir}`;
  if (search) return `assay confirm ${dir}   (the best points again, on fresh seeds)`;
  const hasArms = variants.length > 1 || axes.some(({ rows }) => rows.length > 1);
  if (analysis.metric !== undefined && hasArms) return `assay compare ${dir}`;
  return `assay query ${dir} "SELECT * FROM runs LIMIT 3"`;
}
