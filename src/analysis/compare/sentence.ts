import { countText, numberText, plural, pText, rangeText } from "../../core/number-text.ts";
import type { Side } from "../../stats/index.ts";
import type { CompareOptions, Comparison, Range, Unjudged } from "./comparison.ts";

interface Setting {
  margin: CompareOptions["margin"];
  side: Side;
  sizes: Unjudged["sizes"];
}

/** The result in a sentence: "full beats fifo_cheapest on makespan_p95_ms by 31 % [24, 37], 10 seeds, paired." */
export function sentenceFor(comparison: Omit<Comparison, "sentence">, setting: Setting): string {
  const { part, metric, baseline, candidate, difference, verdict } = comparison;
  const where = part === null ? "" : `${part}: `;
  const [a, b] = [candidate.name, baseline.name];
  if (!difference.known || verdict === "unknown") {
    const why = difference.known ? "there is no test" : difference.why;
    return `${where}${a} against ${b} on ${metric}: unknown, because ${why}.`;
  }
  if (comparison.isExact) return `${where}${exactSentence(comparison, difference.value)}`;
  const size = `${meansWords(comparison)}${sizeWords(comparison, setting.sizes)}`;
  const amount = amountOf(comparison);
  const small = setting.margin ? withinWords(comparison, marginWords(setting.margin)) : "";
  switch (verdict) {
    case "better":
      return `${where}${a} beats ${b} on ${metric} by ${amount.plain}${small}, ${size}.`;
    case "worse":
      return `${where}${a} is worse than ${b} on ${metric} by ${amount.plain}${small}, ${size}.`;
    case "higher":
    case "lower":
      return `${where}${metric} is ${amount.plain} ${verdict} with ${a} than with ${b}${small}, ${size}.`;
    case "equal":
      return `${where}${a} and ${b} are equal on ${metric} within the margin of ${marginWords(setting.margin!)}: ${amount.signed}, ${size}.`;
    case "unclear":
      if (setting.side !== "two-sided") {
        const way = setting.side === "greater" ? "higher" : "lower";
        return `${where}${metric} is not shown to be ${way} with ${a} than with ${b}: ${amount.signed}, ${size}.`;
      }
      return `${where}${a} and ${b} can't be told apart on ${metric}: ${amount.signed}, ${size}.`;
  }
}

/** What was compared, where it is not plain means. */
function meansWords({ scale, centre }: Pick<Comparison, "scale" | "centre">): string {
  const kinds = [...(centre !== "mean" ? ["trimmed"] : []), ...(scale === "ratio" ? ["geometric"] : [])];
  return kinds.length === 0 ? "" : `by ${kinds.join(" ")} means, `;
}

/** "A beats B on score by exactly 0.1 in every one of 2,500 pairs." */
function exactSentence(comparison: Omit<Comparison, "sentence">, value: number): string {
  const { metric, baseline, candidate, verdict, pairing, adjustedP } = comparison;
  const [a, b] = [candidate.name, baseline.name];
  const runs = `${plural(candidate.observations, "run")} and ${countText(baseline.observations)}`;
  const every = pairing.isPaired ? `in every one of ${plural(pairing.n, "pair")}` : `in all of ${runs}`;
  if (value === 0)
    return `${a} and ${b} are identical on ${metric} in ${pairing.isPaired ? (pairing.n === 2 ? "both pairs" : `all ${plural(pairing.n, "pair")}`) : `all of ${runs}`}.`;
  const amount = numberText(Math.abs(value));
  switch (verdict) {
    case "better":
      return `${a} beats ${b} on ${metric} by exactly ${amount} ${every}.`;
    case "worse":
      return `${a} is worse than ${b} on ${metric} by exactly ${amount} ${every}.`;
    default: {
      const way = value > 0 ? "higher" : "lower";
      const few = pairing.clusters ?? { n: pairing.n, noun: pairing.isPaired ? "pair" : "run" };
      const doubt =
        verdict === "unclear"
          ? `, but ${plural(few.n, few.noun)} can't rule out chance (p ${pText(adjustedP ?? 1)})`
          : "";
      return `${metric} is ${way} by exactly ${amount} with ${a} than with ${b} ${every}${doubt}.`;
    }
  }
}

/** In percent of the baseline; in points where the values are rates; else in the metric's own unit. */
function amountOf({ kind, difference, relative }: Pick<Comparison, "kind" | "difference" | "relative">): {
  plain: string;
  signed: string;
} {
  const known = difference.known ? difference : { value: 0, low: 0, high: 0 };
  if (kind === "rate") return words(times(known, 100), known.value === 0.01 ? " point" : " points");
  if (relative.known) return words(times(relative, 100), " %");
  return words(known, "");
}

function words(range: Range, unit: string): { plain: string; signed: string } {
  const upright = range.value < 0 ? { value: -range.value, low: -range.high, high: -range.low } : range;
  return { plain: rangeText(upright, { unit }), signed: rangeText(range, { unit, signed: true }) };
}

function times({ value, low, high }: Range, factor: number): Range {
  return { value: value * factor, low: low * factor, high: high * factor };
}

function sizeWords({ pairing }: Pick<Comparison, "pairing">, sizes: Setting["sizes"]): string {
  if (pairing.isPaired) {
    const of = pairing.clusters === null ? "" : ` of ${plural(pairing.clusters.n, pairing.clusters.noun)}`;
    return `${plural(pairing.n, pairing.noun)}${of}, paired`;
  }
  return `${countText(sizes.candidate)} against ${plural(sizes.baseline, pairing.noun)}, not paired`;
}

/** Nothing where the difference is surely beyond the margin, or nobody could lose. */
function withinWords({ margin, difference, verdict }: Omit<Comparison, "sentence">, words: string): string {
  if (!margin || !difference.known) return "";
  if (Math.abs(difference.value) <= margin.size) return `, which is within the margin of ${words}`;
  return verdict === "worse" && !margin.isExceeded ? `, which may be within the margin of ${words}` : "";
}

export function marginWords({ value, isShare }: NonNullable<CompareOptions["margin"]>): string {
  return isShare ? `${numberText(value * 100)} %` : numberText(value);
}
