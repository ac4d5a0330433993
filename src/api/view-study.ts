import { readFileSync } from "node:fs";
import type { Arm } from "../analysis/compare/observation.ts";
import { findOut } from "../analysis/findings.ts";
import { answerOf, type StudyAnswer } from "../analysis/report/answer.ts";
import { unitValues } from "../analysis/report/arm-values.ts";
import { isCompared, type Layout, layoutOf } from "../analysis/report/layout.ts";
import type { MetricFacts } from "../analysis/report/metric-facts.ts";
import { countFailures, isRolloutStudy, shareRange } from "../analysis/rollouts/count-failures.ts";
import { nameAgents } from "../analysis/rollouts/name-agents.ts";
import { latestRecords, readStudyFile } from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import type { RunRecord } from "../core/run.ts";
import type { StudyFile } from "../core/study-file.ts";
import { chartsOf } from "../reporters/charts/index.ts";
import { runTableOf } from "../reporters/run-table.ts";
import type { RunTable, RunView, StudyView } from "../reporters/study-view.ts";
import { viewOf } from "../reporters/view-of.ts";
import { studyArms } from "./compare/study-arms.ts";
import { currentRecords } from "./current-records.ts";
import { readCurves } from "./read-curves.ts";
import { viewRollouts } from "./rollouts/view-rollouts.ts";
import { runViewOf } from "./run-view.ts";
import { runningRun } from "./running-run.ts";
import { searchWithGoal } from "./search-goal.ts";
import { factsOf, studyMetrics } from "./study-metrics.ts";
import { viewSearch } from "./view-search.ts";

/** A study as it was read from its folder: what every view of it is made from. */
export interface ReadStudy {
  studyDir: string;
  study: StudyFile;
  records: RunRecord[];
  metrics: MetricFacts[];
}

export async function readStudy(studyDir: string): Promise<ReadStudy> {
  const study = readStudyFile(studyDir);
  if (!study)
    throw new UserError(`${studyDir} has no readable study.json`, {
      remedy: "`assay collect` works on such a folder; a report needs a study that `assay run` made.",
    });
  return asRead(studyDir, study, currentRecords(studyDir));
}

/** What was read, as views take it: of rollouts, agents by their names, and scores between 0 and 1. */
export async function asRead(studyDir: string, study: StudyFile, records: RunRecord[]): Promise<ReadStudy> {
  if (!isRolloutStudy(study.study))
    return { studyDir, study, records, metrics: await studyMetrics(study, records) };
  const named = nameAgents(study, records);
  const metrics = await studyMetrics(named.file, named.records);
  return {
    ...{ studyDir, study: named.file, records: named.records },
    metrics: metrics.map((metric) => ({ ...metric, range: shareRange(metric.name) })),
  };
}

/** What the page shows of a study; works while it runs. */
export async function viewStudy(
  from: string | ReadStudy,
  { id = "" }: { id?: string } = {},
): Promise<StudyView> {
  const read = typeof from === "string" ? await readStudy(from) : from;
  const { study, records, metrics } = read;
  const findings = findOut(study, records);
  const search = await searchWithGoal(study, records);
  if (search) return viewSearch(findings, search, id);
  const layout = layoutOf(study.study, records);
  const metric =
    findings.metric === null
      ? null
      : (metrics.find(({ name }) => name === findings.metric) ??
        (await factsOf(findings.metric, { study, analysis: study.study.analysis })));
  const answer = metric && records.length > 0 ? await answerStudy(read, layout, metric) : null;
  const charts = chartsOf({
    study: study.name,
    ...{ records: countFailures(study.study, records), layout, metric, metrics },
    comparisons: answer?.comparisons ?? [],
    curves: await readCurves(read, layout, metric),
  });
  const view = viewOf(findings, { id, answer, layout, metric, charts });
  return isRolloutStudy(study.study) ? viewRollouts(view, read) : view;
}

async function answerStudy(
  { study, records, studyDir }: ReadStudy,
  layout: Layout,
  metric: MetricFacts,
): Promise<StudyAnswer | null> {
  const own = records.filter((record) => isCompared(record, layout));
  const values = unitValues(
    countFailures(study.study, own),
    { ...layout, facetBy: layout.facetBy },
    metric.name,
  ).filter((group) => group.values.length > 0);
  if (!own.some(({ outcome }) => outcome.status === "ok"))
    return {
      sentence: `No run has ended well yet, so nothing is known about ${metric.name}.`,
      method: "",
      status: study.study.analysis.metric === undefined ? "exploratory" : "planned",
      ...{ verdict: "unknown", others: [], comparisons: [] },
    };
  const isMetricDeclared = study.study.analysis.metric === metric.name;
  const hasMetric = own.some(({ metrics }) => Object.hasOwn(metrics, metric.name));
  const sets =
    layout.baseline === null || !hasMetric
      ? []
      : await studyArms([{ label: study.name, dir: studyDir, study, records: own }], {
          by: layout.by,
          metrics: [metric.name],
          ...(metric.goal && { goal: metric.goal }),
        });
  const set = sets[0] ? { ...sets[0], arms: sets[0].arms.map((arm) => named(arm, layout)) } : null;
  return answerOf({ metric, layout, isMetricDeclared, set, values });
}

/** Arms that are numbers are called by what they are numbers of, as in the charts. */
function named(arm: Arm, { arms, by }: Layout): Arm {
  const full = `${by[0]}=${arm.name}`;
  return !arms.includes(arm.name) && arms.includes(full) ? { ...arm, name: full } : arm;
}

/** All runs of a study by column. */
export async function runTable(from: string | ReadStudy): Promise<RunTable> {
  const { records, metrics } = typeof from === "string" ? await readStudy(from) : from;
  return runTableOf(records, unitsOf(metrics));
}

/** One run in full, also while it is under way; undefined where the study has no run of that id. */
export async function viewRun(studyDir: string, runId: string): Promise<RunView | undefined> {
  const study = readStudyFile(studyDir);
  const running = await runningRun(studyDir, runId, { study, unitOf: () => null });
  if (running) return running;
  const record = findRecord(studyDir, runId);
  if (!record) return undefined;
  const metrics = await studyMetrics(study, [{ ...record, outcome: { status: "ok" } }]);
  return runViewOf(studyDir, record, { study, unitOf: unitsOf(metrics) });
}

export function unitsOf(metrics: readonly MetricFacts[]): (metric: string) => string | null {
  const units = new Map(metrics.map(({ name, unit }) => [name, unit]));
  return (metric) => units.get(metric) ?? null;
}

/** The newest line of the run, without reading the others as JSON: a journal of 100,000 runs has 100 MB. */
function findRecord(studyDir: string, runId: string): RunRecord | undefined {
  try {
    const journal = readFileSync(`${studyDir}/journal.jsonl`);
    const start = journal.lastIndexOf(`{"id":${JSON.stringify(runId)},`);
    if (start === 0 || (start > 0 && journal[start - 1] === 10)) {
      const end = journal.indexOf(10, start);
      const record = JSON.parse(journal.toString("utf8", start, end < 0 ? undefined : end)) as RunRecord;
      if (record.id === runId && typeof record.outcome?.status === "string") return record;
    }
  } catch {
    // A torn line, or another order of keys: the reader of whole journals knows better.
  }
  return latestRecords(studyDir).find(({ id }) => id === runId);
}
