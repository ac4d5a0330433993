import { numberText, plural, rangeText } from "../../core/number-text.ts";
import { tInterval } from "../../stats/index.ts";
import { compareArms } from "../compare/compare-arms.ts";
import type { Comparison, Verdict } from "../compare/comparison.ts";
import type { ArmSet } from "../compare/observation.ts";
import type { UnitValues } from "./arm-values.ts";
import type { Layout } from "./layout.ts";
import type { MetricFacts } from "./metric-facts.ts";

/** What a study says, in a sentence with its uncertainty, and the comparison behind it. */
export interface StudyAnswer {
  sentence: string;
  method: string;
  status: "planned" | "exploratory";
  verdict: Verdict;
  others: string[];
  /** The comparisons that were made, the one of the sentence first. */
  comparisons: Comparison[];
}

interface Question {
  metric: MetricFacts;
  layout: Layout;
  /** Whether the study file names the metric. */
  isMetricDeclared: boolean;
  /** null where there is one arm only. */
  set: ArmSet | null;
  /** Of all facets together: for the estimate of a single arm. */
  values: readonly UnitValues[];
}

/** The answer that the runs give to the study's question. */
export function answerOf(question: Question): StudyAnswer {
  const { layout, isMetricDeclared, set } = question;
  const status =
    isMetricDeclared && (layout.isDeclared || layout.arms.length < 2) ? "planned" : "exploratory";
  if (!set || layout.baseline === null) return { ...estimateOf(question), status };
  const { comparisons, family, alpha } = compareArms([set], { baseline: layout.baseline, withPower: false });
  const ordered = comparisons.toSorted((a, b) => rankOf(b) - rankOf(a));
  const [first, ...rest] = ordered as [Comparison, ...Comparison[]];
  return {
    sentence: first.sentence,
    method: methodOf(first, { layout, family, alpha }),
    status,
    verdict: first.verdict,
    others: rest.map(({ sentence }) => sentence),
    comparisons: ordered,
  };
}

/** The best arm leads; where nobody said what is better, the one that differs most. */
function rankOf({ goal, relative, difference, verdict }: Comparison): number {
  const size = relative.known ? relative.value : difference.known ? difference.value : null;
  if (size === null || verdict === "unknown") return Number.NEGATIVE_INFINITY;
  return goal === null ? Math.abs(size) : goal === "maximize" ? size : -size;
}

function methodOf(
  { method, pairing }: Comparison,
  { layout, family, alpha }: { layout: Layout; family: number; alpha: number },
): string {
  if (!method) return "No interval could be made.";
  const what = `In brackets: ${numberText(100 * (1 - alpha))} % confidence interval (${method.name}, because ${method.why}). ${pairing.note}`;
  const among =
    family > 1
      ? ` The best of ${family + 1} arms is named first; p is adjusted for ${family} comparisons by Holm's method, the interval is not.`
      : "";
  return `${what}${among}${variantNote(layout)}`;
}

function variantNote({ variant }: Layout): string {
  return variant === null ? "" : ` Only runs of the variant ${variant} are compared here.`;
}

function estimateOf({ metric, values, layout }: Question): Omit<StudyAnswer, "status"> {
  const all = values.flatMap((group) => group.values);
  const none = { verdict: "unknown" as const, others: [], comparisons: [] };
  const units = new Set(values.flatMap((group) => group.units)).size;
  if (all.length === 0)
    return { ...none, sentence: `${metric.name} is unknown: no run has a value for it.`, method: "" };
  const [group] = values;
  if (values.length > 1) {
    const low = all.reduce((a, b) => Math.min(a, b));
    const high = all.reduce((a, b) => Math.max(a, b));
    return {
      ...none,
      sentence: `${metric.name} lies between ${numberText(low)} and ${numberText(high)}${unitWords(metric)} over ${values.length} settings, ${plural(units, layout.unit)} each.`,
      method: "The range of the values seen; the chart has each setting with its interval.",
    };
  }
  const interval = tInterval(group!.values);
  const size = plural(units, layout.unit);
  if (!interval.known)
    return {
      ...none,
      sentence: `${metric.name} is ${numberText(all.reduce((a, b) => a + b, 0) / all.length)}${unitWords(metric)}, ${size}; no interval, because ${interval.why}.`,
      method: `The mean over ${size}.`,
    };
  const range = { value: interval.estimate, low: interval.low, high: interval.high };
  return {
    ...none,
    sentence: `${metric.name} is ${rangeText(range, { unit: unitWords(metric) })} on average, ${size}.`,
    method: `In brackets: 95 % t interval of the mean over ${layout.unit}s.`,
  };
}

function unitWords({ unit }: MetricFacts): string {
  return unit === null || unit === "" || unit === "1" ? "" : ` ${unit}`;
}
