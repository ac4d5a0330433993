import { plural } from "../../core/number-text.ts";
import type { RunRecord } from "../../core/run.ts";
import type { Objective } from "../../core/space.ts";
import type { Warning } from "../../core/warning.ts";
import { type Result, unknownBecause } from "../../stats/index.ts";
import { listWords } from "../compare/list-words.ts";
import { parameterImportance } from "./importance.ts";
import { type Optimism, optimismOfBest } from "./optimism.ts";
import { parameterColumns } from "./parameter-columns.ts";
import { isFull, lossOf, type Ranking, rankPoints } from "./rank-points.ts";
import { type SearchPoint, type SearchStudy, searchPoints } from "./search-points.ts";

const FEW_POINTS = 10;
/** Of fewer points the last tenth is too small to say anything. */
const FEWEST_FOR_TREND = 20;

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

/** What is to be doubted of a search, the gravest first. */
function searchWarnings(found: Omit<SearchFindings, "warnings">): Warning[] {
  const { counts, best, study } = found;
  const infos: string[] = [];
  if (counts.stopped > 0)
    infos.push(
      `${plural(counts.stopped, "point")} ended early by the rule ${study.search.earlyStop?.kind ?? "of the search"}: no full results, so none of them is ranked.`,
    );
  if (counts.unfinished > 0)
    infos.push(`${plural(counts.unfinished, "point")} left unranked: some of the runs are not done.`);
  if (best.length > 0 && counts.missed > 0)
    infos.push(
      `${plural(counts.missed, "point")} missed the constraints (${study.search.constraints.join("; ")}) and can't be best.`,
    );
  return [
    ...doubtsOf(found).map((text) => ({ kind: "search", level: "warn" as const, text })),
    ...infos.map((text) => ({ kind: "search", level: "info" as const, text })),
  ];
}

function doubtsOf(found: Omit<SearchFindings, "warnings">): string[] {
  const { points, counts, best, chosenFrom, study } = found;
  if (points.length === 0) return ["No run has ended yet."];
  const { search } = study;
  const warnings: string[] = [];
  if (points.every(({ runs }) => runs.failed === runs.ended))
    return [`All ${plural(points.length, "point")} failed: there is no value of ${metricsOf(found)}.`];
  if (counts.failed > 0)
    warnings.push(
      `${counts.failed} of ${plural(points.length, "point")} gave no value of ${metricsOf(found)}: they failed, or lack the metric.`,
    );
  if (chosenFrom === 0 && counts.missed > 0)
    warnings.push(
      `No point keeps the constraints (${search.constraints.join("; ")}): ${counts.missed} finished and missed them.`,
    );
  const [first] = best;
  if (first && first.runs.failed > 0)
    warnings.push(
      `${first.runs.failed} of ${plural(first.runs.ended, "run")} of ${first.name} failed; its mean is over the others.`,
    );
  if (first && first.n < 2)
    warnings.push("One seed per point can't show how much of its value is chance. Set seeds: 3 or more.");
  if (chosenFrom > 0 && chosenFrom < FEW_POINTS && search.method !== "grid")
    warnings.push(
      `Only ${plural(chosenFrom, "point")} with a full result: the best of so few says little about the space.`,
    );
  if (first && points.filter(isFull).every(({ values }) => values[0] === first.values[0]) && chosenFrom > 1)
    warnings.push(`All points have the same ${search.objectives[0]!.metric}: none is best.`);
  else if (isStillImproving(found))
    warnings.push(
      "The best point is among the last tenth: the search was still improving, and more points may find better ones.",
    );
  const equals = best.filter(({ values, name }) => name !== first!.name && values[0] === first!.values[0]);
  if (!found.isFront && equals.length > 0 && equals.length < chosenFrom - 1)
    warnings.push(
      `${listWords(equals.map(({ name }) => name))} ${equals.length === 1 ? "has" : "have"} the same value as ${first!.name}: they are listed in the order they were tried.`,
    );
  if (first && !found.isFront) warnings.push(...edgeWarnings(first, found));
  return warnings;
}

function metricsOf({ objectives }: Pick<SearchFindings, "objectives">): string {
  return objectives.map(({ metric }) => metric).join(" or ");
}

function isStillImproving({
  points,
  best,
  isFront,
  study,
  objectives,
}: Omit<SearchFindings, "warnings">): boolean {
  const [first] = best;
  if (!first || isFront || study.search.method === "grid" || points.length < FEWEST_FOR_TREND) return false;
  const before = points.filter((point) => isFull(point) && point.number <= points.length * 0.9);
  const loss = ({ values }: SearchPoint) => lossOf(values[0]!, objectives[0]!);
  return before.every((point) => loss(first) < loss(point));
}

/** The best value may lie beyond the space. */
function edgeWarnings(first: SearchPoint, { study }: Pick<SearchFindings, "study">): string[] {
  return study.search.space.flatMap(({ name, distribution }) => {
    const value = first.params[name];
    if (!("min" in distribution) || typeof value !== "number") return [];
    const { min, max, scale } = distribution;
    const along = (x: number) => (scale === "linear" ? x : Math.log(x));
    const at = (along(value) - along(min)) / (along(max) - along(min));
    if (!(at < 0.01 || at > 0.99) || min === max) return [];
    return [
      `${first.name} has ${name} at the ${at < 0.5 ? "lower" : "upper"} end of its range (${at < 0.5 ? min : max}): the best may lie beyond.`,
    ];
  });
}
