import type { Params } from "../core/params.ts";
import type { Run } from "../core/run.ts";
import type { Search } from "../core/space.ts";
import type { Study } from "../core/study.ts";
import { countPoints } from "../plan/count-points.ts";
import type { Plan } from "../plan/plan.ts";
import { studyAt } from "../plan/study-at.ts";
import { problemOf } from "./check-search.ts";
import { searchers } from "./searchers/index.ts";
import { compileSpace } from "./space/compile-space.ts";

/** What a search will run, as far as that is known before it runs. */
export interface SearchPlan {
  method: string;
  /** Points that will be tried at most; null where nothing but a target, a cost limit or a hand ends the search. */
  points: number | null;
  /** Runs of each point: cells of the matrix, variants, seeds and repeats. */
  runsPerPoint: number;
  total: number | null;
  /** Combinations of a finite space; null for a continuum. */
  combinations: number | null;
  /** Combinations that would repeat one that is there, since they differ in inactive parameters only. */
  saved: number;
  /** Combinations for which `where` does not hold; null where there are too many to count. */
  excluded: number | null;
}

export function planSearch(plan: Plan, search: Search): SearchPlan {
  const space = compileSpace(problemOf(plan.study, search));
  const runsPerPoint = plan.count();
  const isCountable = Number.isFinite(space.size);
  const axes = space.axes.map(({ name, domain, when }) => ({
    names: [name],
    size: domain.size,
    nth: (position: number) => [domain.nth(position)],
    when,
  }));
  const counted = isCountable ? countPoints(axes, plan.study.params, space.where) : undefined;
  const most = counted?.kept ?? Number.POSITIVE_INFINITY;
  const points = Math.min(search.points ?? Number.POSITIVE_INFINITY, most);
  const known = Number.isFinite(points) ? points : null;
  return {
    method: search.method,
    points: known,
    runsPerPoint,
    total: known === null ? null : known * runsPerPoint,
    combinations: counted ? (counted.kept ?? null) : null,
    saved: counted ? counted.full - counted.distinct : 0,
    excluded: counted ? (counted.kept === undefined ? null : counted.distinct - counted.kept) : 0,
  };
}

/** The runs of a search whose points are known beforehand, lazily; nothing for one that learns from its results. */
export function* searchRuns(study: Study, search: Search, planAt: (study: Study) => Plan): Generator<Run> {
  const points = searchers[search.method]?.points?.(problemOf(study, search)) ?? [];
  let number = 0;
  for (const point of points as Iterable<Params>) {
    if (search.points !== undefined && ++number > search.points) return;
    yield* planAt(studyAt(study, point)).runs();
  }
}
