import { type JudgedRun, type Judgement, judgeOn, labelsOf } from "../analysis/labels/judge.ts";
import { readNotes } from "../archive/notes.ts";
import { UserError } from "../core/errors.ts";
import { standingNotes } from "../core/note.ts";
import { RandomStream } from "../core/random.ts";
import { titleOf } from "../core/study-folder.ts";
import { listed } from "../core/suggest.ts";
import { designOf, type PlacedRun } from "../design/design.ts";
import { metricValue } from "../design/metric.ts";
import { unknownMetric } from "./measure-runs.ts";
import type { ReadStudy } from "./view-study.ts";

export interface JudgeOptions {
  /** The metric that the judge left; found unless told. */
  metric?: string;
  /** Verdicts that count as 1, all others as 0. */
  pass?: string[];
  by?: string[];
  where?: string;
  level?: number;
}

interface Judged {
  metric: string;
  arms: string[];
  runs: (JudgedRun & { id: string })[];
}

/** A study's judge held against what people said of its runs. */
export function judgeStudy(read: ReadStudy, options: JudgeOptions = {}): Judgement {
  const { metric, arms, runs } = judgedRuns(read, options);
  const level = options.level === undefined ? {} : { level: options.level };
  if (runs.every(({ label }) => label === null))
    throw new UserError(`nobody has judged a run of ${titleOf(read.studyDir)} that ${metric} is known of`, {
      remedy: `\`assay judge ${titleOf(read.studyDir)} --pick 30\` picks runs at random; label them on the page or by \`assay note\`.`,
    });
  return judgeOn(runs, { judge: metric, arms, ...level });
}

/** The same for a page: null where there is no judge, or nobody has labelled anything. */
export function viewJudgement(read: ReadStudy): Judgement | null {
  if (standingNotes(readNotes(read.studyDir)).every(({ run, verdict }) => !run || verdict === null))
    return null;
  if (judgeMetric(read) === undefined) return null;
  try {
    return judgeStudy(read);
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}

/** Runs that nobody has judged yet, drawn at random: the same ones whenever one asks, until they are judged. */
export function pickRuns(read: ReadStudy, count: number, options: JudgeOptions = {}): string[] {
  const open = judgedRuns(read, options).runs.filter(({ label }) => label === null);
  // By each run alone: what is labelled meanwhile changes nothing about the others.
  const place = (id: string) => new RandomStream(1, `to label: ${id}`).uniform(0);
  return open
    .map(({ id }) => ({ id, place: place(id) }))
    .sort((a, b) => a.place - b.place || (a.id < b.id ? -1 : 1))
    .slice(0, count)
    .map(({ id }) => id);
}

function judgedRuns(read: ReadStudy, options: JudgeOptions): Judged {
  const { studyDir, study, records } = read;
  const metric = options.metric ?? judgeMetric(read);
  if (metric === undefined)
    throw new UserError(`${titleOf(studyDir)} has no judge`, {
      expected: "a scorer with `judge:`, or the metric of one",
      remedy: "Name the metric that stands in for people: --judge NAME.",
    });
  const { labels, unread } = labelsOf(standingNotes(readNotes(studyDir)), options.pass);
  if (unread.length > 0)
    throw new UserError(`nobody said what ${listed(unread)} counts as`, {
      remedy: "--pass WORD names the verdicts that count as 1; all others count as 0, and unsure as none.",
    });
  const design = designOf([{ label: study.name, dir: studyDir, study: study.study, records }], {
    by: options.by,
    where: options.where,
  });
  const runs = design.runs.flatMap((run) => {
    const judge = metricValue(run.record.metrics, metric);
    const label = labels.get(run.record.id) ?? null;
    return judge === null ? [] : [{ ...placeOf(run), judge, label }];
  });
  if (runs.length === 0)
    throw unknownMetric(metric, [...new Set(records.flatMap(({ metrics }) => Object.keys(metrics)))]);
  const arms = design.arms.map(({ name }) => name).filter((name) => runs.some(({ arm }) => arm === name));
  return { metric, arms, runs };
}

function placeOf({ record, arm, unit }: PlacedRun) {
  return { id: record.id, arm, unit };
}

/** What a judge left: by the study's own scorers, or by the grader of coding tasks. */
function judgeMetric({ study, records }: ReadStudy): string | undefined {
  for (const { name, isNamed, by } of study.study.score ?? []) {
    if (by.kind !== "judge") continue;
    const criteria = Object.keys(by.criteria);
    return `${isNamed ? `${name}/` : ""}${criteria.length > 1 ? "score" : criteria[0]!}`;
  }
  const graded = "judge/score";
  return records.some(({ metrics }) => metricValue(metrics, graded) !== null) ? graded : undefined;
}
