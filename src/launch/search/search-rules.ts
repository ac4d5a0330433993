import { pointEvaluator } from "../../core/evaluate-point.ts";
import { canonicalJson } from "../../core/hash.ts";
import type { Params } from "../../core/params.ts";
import type { Run } from "../../core/run.ts";
import type { Ending, Search } from "../../core/space.ts";
import type { Study } from "../../core/study.ts";
import { placeInSpace } from "../../plan/admits-point.ts";
import { studyAt } from "../../plan/identify.ts";
import { Plan } from "../../plan/plan.ts";
import { checkSearch, planSearch } from "../../search/check-search.ts";
import { searchers } from "../../search/searchers/index.ts";
import type { Evaluation, Problem, Searcher } from "../../search/searchers/searcher.ts";
import type { Ledger } from "../../search/shared/ledger.ts";
import type { PointBook, PointState } from "../../search/shared/point-book.ts";
import type { Propose } from "../../search/shared/run-source.ts";
import { fieldOf } from "../../search/stoppers/index.ts";
import type { PreparedStudy } from "../prepare-study.ts";
import { shufflePieces } from "./early-stopping.ts";

interface Rules {
  /** Another one when the search has been changed. */
  version: string | undefined;
  study: Study;
  /** Runs in all; infinite where nothing but a hand ends the search. */
  total: number;
  runsOf(params: Params): Iterable<Run>;
  pointIn(params: Params): Params | undefined;
  propose: Propose;
  isEnough(book: PointBook): Ending | undefined;
}

/** How the next point is found, by the search as it is now: somebody may change it while workers are at it. */
export function searchRules(prepared: PreparedStudy, ledger: Ledger): () => Rules {
  let text: string | undefined;
  let rules: Rules;
  return () => {
    const now = ledger.fact("search");
    if (now !== text) {
      text = now;
      const search = prepared.study.search && (JSON.parse(now!) as Search);
      rules = { version: now, ...(search ? rulesOf(prepared, search) : rulesOfMatrix(prepared)) };
    }
    return rules;
  };
}

function rulesOf(prepared: PreparedStudy, search: Search): Omit<Rules, "version"> {
  const study = { ...prepared.study, search };
  const runsOf = (params: Params) => planAt(prepared, studyAt(study, params)).runs();
  const races = search.earlyStop !== undefined && fieldOf(search.earlyStop) !== undefined;
  return {
    study,
    runsOf: races
      ? (params) => shufflePieces(runsOf(params), { seed: search.seed, axisNames: prepared.plan.axisNames })
      : runsOf,
    total: searchSize(prepared.plan, search),
    pointIn: placeInSpace(study, search),
    propose: proposeWith(
      searchers[search.method]!,
      checkSearch(prepared.study, search, prepared.places),
      search,
    ),
    isEnough: isEnough(search),
  };
}

/** A matrix is a search with one point: all of its runs. */
function rulesOfMatrix(prepared: PreparedStudy): Omit<Rules, "version"> {
  const { study } = prepared;
  return {
    study,
    runsOf: () => planAt(prepared, study).runs(),
    total: prepared.plan.count(),
    pointIn: () => ({}),
    propose: ({ points }) => (points.length === 0 ? {} : undefined),
    isEnough: () => undefined,
  };
}

/** How many runs a search has in all; infinite where it goes on until somebody ends it. */
export function searchSize(plan: Plan, search: Search | undefined): number {
  return search ? (planSearch(plan, search).total ?? Number.POSITIVE_INFINITY) : plan.count();
}

function planAt({ program, redactor }: PreparedStudy, study: Study): Plan {
  return new Plan(study, program, redactor.text);
}

