import { UserError } from "../core/errors.ts";
import { canonicalJson } from "../core/hash.ts";
import { countText, plural } from "../core/number-text.ts";
import type { Deviation } from "../core/plan-lock.ts";
import type { Analysis } from "../core/study.ts";
import { suggestion } from "../core/suggest.ts";
import type { ArmIndex, DesignArm } from "./arms.ts";
import type { Ask, Design, PlacedRun, Source } from "./design.ts";
import { absentLevels, type Shape } from "./factors.ts";
import { type Locked, lockedStanding } from "./locked.ts";
import { comparedAs } from "./statistic.ts";
import type { Pairing, UnitKind } from "./unit.ts";

/** How the runs of a study came to be: what was declared when, and who looked meanwhile. */
export interface Past {
  /** Runs that the plan has; null where it has no end. */
  total: number | null;
  /** Oldest first. What was declared is undefined where nobody recorded it. */
  launches: readonly { atMs: number; plan: string; analysis: Analysis | undefined }[];
  /** Of the answer: when, at how many runs, and what was asked where that was not the locked plan's question. */
  looks: readonly { atMs: number; runs: number; asked?: string | undefined }[];
  locked?: Locked | undefined;
}

/**
 * Whether an answer was asked for before its runs were made, and why it is called so. "planned" takes a locked plan;
 * "declared" is what the study file named beforehand without one, so nobody knows how often it was tried.
 */
export interface Standing {
  status: "planned" | "declared" | "exploratory";
  why: string;
  lock?: { at: string; hash: string; deviations: readonly Deviation[] };
  /** How many questions were asked of a locked study that its plan doesn't have, with this one. */
  questions?: number;
}

export interface Question {
  metric: string;
  /** What the study file says now. */
  analysis: Analysis | undefined;
  past: Past | undefined;
  ask: Ask;
  /** The runs that answer, and whether their arms are compared with a baseline that the file names. */
  runs: readonly PlacedRun[];
  arms: number;
  /** Runs of the study, whichever were asked for. */
  done: number;
  isBaselineDeclared: boolean;
}

/** What the file named before the first run of each arm is declared; what was picked later could have been picked to please. */
export function standingOf(question: Question): Standing {
  const { metric, analysis, past, ask, runs, arms, isBaselineDeclared } = question;
  if (past?.locked) return lockedStanding(past.locked, question);
  const needsBaseline = arms > 1;
  const lacks = [
    analysis?.metric === undefined && "the metric",
    needsBaseline && !isBaselineDeclared && analysis?.baseline === undefined && "the baseline",
  ].filter((word) => word !== false);
  if (lacks.length > 0)
    return exploratory(
      `the study file did not name ${lacks.join(" and ")} before the runs (analysis.metric, analysis.baseline)`,
    );
  if (analysis!.metric !== metric && comparedAs(analysis!.metric!, recordsOf(runs)).name !== metric)
    return exploratory(`the study file names ${analysis!.metric} as its metric, not ${metric}`);
  if (needsBaseline && !isBaselineDeclared) return exploratory("the study file names another baseline");
  if (ask.where !== undefined || ask.per !== undefined)
    return exploratory("only a part of the study was asked for");
  const late = past ? lateRuns(runs, analysis!, { ...past, needsBaseline }) : 0;
  if (late > 0)
    return exploratory(
      `the study file named ${needsBaseline ? "metric and baseline" : "the metric"} only after ${late} of ${plural(runs.length, "run")} had begun`,
    );
  return {
    status: "declared",
    why: `the study file named ${needsBaseline ? "the metric and the baseline" : "the metric"} before the first run`,
  };
}

function recordsOf(runs: readonly PlacedRun[]): PlacedRun["record"][] {
  return runs.map(({ record }) => record);
}

function exploratory(why: string): Standing {
  return { status: "exploratory", why };
}

/** Runs that had begun before what is asked now was declared. */
function lateRuns(
  runs: readonly PlacedRun[],
  now: Analysis,
  { launches, needsBaseline }: Past & { needsBaseline: boolean },
): number {
  const isSame = (then: Analysis | undefined) =>
    then?.metric === now.metric &&
    then?.goal === now.goal &&
    (!needsBaseline || canonicalJson(then?.baseline ?? null) === canonicalJson(now.baseline ?? null));
  const others = new Set(launches.filter(({ analysis }) => !isSame(analysis)));
  if (others.size === 0) return 0;
  return runs.filter(({ record }) => {
    // A run of another machine may seem to have begun before its launch.
    const launch = launches.findLast(({ atMs }) => atMs <= record.startedAtMs) ?? launches[0];
    return launch !== undefined && others.has(launch);
  }).length;
}

/** How many of the planned runs are there; null where all are, or nothing is known of a plan. */
export function progressOf(sources: readonly Source[]): { done: number; planned: number } | null {
  const counts = sources.map(({ records, runs = records.length, past }) => ({
    done: runs,
    planned: Math.max(runs, past?.total ?? 0),
  }));
  const [done, planned] = [sum(counts.map((one) => one.done)), sum(counts.map((one) => one.planned))];
  return done < planned ? { done, planned } : null;
}

