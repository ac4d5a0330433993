import { readFileSync } from "node:fs";
import { answerOf, type StudyAnswer } from "../analysis/answer.ts";
import { type Findings, findOut } from "../analysis/findings.ts";
import { hasVerdicts } from "../analysis/solving/rollout-run.ts";
import { type TaskGrid, taskGrid } from "../analysis/solving/task-grid.ts";
import { folderStudy, hasOnlyFolders } from "../archive/folder-study.ts";
import { currentRecords, latestRecords, readStudyFile } from "../archive/read-records.ts";
import type { Decision } from "../core/decider.ts";
import { UserError } from "../core/errors.ts";
import { isPattern, type RunRecord } from "../core/run.ts";
import { STUDY_FILES, type StudyFile, shownName } from "../core/study-folder.ts";
import { type Design, designOf, type Source } from "../design/design.ts";
import { decisionStanding, type Locked } from "../design/locked.ts";
import { type MetricFacts, metricFacts, primaryMetrics, withoutStatistics } from "../design/metric.ts";
import { observe, scalarReader } from "../design/observe.ts";
import { unfold } from "../design/unfold.ts";
import type { ChartContext } from "../reporters/charts/chart-context.ts";
import { chartsOf, metricChart } from "../reporters/charts/index.ts";
import { outcomeTables, resultTables } from "../reporters/result-tables.ts";
import { runTableOf } from "../reporters/run-table.ts";
import { rolloutTables } from "../reporters/solving-tables.ts";
import type { RunTable, RunView, StudyView } from "../reporters/study-view.ts";
import { viewOf } from "../reporters/view-of.ts";
import { readDecision } from "./decision.ts";
import { instanceTable } from "./instance-table.ts";
import { declaredMetrics, factsOf, studyMetrics } from "./metric-info.ts";
import { pastOf } from "./past.ts";
import { readCurves } from "./read-curves.ts";
import { readArms } from "./read-measured.ts";
import { runningRun, runViewOf } from "./run-view.ts";
import { searchWithGoal } from "./search-goal.ts";
import { summariseRecords } from "./summarise-launch.ts";
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
  if (!study && hasOnlyFolders(studyDir)) {
    const records = currentRecords(studyDir);
    return asRead(studyDir, folderStudy(studyDir, records), records);
  }
  if (!study)
    throw new UserError(`${studyDir} has no readable study.json`, {
      remedy: "`assay export` works on such a folder; a report needs a study that `assay run` made.",
    });
  return asRead(studyDir, study, currentRecords(studyDir));
}

/** What was read, as views take it; what the target declares of its metrics is part of the study. */
export async function asRead(studyDir: string, study: StudyFile, records: RunRecord[]): Promise<ReadStudy> {
  const file = { ...study, metrics: await declaredMetrics(study) };
  return { studyDir, study: file, records, metrics: await studyMetrics(file, records) };
}

/** What the page shows of a study; works while it runs. */
export async function viewStudy(
  from: string | ReadStudy,
  { id = "" }: { id?: string } = {},
): Promise<StudyView> {
  return (await findAndView(typeof from === "string" ? await readStudy(from) : from, id)).view;
}

type Viewed = { findings: Findings; view: StudyView };

/** The same, with the findings behind it. */
export async function findAndView(read: ReadStudy, id = ""): Promise<Viewed> {
  const placed = placedRuns(read, read.records.length);
  const findings = findOut(read.study, read.records, placed.design);
  return { findings, view: await viewFound(read, { findings, placed, id }) };
}