/** Asks a searcher for the next point, with what the book knows. */
export function proposeWith(searcher: Searcher, problem: Problem, search: Search): Propose {
  const evaluate = evaluator(search);
  const done = new WeakMap<PointState, { changes: number; evaluation: Evaluation }>();
  const evaluated = (point: PointState) => {
    const known = done.get(point);
    // A run that failed may have been done again since.
    if (known?.changes === point.changes) return known.evaluation;
    const evaluation = evaluate(point);
    done.set(point, { changes: point.changes, evaluation });
    return evaluation;
  };
  if (!searcher.points) {
    return ({ points, finished }) => {
      const isFinished = new Set(finished);
      const pending = points.filter((point) => !isFinished.has(point));
      const history = [...finished.map(evaluated), ...pending.map(asPending)];
      return searcher.ask(history, 1, problem)[0];
    };
  }
  // Where results don't matter the points come in a fixed order: this worker walks it once.
  const walk = searcher.points(problem)[Symbol.iterator]();
  const known = new Set<string>();
  let seen = 0;
  return ({ points }) => {
    for (; seen < points.length; seen++) known.add(canonicalJson(points[seen]!.params));
    for (;;) {
      const { value, done: isOver } = walk.next() as IteratorResult<Params, undefined>;
      if (isOver || !known.has(canonicalJson(value))) return value;
    }
  };
}

function asPending({ params }: PointState): Evaluation {
  return { params, state: "pending", values: [] };
}

/** What a point is worth to a searcher. */
function evaluator(search: Search): (point: PointState) => Evaluation {
  const evaluate = pointEvaluator(search);
  return ({ params, results, cut }) => {
    const { units: _, unit: _unit, ...worth } = evaluate([...results.values()]);
    if (worth.state === "failed") return { params, state: "failed", values: [] };
    return { params, ...worth, state: cut === undefined ? worth.state : "stopped" };
  };
}

/** So many runs without a single good one, or points without the metric, end a search: the rest would be no better. */
const HOPELESS = 5;

/**
 * Why a search should propose nothing more; undefined while it may go on. A defeat takes as many tries in each launch:
 * whoever runs a search again may have mended what was wrong.
 */
export function isEnough(search: Search): (book: PointBook) => Ending | undefined {
  const { objectives } = search;
  const reachedBy = targetJudge(search);
  let read = 0;
  const judged = new Set<PointState>();
  const blind = new Set<PointState>();
  const reached = new Map<PointState, string>();
  return ({ points, finished, news, ended, sinceLaunch }) => {
    if (search.points !== undefined && points.length >= search.points)
      return { why: `all ${search.points} points have been proposed` };
    for (; read < news.length; read++) {
      const point = news[read]!;
      judged.add(point);
      if (hasMetrics(point)) blind.delete(point);
      else blind.add(point);
      const why = reachedBy(point);
      if (why === undefined) reached.delete(point);
      else reached.set(point, why);
    }
    for (const why of reached.values()) return { why };
    if (ended.ok === 0 && sinceLaunch.failed >= HOPELESS)
      return { why: `all ${ended.failed} runs so far have failed`, isDefeat: true };
    const isBlind = blind.size === judged.size && objectives.length > 0;
    if (isBlind && sinceLaunch.news >= HOPELESS && judged.size >= HOPELESS && ended.ok > 0) {
      const wanted = objectives.map(({ metric }) => metric).join(" and ");
      const why = `none of ${judged.size} finished points has ${wanted}; the runs report ${reportedBy(finished) || "no metric at all"}`;
      return { why, isDefeat: true };
    }
    return undefined;
  };

  function hasMetrics({ results }: PointState): boolean {
    return [...results.values()].some(({ metrics }) =>
      objectives.every(({ metric }) => metrics[metric] !== undefined),
    );
  }
}

/** What a point has reached: one whose every run is good and that keeps the constraints. */
function targetJudge(search: Search): (point: PointState) => string | undefined {
  const evaluate = pointEvaluator(search);
  const isWanted = search.objectives.some(({ target }) => target !== undefined);
  return ({ results, cut }) => {
    const runs = [...results.values()];
    if (!isWanted || cut !== undefined || runs.some(({ outcome }) => outcome.status !== "ok"))
      return undefined;
    const { state, values, violation } = evaluate(runs);
    if (state !== "ok" || violation > 0) return undefined;
    for (const [i, { metric, goal, target }] of search.objectives.entries()) {
      const value = values[i]!;
      if (target !== undefined && (goal === "minimize" ? value <= target : value >= target))
        return `${metric} has reached ${value} (target ${target})`;
    }
    return undefined;
  };
}

function reportedBy(finished: PointBook["finished"]): string {
  const names = finished.flatMap(({ results }) =>
    [...results.values()].flatMap(({ metrics }) => Object.keys(metrics)),
  );
  return [...new Set(names)].slice(0, 8).join(", ");
}