/** What an unfinished study plans and has no run of yet. */
export function absentIn(source: Source): string[] {
  return progressOf([source]) ? absentLevels(source.study, source.records) : [];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

/** What was seen of the answer while its runs were still being made. */
export function lookCautions(source: Source, isNamed: boolean): Caution[] {
  const { past, label, records, runs: done = records.length } = source;
  const cautions: Caution[] = [];
  for (const { at, text } of past?.locked?.deviations ?? [])
    cautions.push({ kind: "deviation", text: `Deviation from the locked plan at ${at}: ${text}.` });
  const progress = progressOf([source]);
  const absent = absentIn(source);
  const without = absent.length > 0 ? `, and none with ${absent.join(" or ")}` : "";
  const of = isNamed ? `${label}: ` : "";
  if (progress)
    cautions.push({
      kind: "unfinished",
      text: `${of}Unfinished: ${countText(progress.done)} of ${plural(progress.planned, "planned run")} are there${without}. Whoever stops at the first clear answer makes more false claims than p says; wait for the rest.`,
    });
  const sizes = [...new Set([...(past?.looks ?? []).map(({ runs }) => runs), done])].sort((a, b) => a - b);
  if (past && past.looks.length > 0 && sizes.length > 1) {
    const grew = hasGrown(past);
    const what = grew
      ? "Runs were added after a look, and every look is another chance for a false claim: p and intervals are those of a single one."
      : progress
        ? "Each is a chance to stop too early."
        : "The plan was not changed by them, so p and intervals hold.";
    cautions.push({
      kind: "looks",
      text: `${of}The answer was shown ${plural(sizes.length, "time")}, at ${listed(sizes)} runs. ${what}`,
    });
  }
  return cautions;
}

/** Whether the plan was changed after somebody had seen an answer. */
function hasGrown({ launches, looks }: Past): boolean {
  const first = Math.min(...looks.map(({ atMs }) => atMs));
  return launches.some(({ atMs, plan }, i) => i > 0 && atMs > first && plan !== launches[i - 1]!.plan);
}

function listed(sizes: readonly number[]): string {
  const few = sizes.length > 6 ? [...sizes.slice(0, 3), ...sizes.slice(-2)] : [...sizes];
  const words = few.map(countText);
  if (sizes.length > 6) words.splice(3, 0, "...");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** Something a reader should know about how runs were put together. */
export interface Caution {
  kind:
    | "variant"
    | "averaged"
    | "repeats"
    | "settings"
    | "tasks"
    | "telling"
    | "unfinished"
    | "looks"
    | "deviation";
  text: string;
}

interface Doubts {
  variant: string | null;
  averaged: readonly string[];
  unit: UnitKind;
  counts: { tasks: number; seeds: number };
  blocks: readonly string[];
  pairing: Pairing;
  arms: readonly DesignArm[];
  /** See `Design.noun`. */
  noun: string;
}

/** What is counted, in words: tasks of which those came sooner that tell more are no sample of all. */
export function nounFor(
  unit: UnitKind,
  { tasks, easiness = {} }: { tasks: number; easiness: Shape["easiness"] },
): string {
  return unit === "task" && tasks < Object.keys(easiness).length ? "telling task" : unit;
}

/** What a reader of any answer should know. */
export function cautionsOf({
  variant,
  averaged,
  unit,
  counts,
  blocks,
  pairing,
  arms,
  noun,
}: Doubts): Caution[] {
  const cautions: Caution[] = [];
  const say = (kind: Caution["kind"], words: string) => cautions.push({ kind, text: words });
  if (variant !== null) say("variant", `Only runs of the variant ${variant} are compared here.`);
  if (averaged.length > 0)
    say(
      "averaged",
      `Only some arms have ${averaged.join(", ")}: each ${unit}'s value is its mean over ${averaged.length === 1 ? "it" : "them"}. Add ${averaged.join(", ")} to --by to keep them apart.`,
    );
  if (unit === "repeat" || unit === "round")
    say("repeats", "There is one seed: its repeats are counted, and they say nothing about other seeds.");
  if (unit === "setting" && arms.length > 1)
    say(
      "settings",
      `Each setting was run once for each arm: the settings of ${blocks.join(", ")} are counted, and nothing is known about chance within one.`,
    );
  if (unit === "seed" && counts.tasks > 1 && !pairing.isAsked)
    say("tasks", `The claim is about these ${counts.tasks} tasks: seeds are what was drawn.`);
  if (noun !== unit)
    say(
      "telling",
      `Tasks on which arms are likely to differ came sooner: means and differences are about the ${counts.tasks} tasks tried, not all of the study's. Only the decision is about all.`,
    );
  return cautions;
}

interface BaselineQuestion {
  ask: Ask;
  study: Shape | undefined;
  sources: readonly Source[];
  isWhole: boolean;
}

export function baselineOf(
  book: ArmIndex,
  { ask, study, sources, isWhole }: BaselineQuestion,
): Pick<Design, "baseline" | "isBaselineDeclared"> {
  if (isWhole) {
    const labels = sources.map(({ label }) => label);
    if (labels.length < 2) return { baseline: null, isBaselineDeclared: false };
    const asked = ask.baseline === undefined ? labels[0]! : labels.find((label) => label === ask.baseline);
    if (asked === undefined)
      throw new UserError(`--baseline ${ask.baseline}`, {
        expected: `one of ${labels.join(", ")}`,
        remedy: suggestion(ask.baseline!, labels),
      });
    return { baseline: asked, isBaselineDeclared: true };
  }
  const declared = study?.analysis.baseline ? book.withValues(study.analysis.baseline) : undefined;
  const isVariants = book.by.length === 1 && book.by[0]!.name === "variant";
  const base = declared ?? (isVariants ? book.arms.find(({ name }) => name === "baseline") : undefined);
  if (ask.baseline !== undefined) {
    const asked = book.called(ask.baseline, "--baseline");
    return { baseline: asked.name, isBaselineDeclared: asked === base };
  }
  return { baseline: base?.name ?? null, isBaselineDeclared: base !== undefined };
}
