import { type Place, UserError } from "../core/errors.ts";
import { clearestIssue, explainIssue, shownValue } from "../core/explain-issue.ts";
import { nestParams } from "../core/nest-params.ts";
import type { Params } from "../core/params.ts";
import type { Run } from "../core/run.ts";
import type { Search } from "../core/space.ts";
import type { Study } from "../core/study.ts";
import { suggestion } from "../core/suggest.ts";
import { countPoints } from "../plan/count-points.ts";
import { studyAt } from "../plan/identify.ts";
import type { Plan } from "../plan/plan.ts";
import { searchers } from "./searchers/index.ts";
import type { Problem } from "./searchers/searcher.ts";
import { compileSpace } from "./space/compile-space.ts";
import { makePoint } from "./space/points.ts";
import { makeJudge } from "./stoppers/index.ts";

/** Says where a path below a study's `search:` stands in its file. */
interface SearchPlaces {
  search(...path: string[]): Place;
}

/** The search of a study with its searcher and options known to be right; else a mistake with its place. */
export function checkSearch(study: Pick<Study, "params">, search: Search, places: SearchPlaces): Problem {
  const searcher = Object.hasOwn(searchers, search.method) ? searchers[search.method] : undefined;
  if (!searcher) {
    throw new UserError(`unknown method "${search.method}"`, {
      place: places.search("method"),
      remedy: suggestion(search.method, Object.keys(searchers)),
    });
  }
  const options = searcher.options.safeParse(search.options);
  if (!options.success) {
    const issue = clearestIssue(options.error.issues)!;
    const isUnknown = issue.code === "unrecognized_keys";
    const path = isUnknown ? [issue.keys[0]!] : issue.path.map(String);
    throw new UserError(isUnknown ? `${search.method} has no option "${path[0]}"` : "", {
      place: places.search("options", ...path),
      ...(!isUnknown && { expected: explainIssue(issue), got: shownValue(search.options[path[0]!]) }),
    });
  }
  const problem = problemOf(study, search, options.data);
  const { earlyStop } = search;
  if (earlyStop) placed(places.search("stop"), () => makeJudge(earlyStop, search.points));
  placed(places.search("space"), () => compileSpace(problem));
  return problem;
}

function placed(place: Place, check: () => unknown): void {
  try {
    check();
  } catch (error) {
    throw error instanceof UserError ? error.at(place) : error;
  }
}

export function problemOf(
  { params }: Pick<Study, "params">,
  search: Search,
  options: unknown = search.options,
): Problem {
  const { space, where, objectives, seed } = search;
  return { space, objectives, seed, options, fixed: params, ...(where !== undefined && { where }) };
}

const MOST_VALUES = 50;
/** A target that takes so many different points takes the others too, or says so when they run. */
const MOST_POINTS = 500;

/** Points at which every value of every list, and both ends of every range, occurs: what a target must accept. */
export function* samplePoints(problem: Problem): Generator<Params> {
  const { where: _, ...unconditional } = problem;
  const space = compileSpace(unconditional);
  const middle = (i: number) => space.axes[i]!.default ?? space.axes[i]!.domain.valueAt(0.5);
  const sample = (choose: typeof middle) => nestParams(makePoint(space, choose) ?? {}, problem.space);
  yield sample(middle);
  let yielded = 1;
  for (const [axis, { domain }] of space.axes.entries()) {
    const isList = Number.isFinite(domain.size) && (!domain.ordered || domain.size <= MOST_VALUES);
    const ends = [domain.valueAt(1e-9), domain.valueAt(1 - 1e-9)];
    const values = isList
      ? Array.from({ length: Math.min(domain.size, MOST_VALUES) }, (_, i) => domain.nth(i))
      : ends;
    for (const value of values) {
      if (++yielded > MOST_POINTS) return;
      yield sample((i) => (i === axis ? value : middle(i)));
    }
  }
}

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
