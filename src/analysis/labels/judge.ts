import type { Note } from "../../core/note.ts";
import { countText, numberText, plural } from "../../core/number-text.ts";
import { correlation } from "../../stats/effects/correlation.ts";
import type { Interval } from "../../stats/intervals/interval.ts";
import {
  type PredictionPowered,
  predictionPoweredInterval,
} from "../../stats/intervals/prediction-powered.ts";
import { clopperPearsonInterval } from "../../stats/intervals/proportion-intervals.ts";
import { tInterval } from "../../stats/intervals/t-intervals.ts";
import { known, type Result } from "../../stats/result.ts";
import { sum } from "../../stats/summaries/moments.ts";
import { welchTest } from "../../stats/tests/t-tests.ts";

/** A run as a judge and people see it; null where one of them has said nothing. */
export interface JudgedRun {
  arm: string;
  /** What was drawn: tries at one task are no two tasks. */
  unit: string;
  judge: number;
  label: number | null;
}

/** What a judge on all runs of an arm and labels on some of them say together. */
export interface JudgedArm {
  arm: string;
  runs: number;
  labels: number;
  /** The mean of what the judge said, as if it were right. */
  judgeMean: number;
  /** What people would say of all runs: valid whatever the judge is like. */
  together: Result<PredictionPowered>;
  /** The same from the labels alone. */
  alone: Result<Interval>;
  /** How many more labels would have been needed for it without the judge; 0 where it adds nothing. */
  saved: number;
}

/** A judge, held against people. */
export interface Judgement {
  /** The metric that the judge left. */
  judge: string;
  level: number;
  arms: JudgedArm[];
  /** How judge and people move together on what both have seen. */
  correlation: Result<{ estimate: number; p: number }>;
  /** Whether labels show that the judge tells anything. */
  isUseful: boolean;
  /** What the judge is good for. */
  sentence: string;
  cautions: string[];
}

/** Words that a label may be without anybody saying what they count as. */
const PASS = new Set(["pass", "passed", "good", "yes", "right", "correct", "solved", "ok", "true"]);
const FAIL = new Set(["fail", "failed", "bad", "no", "wrong", "incorrect", "unsolved", "false"]);
const NO_WORD = new Set(["unsure", "skip", "unknown"]);

/** What a verdict counts as: null where it is none, undefined where nobody knows. */
function numberOf(verdict: string, passes: readonly string[]): number | null | undefined {
  const word = verdict.trim().toLowerCase();
  if (NO_WORD.has(word)) return null;
  if (passes.length > 0) return passes.some((pass) => pass.trim().toLowerCase() === word) ? 1 : 0;
  if (PASS.has(word)) return 1;
  if (FAIL.has(word)) return 0;
  const value = Number(word);
  return word !== "" && Number.isFinite(value) ? value : undefined;
}

/** The labels of runs as numbers: the mean over the people who judged a run, and the words that say no number. */
export function labelsOf(
  notes: readonly Note[],
  passes: readonly string[] = [],
): { labels: Map<string, number>; unread: string[] } {
  const said = new Map<string, number[]>();
  const unread = new Set<string>();
  for (const { run, turn, verdict } of notes) {
    if (run === undefined || turn !== undefined || verdict === null) continue;
    const value = numberOf(verdict, passes);
    if (value === undefined) unread.add(verdict);
    else if (value !== null) said.set(run, [...(said.get(run) ?? []), value]);
  }
  const labels = new Map([...said].map(([run, values]) => [run, sum(values) / values.length]));
  return { labels, unread: [...unread] };
}

