import { numberText, plural, rangeText, unitWords } from "../core/number-text.ts";
import type { Warning } from "../core/warning.ts";
import type { ArmSet } from "../design/arm-set.ts";
import type { Design } from "../design/design.ts";
import type { MetricFacts } from "../design/metric.ts";
import type { Standing } from "../design/standing.ts";
import { type Compared, compareArms } from "./compare/compare-arms.ts";
import type { CompareOptions, Comparison, Verdict } from "./compare/comparison.ts";
import { differing } from "./compare/failure-rates.ts";
import { alsoSentences, headlineFor, leaderOf } from "./compare/headline.ts";
import { settleFailures } from "./compare/settle-failures.ts";
import { seedQuestion } from "./compare/warnings.ts";
import { type ArmEstimate, estimateArm, intervalWords } from "./estimate-arm.ts";

/** What a study says, in a sentence with its uncertainty, and the comparisons behind it. */
export interface StudyAnswer {
  sentence: string;
  method: string;
  /** Whether it was asked for before the runs. */
  standing: Standing;
  verdict: Verdict;
  /** Further sentences: the other arms. */
  others: string[];
  /** Arms that fail more often than others, what the winner pays elsewhere, and what else the metrics of `analysis.also` show. */
  also: string[];
  /** The comparisons that were made, the one of the sentence first. */
  comparisons: Comparison[];
  /** The best arm; null where the study doesn't say which way is better, or nothing is known. */
  leader: string | null;
  arms: ArmEstimate[];
  /** What is to be doubted. */
  warnings: Warning[];
}

const UNPLANNED: Standing = { status: "exploratory", why: "there is no study file that could have named it" };

export interface Question {
  design: Design;
  metric: MetricFacts;
  set: ArmSet;
  /** Of the metrics that the study also names. */
  also?: readonly ArmSet[];
  options?: CompareOptions;
}

/** The answer that the runs give to the study's question. */
export function answerOf(question: Question): StudyAnswer {
  const { design, metric, set, also = [], options } = question;
  const settled = settleFailures(set);
  const arms = settled.arms.map((arm) => estimateArm(arm, settled));
  const there = arms.filter(({ mean }) => mean !== null);
  const standing = design.standing(metric.name) ?? UNPLANNED;
  const none: Omit<StudyAnswer, "sentence" | "method"> = {
    ...{ standing, verdict: "unknown", leader: null, arms },
    ...{ others: [], also: [], comparisons: [], warnings: [] },
  };
  if (there.length === 0)
    return { ...none, sentence: `${metric.name} is unknown: no run has a value for it.`, method: "" };
  if (design.arms.length < 2) {
    const { sentence, method } = estimateOf(there[0]!, question);
    const alone =
      design.absent.length > 0
        ? ` There is no run with ${design.absent.join(" or ")} yet, so nothing is compared.`
        : "";
    return { ...none, sentence: `${sentence}${alone}`, method, warnings: set.arms.flatMap(seedQuestion) };
  }
  const { baseline } = design;
  const compared = compareArms([set], {
    withPower: false,
    ...options,
    ...(baseline !== null && { baseline }),
  });
  const told = headlineFor(set, compared);
  const ordered = inTellingOrder(compared.comparisons, told.first);
  return {
    sentence: told.sentence,
    method: methodOf(told.first, { design, compared }),
    standing,
    // "fifo, the baseline, is best" is no failure, though what it rests on is that the others are worse.
    verdict:
      told.winner === baseline && told.winner !== null && told.sentence !== told.first?.sentence
        ? "better"
        : (told.first?.verdict ?? "unknown"),
    others: ordered
      .filter((one) => one !== told.first || told.sentence !== one.sentence)
      .map(({ sentence }) => sentence),
    also: [
      ...differing(compared.failures),
      ...also.flatMap((second) => alsoSentences(second, { ...told, baseline, ...(options && { options }) })),
    ],
    comparisons: ordered,
    leader: leaderOf(set, compared.leaders),
    arms,
    warnings: ordered[0]?.warnings ?? [],
  };
}

function inTellingOrder(comparisons: readonly Comparison[], first: Comparison | undefined): Comparison[] {
  const rest = comparisons.filter((one) => one !== first).toSorted((a, b) => rankOf(b) - rankOf(a));
  return first ? [first, ...rest] : rest;
}

/** The best arm leads; where nobody said what is better, the one that differs most; what is unknown comes last. */
function rankOf(comparison: Comparison): number {
  const { goal, relative, difference, verdict } = comparison;
  const size = relative.known ? relative.value : difference.known ? difference.value : null;
  if (size === null || verdict === "unknown") return Number.NEGATIVE_INFINITY;
  return goal === null ? Math.abs(size) : goal === "maximize" ? size : -size;
}

function methodOf(
  first: Comparison | undefined,
  { design, compared }: { design: Design; compared: Compared },
): string {
  if (!first?.method) return "No interval could be made.";
  const { family, alpha, baseline } = compared;
  const level = numberText(100 * (1 - alpha));
  const { name, why } = first.method;
  // A difference that is the same in every pair has no interval.
  const hasInterval = first.difference.known && first.verdict !== "unknown" && !first.isExact;
  const how = hasInterval
    ? `In brackets: ${level} % confidence interval (${name}, because ${why}).`
    : `The method is ${name}, because ${why}.`;
  const what = `${how} ${first.pairing.note}`;
  const pairs = baseline === null ? `all ${family} pairs of arms` : `${family} comparisons`;
  const among =
    family > 1 ? ` p is adjusted for ${pairs} by Holm's method, and each interval is widened to match.` : "";
  // What is still to be done is a warning of its own.
  const notes = design.cautions
    .filter(({ kind }) => kind !== "unfinished" && kind !== "deviation")
    .map(({ text }) => ` ${text}`)
    .join("");
  return `${what}${among}${notes}`;
}

function estimateOf(
  arm: ArmEstimate,
  { metric, design, set }: Question,
): Pick<StudyAnswer, "sentence" | "method"> {
  const size = plural(arm.units.length, design.unit);
  const { interval, mean } = arm;
  if (!interval.known)
    return {
      sentence: `${metric.name} is ${numberText(mean!)}${unitWords(metric.unit)}, ${size}; no interval, because ${interval.why}.`,
      method: `The mean over ${size}.`,
    };
  const range = { value: interval.estimate, low: interval.low, high: interval.high };
  return {
    sentence: `${metric.name} is ${rangeText(range, { unit: unitWords(metric.unit) })} on average, ${size}.`,
    method: `In brackets: ${intervalWords(settleFailures(set), design.unit)}.`,
  };
}
