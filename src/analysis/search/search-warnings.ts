import { plural } from "../../core/number-text.ts";
import type { Warning } from "../../core/warning.ts";
import { listWords } from "../compare/list-words.ts";
import type { SearchFindings } from "./analyse-search.ts";
import { isFull, lossOf } from "./rank-points.ts";
import type { SearchPoint } from "./search-points.ts";

const FEW_POINTS = 10;
/** Of fewer points the last tenth is too small to say anything. */
const FEWEST_FOR_TREND = 20;

/** What is to be doubted of a search, the gravest first. */
export function searchWarnings(found: Omit<SearchFindings, "warnings">): Warning[] {
  const { counts, best, study } = found;
  const infos: string[] = [];
  if (counts.stopped > 0)
    infos.push(
      `${plural(counts.stopped, "point")} ended early by the rule ${study.search.earlyStop?.kind ?? "of the search"}: no full results, so none of them is ranked.`,
    );
  if (counts.unfinished > 0)
    infos.push(`${plural(counts.unfinished, "point")} with runs that are not done are not ranked.`);
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