/** What people would say of all runs, arm by arm, from a judge's word on all and theirs on some. */
export function judgeOn(
  runs: readonly JudgedRun[],
  { judge, arms, level = 0.95 }: { judge: string; arms: readonly string[]; level?: number },
): Judgement {
  const both = runs.flatMap(({ judge: said, label }) => (label === null ? [] : [{ said, label }]));
  const moves = correlation(
    both.map(({ said }) => said),
    both.map(({ label }) => label),
  );
  // One-sided: a judge that says the reverse is no judge.
  const isUseful = moves.known && moves.estimate > 0 && moves.p / 2 < 0.05;
  const rows = arms.map((arm) => {
    const ofArm = runs.filter((run) => run.arm === arm);
    return judgedArm(arm, ofArm, { level, isUseful });
  });
  const found = {
    ...{ judge, level, arms: rows, isUseful },
    correlation: moves.known ? known({ estimate: moves.estimate, p: moves.p }) : moves,
  };
  return {
    ...found,
    sentence: sentenceOf(found),
    cautions: [...pickedCaution(runs), ...fewCaution(rows)],
  };
}

function judgedArm(
  arm: string,
  runs: readonly JudgedRun[],
  { level, isUseful }: { level: number; isUseful: boolean },
): JudgedArm {
  const labelled = runs.filter(({ label }) => label !== null);
  const others = runs.filter(({ label }) => label === null);
  const labels = labelled.map(({ label }) => label!);
  const hasClusters = new Set(runs.map(({ unit }) => unit)).size < runs.length;
  const together = predictionPoweredInterval(
    {
      labels,
      onLabelled: labelled.map(({ judge }) => judge),
      onOthers: others.map(({ judge }) => judge),
      ...(hasClusters && {
        clusters: { labelled: labelled.map(({ unit }) => unit), others: others.map(({ unit }) => unit) },
      }),
    },
    { level },
  );
  const isBinary = labels.length > 0 && labels.every((label) => label === 0 || label === 1);
  return {
    ...{ arm, runs: runs.length, labels: labels.length, together },
    judgeMean: sum(runs.map(({ judge }) => judge)) / runs.length,
    alone:
      isBinary && !hasClusters
        ? clopperPearsonInterval(sum(labels), labels.length, { level })
        : tInterval(labels, { level }),
    saved: isUseful && together.known ? savedBy(together, labels.length) : 0,
  };
}

function savedBy({ worthLabels }: PredictionPowered, labels: number): number {
  return Number.isFinite(worthLabels) ? Math.max(0, Math.floor(worthLabels) - labels) : 0;
}

/** Labels that were not picked at random carry no interval; that the judge likes those runs more gives it away. */
function pickedCaution(runs: readonly JudgedRun[]): string[] {
  const [labelled, others] = [true, false].map((has) =>
    runs.flatMap(({ judge, label }) => ((label !== null) === has ? [judge] : [])),
  ) as [number[], number[]];
  const test = welchTest(labelled, others);
  if (!test.known || test.p >= 0.01) return [];
  const more = sum(labelled) / labelled.length > sum(others) / others.length ? "higher" : "lower";
  return [
    `the judge scores the labelled runs ${more} than the others, so they were hardly picked at random, and then no interval holds`,
  ];
}

function fewCaution(arms: readonly JudgedArm[]): string[] {
  const few = arms.flatMap(({ arm, together }) =>
    together.known ? together.cautions.map((text) => (arms.length > 1 ? `${arm}: ${text}` : text)) : [],
  );
  return [...new Set(few)];
}

/** What the judge is good for, in a sentence. */
function sentenceOf({
  arms,
  isUseful,
  correlation,
  judge,
}: Omit<Judgement, "sentence" | "cautions">): string {
  const labels = arms.reduce((sum, arm) => sum + arm.labels, 0);
  const saved = arms.reduce((sum, arm) => sum + arm.saved, 0);
  if (!isUseful || saved === 0)
    return `This judge adds nothing: ${why(correlation, { isUseful, labels })}. The labels alone say as much.`;
  return `${judge} saved ${plural(saved, "label")}: ${countText(labels)} labels and the judge say as much as ${countText(labels + saved)} labels alone.`;
}

function why(
  moves: Judgement["correlation"],
  { isUseful, labels }: { isUseful: boolean; labels: number },
): string {
  if (!moves.known) return moves.why;
  if (isUseful) return "it makes no interval narrower";
  return `on ${plural(labels, "labelled run")} its scores and people's verdicts don't go together (correlation ${numberText(moves.estimate, 2)})`;
}