async function viewFound(
  whole: ReadStudy,
  { findings, placed, id }: { findings: Findings; placed: Placed; id: string },
): Promise<StudyView> {
  const search = await searchWithGoal(whole.study, whole.records);
  if (search) return withInstances(await viewSearch(findings, search, id), whole);
  const main = await askAbout(whole, findings.metric, placed);
  const { read, design, metric } = main;
  const fixed = metric && read.records.length > 0 ? answerStudy(read, design, metric) : null;
  const answer = fixed && asDecided(fixed, whole, main.source.past?.locked);
  const [first, ...charts] = chartsOf({
    ...contextOf(main),
    comparisons: answer?.comparisons ?? [],
    curves: main.isUnfolded ? [] : await readCurves(read, design, metric),
    measured: main.isUnfolded ? undefined : await readArms(read, design, metric),
  });
  const others = await Promise.all(otherResults(findings).map((name) => askAbout(whole, name, placed)));
  const view = viewOf(findings, {
    ...{ id, answer, design, metric, cells: main.isUnfolded ? findOut(read.study, read.records) : findings },
    charts: [
      ...(first ? [first] : []),
      ...others.flatMap((one) => metricChart(contextOf(one), one.metric!)),
      ...charts,
    ],
    tables: [main, ...others].flatMap((one) =>
      !one.isUnfolded || one.metric === null || one.read.records.length === 0
        ? []
        : resultTables({
            ...{ design: one.design, metric: one.metric },
            comparisons: (one === main ? answer : answerStudy(one.read, one.design, one.metric))!.comparisons,
          }),
    ),
  });
  const tasks = main.isUnfolded ? undefined : gridOf(read, design, metric);
  const outcomes = outcomeTables(answer?.comparisons ?? []);
  const tables = [...(view.tables ?? []), ...outcomes];
  const shown = { ...view, ...(tables.length > 0 && { tables }), ...(tasks && { tasks }) };
  return hasVerdicts(whole.study.metrics) ? viewRollouts(shown, whole) : withInstances(shown, whole);
}

function withInstances(view: StudyView, read: ReadStudy): StudyView {
  const table = instanceTable(read);
  return table ? { ...view, tables: [...(view.tables ?? []), table] } : view;
}

/** Tasks by arms, on the metric of the answer. */
function gridOf({ study }: ReadStudy, design: Design, metric: MetricFacts | null): TaskGrid | undefined {
  if (!metric) return undefined;
  const [set] = observe(design, [scalarReader(metric)]);
  return set && taskGrid(design, { set, hasVerdicts: hasVerdicts(study.metrics) });
}

type Placed = { source: Source; design: Design };

/** Where the runs that were read stand; `runs` is how many the study has, of which these may be parts. */
function placedRuns({ study, studyDir, records }: ReadStudy, runs: number): Placed {
  const past = pastOf(study, studyDir);
  const source = { label: study.name, dir: studyDir, study: study.study, records, past, runs };
  return { source, design: designOf([source]) };
}

/** A question about one metric: the runs as it sees them, and their design. */
interface Asked extends Placed {
  read: ReadStudy;
  metric: MetricFacts | null;
  /** Whether it is about a pattern, so that its runs are parts of the study's. */
  isUnfolded: boolean;
}

async function askAbout(whole: ReadStudy, name: string | null, placed: Placed): Promise<Asked> {
  const isUnfolded = name !== null && isPattern(name);
  const read = isUnfolded ? await unfoldRead(whole, name) : whole;
  const { study, records, metrics } = read;
  const main = !isUnfolded ? name : findOut(study, records).metric;
  const metric =
    main === null ? null : (metrics.find((one) => one.name === main) ?? (await factsOf(study, main)));
  return { read, metric, isUnfolded, ...(isUnfolded ? placedRuns(read, whole.records.length) : placed) };
}

async function unfoldRead({ studyDir, study, records }: ReadStudy, name: string): Promise<ReadStudy> {
  const unfolded = unfold({ study, records }, name);
  return { studyDir, ...unfolded, metrics: await studyMetrics(unfolded.study, unfolded.records) };
}

function contextOf({ read, source, design, metric, isUnfolded }: Asked): ChartContext {
  const metrics = isUnfolded && metric ? [metric] : shownMetrics(read.metrics, metric);
  return { study: read.study.name, source, design, metric, metrics, comparisons: [], curves: [] };
}

