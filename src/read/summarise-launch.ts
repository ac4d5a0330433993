import { relative } from "node:path";
import { settleFailures } from "../analysis/compare/settle-failures.ts";
import { type RolloutRun, rolloutRun } from "../analysis/solving/rollout-run.ts";
import {
  type RolloutsQuestion,
  type RolloutsSummary,
  summariseRollouts,
} from "../analysis/solving/summarise-rollouts.ts";
import { currentRecords, linkFolder, readNumbers, readStudyFile } from "../archive/read-records.ts";
import { agentOf } from "../core/agent-run.ts";
import { UserError } from "../core/errors.ts";
import { hashOf, type RunRecord } from "../core/run.ts";
import { runOutDir, type StudyFile, titleOf } from "../core/study-folder.ts";
import { type Design, designOf } from "../design/design.ts";
import type { MetricFacts } from "../design/metric.ts";
import { observe, scalarReader } from "../design/observe.ts";
import { factsOf } from "./metric-info.ts";

/** A rollout with where its files are. */
export interface LaunchRun extends RolloutRun {
  /** `{stamp}-{index}`; the run's own id in a study whose launches are not kept apart. */
  runId: string;
  model: string;
  agent: string;
  /** As seen from where the command was called. */
  dir: string;
}

export interface LaunchSummary {
  /** `NAME/STAMP`, or the study's name. */
  title: string;
  studyDir: string;
  /** Rollouts of the plan, and those without a record. */
  total: number;
  left: number;
  runs: LaunchRun[];
  summary: RolloutsSummary;
}

/** What the rollouts of a study, or of one launch of it, come to; also while it runs. */
export async function summariseLaunch(studyDir: string): Promise<LaunchSummary> {
  const { file, records } = readLaunch(studyDir);
  return summariseRecords(studyDir, file, records);
}

/** One row per rollout, by their numbers. */
export async function launchRuns(studyDir: string): Promise<LaunchRun[]> {
  const { file, records } = readLaunch(studyDir);
  return (await numberedRuns(studyDir, file, records)).runs;
}

export async function summariseRecords(
  studyDir: string,
  file: StudyFile,
  records: readonly RunRecord[],
): Promise<LaunchSummary> {
  const { runs, question } = await numberedRuns(studyDir, file, records);
  return {
    ...{ title: titleOf(studyDir), studyDir, total: file.total },
    left: Math.max(0, file.total - runs.length),
    runs,
    summary: summariseRollouts(runs, question),
  };
}

function readLaunch(studyDir: string): { file: StudyFile; records: RunRecord[] } {
  const file = readStudyFile(studyDir);
  if (!file) throw new UserError(`${studyDir} has no readable study.json`);
  return { file, records: currentRecords(studyDir) };
}

async function numberedRuns(
  studyDir: string,
  file: StudyFile,
  records: readonly RunRecord[],
): Promise<{ runs: LaunchRun[]; question: RolloutsQuestion }> {
  const { study, name } = file;
  const hasScores = records.some(({ metrics }) => "score" in metrics);
  const isOther = records.some(({ task, outcome, metrics }) =>
    task === null ? true : outcome.status === "ok" && Object.keys(metrics).length > 0,
  );
  if (!hasScores && isOther && file.metrics?.score === undefined)
    throw new UserError(`${titleOf(studyDir)} is not a study of rollouts`, {
      expected: "runs with a metric score",
      remedy: "`assay report STUDY` works for every study.",
    });
  const design = designOf([{ label: name, dir: studyDir, study, records }]);
  const score = await scoreFacts(file, design);
  const numbers = new Map(readNumbers(studyDir).map((id, i) => [hashOf(id), i]));
  const stamp = studyDir.split("/").at(-1)!;
  const links = linkFolder(studyDir);
  const runs = design.runs.map(({ record, arm }, i): LaunchRun & { place: number } => {
    const number = numbers.get(hashOf(record.id));
    const ownDir = runOutDir(studyDir, record.id);
    return {
      ...rolloutRun(record, arm, score.failure),
      runId: number === undefined ? record.id : `${stamp}-${number}`,
      ...agentOf(record.params),
      dir:
        relative(process.cwd(), links && number !== undefined ? `${links}/${stamp}-${number}` : ownDir) ||
        ".",
      place: number ?? numbers.size + i,
    };
  });
  runs.sort((a, b) => a.place - b.place);
  return { runs: runs.map(({ place: _, ...run }) => run), question: { design, score } };
}

/** What is known of a score: what a run that the agent broke counts as is the same as in a comparison of scores. */
async function scoreFacts(file: StudyFile, design: Design): Promise<MetricFacts> {
  const facts = await factsOf(file, "score");
  const score = { ...facts, goal: facts.goal ?? ("maximize" as const) };
  const [set] = observe(design, [scalarReader(score)]);
  return { ...score, failure: facts.failure ?? (set && settleFailures(set).isRate ? "worst" : "missing") };
}
