import type { StudyAnswer } from "../analysis/answer.ts";
import type { Findings } from "../analysis/findings.ts";
import { countedIn } from "../analysis/summarise.ts";
import { shellWord } from "../core/shell-word.ts";
import type { Design } from "../design/design.ts";
import type { MetricFacts } from "../design/metric.ts";
import { comparedAs } from "../design/statistic.ts";
import { cellTable } from "./cell-table.ts";
import { factsOf, summaryOf } from "./facts.ts";
import type { ChartView, StudyView, TableView } from "./study-view.ts";

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
      note: `Mean over the ${countedIn(design.unit)}s of each cell, and in brackets their standard deviation.`,
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
    launch && /^assay (run|confirm) /.test(launch) ? launch : `assay run ${shellWord(study.spec.path)}`,
    ...(metric !== null && arms.length > 1 ? [`assay compare ${name}${named}`] : []),
    `assay report ${name}`,
  ];
}