/** Of a study whose file names no metric: what else its target calls its results. */
function otherResults({ metric, study, records }: Findings): string[] {
  if (study.study.analysis.metric !== undefined) return [];
  const good = records.filter(({ outcome }) => outcome.status === "ok");
  const names = withoutStatistics([...new Set(good.flatMap(({ metrics }) => Object.keys(metrics)))]);
  const isMain = (name: string) => name === metric || metric?.startsWith(`${name}_`);
  return primaryMetrics(names, study.metrics ?? {}).filter((name) => !isMain(name) && isPattern(name));
}

/** What charts are made of: metrics, and of the statistics over iterations the one that is compared. */
function shownMetrics(metrics: readonly MetricFacts[], metric: MetricFacts | null): MetricFacts[] {
  const shown = new Set(
    withoutStatistics(
      metrics.map(({ name }) => name),
      [metric?.name ?? null],
    ),
  );
  return metrics.filter(({ name }) => shown.has(name));
}

function answerStudy({ study }: ReadStudy, design: Design, metric: MetricFacts): StudyAnswer {
  const { analysis } = study.study;
  if (!design.runs.some(({ record }) => record.outcome.status === "ok"))
    return {
      sentence: `No run has succeeded yet, so nothing is known about ${metric.name}.`,
      method: "",
      standing: design.standing(metric.name)!,
      ...{ verdict: "unknown", others: [], also: [], comparisons: [], leader: null, arms: [], warnings: [] },
    };
  const infos = study.metrics ?? {};
  const also = (analysis.also ?? []).map(({ metric: name }) => metricFacts(name, { analysis, infos }));
  const [set, ...others] = observe(design, [metric, ...also].map(scalarReader));
  return answerOf({
    design,
    metric,
    set: set!,
    also: others,
    ...(analysis.margin && { options: { margin: analysis.margin } }),
  });
}

/** Of a study that decides as it goes the decision is the answer; what a fixed number of runs would say stands beside it. */
function asDecided(
  answer: StudyAnswer,
  { study, records }: ReadStudy,
  locked: Locked | undefined,
): StudyAnswer {
  const decision = study.study.analysis.decide && readDecision(study, records);
  if (!decision) return answer;
  const [first] = decision.pairs;
  return {
    ...answer,
    sentence: decision.sentence,
    method: `This holds however often and whenever one looks. As if the number of runs had been fixed: ${answer.sentence} ${answer.method}`,
    standing: decisionStanding(locked) ?? answer.standing,
    verdict: VERDICTS[first?.verdict ?? "futile"],
  };
}

const VERDICTS: Record<NonNullable<Decision["pairs"][number]["verdict"]>, StudyAnswer["verdict"]> = {
  ...{ better: "better", worse: "worse", equal: "equal" },
  ...{ greater: "higher", less: "lower", futile: "unclear" },
};

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
    const journal = readFileSync(`${studyDir}/${STUDY_FILES.journal}`);
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

/** A page may have so many rows of tasks; `assay summarize --format csv` has all. */
const MOST_ROWS = 500;

/** What the page shows of rollouts in place of a table of cells. */
async function viewRollouts(view: StudyView, { studyDir, study, records }: ReadStudy): Promise<StudyView> {
  const { summary, title } = await summariseRecords(studyDir, study, records);
  const { cells, tables: ofTasks = [] } = rolloutTables(summary);
  const tables = [...ofTasks, ...(view.tables ?? [])];
  const command = `assay summarize ${title}`;
  return {
    ...view,
    name: shownName(studyDir, view.name),
    cells,
    tables: tables.map((table) =>
      table.rows.length <= MOST_ROWS
        ? table
        : {
            ...table,
            rows: table.rows.slice(0, MOST_ROWS),
            note: `The first ${MOST_ROWS} of ${table.rows.length} rows; \`${command} --format csv\` has all. ${table.note ?? ""}`,
          },
    ),
    reproduce: [...view.reproduce, command],
  };
}
