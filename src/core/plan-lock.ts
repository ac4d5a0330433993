import { canonicalJson, hashText } from "./hash.ts";
import type { Analysis, Study } from "./study.ts";

/** What a locked plan fixes before the first run. Everything that could be chosen to please stands here. */
export interface LockedPlan {
  study: string;
  question: string | null;
  /** Metric, goal, baseline, pairs, margin, and when to stop where the study decides as it goes. */
  analysis: Analysis;
  /** What tells the runs apart: fixed parameters, axes with their values, variants, tasks by their content, repeats. */
  arms: Record<string, unknown>;
  seeds: number[];
  /** Which combinations are left out. */
  exclude: string | null;
  /** What a failed run counts as on the metric, when it is given up, and how often it is tried. */
  failures: { count: string; timeoutMs: number; retries: number };
  /** How many runs end the study, unless it decides as it goes. */
  stop: { runs: number } | "as decided";
  /** The code that is measured. */
  program: string;
}

/** locked.json. */
export interface PlanLock {
  format: 1;
  at: string;
  /** SHA-256 of the plan as canonical JSON. */
  hash: string;
  plan: LockedPlan;
  /** Stands for the question without its seeds and its study's name: a second try at it has the same. */
  asks: string;
  git: { commit: string; changes: string | null; tag: string } | null;
  /** Locks of the same question that came before and were run, or may have been. */
  earlier: { at: string; hash: string; where: string }[];
}

export interface Deviation {
  at: string;
  text: string;
}

export function hashPlan(plan: LockedPlan): string {
  return hashText(canonicalJson(plan));
}

/** The same for every try at a question, whatever its seeds, its name and the state of the code. */
export function hashQuestion({ analysis, arms, exclude, program }: LockedPlan): string {
  const { decide: _, also: __, ...asked } = analysis;
  return hashText(canonicalJson({ asked, arms, exclude, program: program.replace(/[#@][^#@]*$/, "") }));
}

interface Circumstances {
  program: string;
  /** What a failed run counts as. */
  failure: string | undefined;
  runs: number;
}

export function lockedPlanOf(study: Study, { program, failure, runs }: Circumstances): LockedPlan {
  const { name, question, analysis, params, axes, variants, where, seeds, limits, repeats } = study;
  const { tasks, taskVersions, valueVersions, easiness, alike, score } = study;
  return {
    study: name,
    question: question ?? null,
    analysis,
    arms: {
      ...{ params, axes, variants, repeats },
      ...(tasks && { tasks }),
      ...(taskVersions && { taskVersions }),
      ...(valueVersions && { valueVersions }),
      ...(easiness && { easiness }),
      ...(alike && { alike }),
      ...(score && { score }),
    },
    seeds,
    exclude: where ?? null,
    failures: { count: failure ?? "missing", timeoutMs: limits.timeoutMs, retries: limits.retries },
    stop: analysis.decide ? "as decided" : { runs },
    program,
  };
}

/**
 * What differs from the locked plan, in words. A study that decides as it goes may have more seeds than were locked: its
 * error holds however many there are. More arms share the error anew, and more tasks are another set, so both deviate.
 */
export function deviationsFrom(locked: LockedPlan, now: LockedPlan): string[] {
  const isLonger =
    locked.analysis.decide !== undefined &&
    locked.arms.tasks === undefined &&
    locked.seeds.every((seed, i) => now.seeds[i] === seed);
  const out: string[] = [];
  const compare = (name: string, was: unknown, is: unknown) => {
    if (canonicalJson(was ?? null) === canonicalJson(is ?? null)) return;
    out.push(`${name} was ${shortJson(was)} and became ${shortJson(is)}`);
  };
  compare("the question", locked.question, now.question);
  for (const key of keysOf(locked.analysis, now.analysis))
    compare(`analysis.${key}`, locked.analysis[key as keyof Analysis], now.analysis[key as keyof Analysis]);
  for (const key of keysOf(locked.arms, now.arms)) compare(key, locked.arms[key], now.arms[key]);
  if (!isLonger) compare("seeds", locked.seeds, now.seeds);
  compare("where", locked.exclude, now.exclude);
  compare("what a failed run counts as", locked.failures.count, now.failures.count);
  compare("the time limit in ms", locked.failures.timeoutMs, now.failures.timeoutMs);
  compare("the retries", locked.failures.retries, now.failures.retries);
  compare("the program", locked.program, now.program);
  return out;
}

function keysOf(a: object, b: object): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])];
}

const MOST_CHARACTERS = 80;

function shortJson(value: unknown): string {
  const json = canonicalJson(value ?? null);
  return json.length > MOST_CHARACTERS ? `${json.slice(0, MOST_CHARACTERS)}...` : json;
}
