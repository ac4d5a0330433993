import { numberText, plural, rangeText, rounded } from "../../core/number-text.ts";
import type { Params } from "../../core/params.ts";
import type { SearchFindings } from "./analyse-search.ts";
import type { SearchPoint } from "./search-points.ts";

/** What a search answers, in sentences. */
export interface SearchWords {
  sentence: string;
  /** That a winner is chosen for its value, and what to do about it. */
  caution: string;
  method: string;
}

export function searchWords(
  found: SearchFindings,
  { name, unit = "" }: { name: string; unit?: string },
): SearchWords {
  const { best, isFront, objectives, chosenFrom } = found;
  const [first] = best;
  const what = objectives.map(({ metric }) => metric).join(", ");
  if (!first)
    return {
      sentence: `Nothing is known about the best ${what}: ${whyNone(found)}.`,
      ...{ caution: "", method: "" },
    };
  if (isFront) {
    return {
      sentence: `${plural(best.length, "point")} of ${chosenFrom} ${best.length === 1 ? "is" : "are"} on the Pareto front of ${what}: no other beats ${best.length === 1 ? "it" : "them"} in everything.`,
      caution: `A front of ${chosenFrom} points is optimistic: chance helped its points onto it. Measure some on fresh seeds before you trust the numbers: assay confirm ${name}.`,
      method: "Points are compared by their means; intervals are not taken into account.",
    };
  }
  const { metric } = objectives[0]!;
  const constraint = found.study.search.constraints.length > 0 ? " that keep the constraints" : "";
  return {
    sentence: `The best of ${plural(chosenFrom, "point")}${constraint} is ${first.name} (${paramsWords(first.params, found)}): ${metric} ${valueWords(first, 0, unit)}, ${plural(first.n, first.unit)}.`,
    caution: cautionOf(found, { name, unit }),
    method: `${
      first.intervals[0]!.known
        ? `In brackets: 95 % ${first.intervals[0]!.method} interval of the mean over ${first.unit}s, of this point alone; it does not account for how the point was chosen.`
        : `No interval, because ${first.intervals[0]!.why}.`
    }${found.orderedBy === null ? "" : ` Points are ordered by ${found.orderedBy}.`}`,
  };
}

function whyNone({ counts, points }: SearchFindings): string {
  if (points.length === 0) return "no run has ended yet";
  if (points.every(({ runs }) => runs.failed === runs.ended))
    return `all ${plural(points.length, "point")} failed`;
  if (counts.failed === points.length)
    return `none of ${plural(points.length, "point")} has a value of it: their runs lack the metric, or failed`;
  return counts.missed > 0 ? "no point keeps the constraints" : "no point has a full result";
}

function cautionOf(found: SearchFindings, { name, unit }: { name: string; unit: string }): string {
  const { chosenFrom, optimism, best, objectives, counts } = found;
  if (chosenFrom < 2) return `It is the only one with a full result. ${confirmWords(name)}`;
  const early = counts.stopped > 0 ? ` and ${counts.stopped} that ended early` : "";
  const chosen = `It was chosen for its value among ${plural(chosenFrom, "point")}${early}, so the value is optimistic`;
  if (!optimism.known)
    return `${chosen}; by how much is unknown, because ${optimism.why}. ${confirmWords(name)}`;
  const value = best[0]!.values[0]!;
  const corrected = objectives[0]!.goal === "maximize" ? value - optimism.value : value + optimism.value;
  return `${chosen}: by about ${numberText(rounded(optimism.value, 2))}${unit} (${optimism.method}), which leaves ${numberText(corrected)}${unit}. ${confirmWords(name)}`;
}

function confirmWords(name: string): string {
  return `Measure it on fresh seeds before you trust the number: assay confirm ${name}.`;
}

export function valueWords({ values, intervals }: SearchPoint, objective: number, unit = ""): string {
  const interval = intervals[objective]!;
  if (!interval.known) return `${numberText(values[objective]!)}${unit}`;
  return rangeText({ value: values[objective]!, low: interval.low, high: interval.high }, { unit });
}

/** `lr=0.01, depth=3`: the parameters that the search varied. */
export function paramsWords(params: Params, { study }: Pick<SearchFindings, "study">): string {
  const words = study.search.space
    .filter(({ name, distribution }) => distribution.kind !== "constant" && Object.hasOwn(params, name))
    .map(({ name }) => `${name}=${paramWords(params[name])}`);
  return words.length > 0 ? words.join(", ") : "no parameters";
}

export function paramWords(value: unknown): string {
  if (value === undefined) return "";
  if (typeof value === "number") return numberText(value).replace("−", "-");
  return typeof value === "string" ? value : JSON.stringify(value);
}
