import type { RunRecord } from "../../core/run.ts";
import type { Objective } from "../../core/space.ts";
import type { Warning } from "../../core/warning.ts";
import { type Result, unknownBecause } from "../../stats/index.ts";
import { parameterImportance } from "./importance.ts";
import { type Optimism, optimismOfBest } from "./optimism.ts";
import { parameterColumns } from "./parameter-columns.ts";
import { isFull, lossOf, type Ranking, rankPoints } from "./rank-points.ts";
import { type SearchPoint, type SearchStudy, searchPoints } from "./search-points.ts";
import { searchWarnings } from "./search-warnings.ts";

/** A forest of so many points knows what one of all would. */
const MOST_POINTS = 2000;

/** What a search shows. */
export interface SearchFindings extends Ranking {
  study: SearchStudy;
  objectives: Objective[];
  points: SearchPoint[];
  counts: { ok: number; stopped: number; unfinished: number; failed: number; missed: number };
  /** How much its selection flatters the best point, of one objective. */
  optimism: Result<Optimism>;
  warnings: Warning[];
}

export function analyseSearch(study: SearchStudy, records: readonly RunRecord[]): SearchFindings {
  const { objectives } = study.search;
  const { points, means } = searchPoints(study, records);
  const ranking = rankPoints(points, objectives, means);
  const count = (state: SearchPoint["state"]) => points.filter((point) => point.state === state).length;
  const found = {
    ...{ study, objectives, points, ...ranking },
    counts: {
      ...{ ok: count("ok"), stopped: count("stopped"), unfinished: count("unfinished") },
      failed: count("failed"),
      missed: points.filter(({ state, violation }) => state === "ok" && violation > 0).length,
    },
    optimism: optimismOf(points, objectives),
  };
  return { ...found, warnings: searchWarnings(found) };
}

/** Over the finished points that have the same units, which are nearly all. */
function optimismOf(points: readonly SearchPoint[], objectives: readonly Objective[]): Result<Optimism> {
  const [objective, another] = objectives;
  if (!objective || another)
    return unknownBecause("with several objectives there is no single winner to be optimistic about");
  const full = points.filter(isFull);
  const widest = full.reduce((most, { n }) => Math.max(most, n), 0);
  const [model] = full.filter(({ n }) => n === widest);
  if (!model) return unknownBecause("no point has a full result");
  const keys = [...model.units[0]!.keys()];
  const alike = full.filter(({ n, units }) => n === widest && keys.every((key) => units[0]!.has(key)));
  return optimismOfBest(alike.map(({ units }) => keys.map((key) => lossOf(units[0]!.get(key)!, objective))));
}

/** What the parameters matter for one objective, over the points with full results. */
export function importanceOf({ study, points }: Pick<SearchFindings, "study" | "points">, objective = 0) {
  const all = points.filter(({ state }) => state === "ok");
  const stride = Math.ceil(all.length / MOST_POINTS);
  const full = stride > 1 ? all.filter((_, i) => i % stride === 0) : all;
  const columns = parameterColumns(study.search.space, full);
  const losses = full.map(({ values }) => lossOf(values[objective]!, study.search.objectives[objective]!));
  return { columns, losses, full, importance: parameterImportance(columns, losses) };
}
