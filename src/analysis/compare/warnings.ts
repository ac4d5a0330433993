import { numberText, plural, pText } from "../../core/number-text.ts";
import type { Warning } from "../../core/warning.ts";
import type { Arm } from "../../design/arm-set.ts";
import type { Comparison } from "./comparison.ts";
import { listWords } from "./list-words.ts";
import type { Measured } from "./measure-difference.ts";
import type { Settled } from "./settle-failures.ts";

const OWNER_WORDS: Record<string, string> = {
  infrastructure: "by infrastructure failures",
  grader: "by the grader's failures",
  budget: "by the budget's end",
  agent: "by failures of the agent, which have no value for this metric",
  unknown: "without a number",
};

interface Doubts extends Pick<Comparison, "bounds" | "outliers"> {
  n: number;
  noun: string;
  alpha: number;
  measured: Measured;
  arms: readonly [Settled, Settled];
  /** What is counted. */
  unit?: string | undefined;
  /** Whether, and why, an interval of these values covers less often than it says. */
  roughness: "zeros" | "tail" | null;
  /** Whether the values, too few to choose by, seem to have heavy tails on both sides. */
  isHeavy: boolean;
  /** How many times as much the smaller group spreads, where that is much more. */
  unevenness: number | null;
  /** Whether plain means say the opposite. */
  isReversed: boolean;
  /** What would compare plain means, where others are compared. */
  insteadOfMeans: string | null;
  /** Whether what was compared is each pair's ratio. */
  isRatioOfPairs: boolean;
  /** What pairs share though the method takes them for independent. */
  shared: string | null;
}

/** What is to be doubted about a comparison, in sentences. */
export function warningsOf(doubts: Doubts): Warning[] {
  const { n, noun, alpha, measured, arms, bounds, outliers, shared, unit } = doubts;
  const { interval, test, check } = measured;
  const warnings = new Map<string, Warning>();
  const add = (kind: string, text: string) => warnings.set(text, { kind, level: "warn", text });
  if (unit === "seed" || noun === "seed")
    for (const { arm } of arms) for (const one of seedQuestion(arm)) warnings.set(one.text, one);
  // All of few pairs must differ the same way, where the smallest p there is hardly suffices.
  const isCoarse = test.known && (test.floor ?? 0) > alpha / 2;
  if (n < 5 || isCoarse) add("few", `${plural(n, noun)}: too few to see any but a very large difference.`);
  if (shared !== null)
    add(
      "shared",
      `Several pairs share one ${shared}, and this method treats them as independent: leave out --method.`,
    );
  for (const answer of [interval, test])
    if (answer.known) for (const caution of answer.cautions) add("caution", sentenceOf(caution));
  // It decides nothing, so what limits it is no doubt of the answer.
  if (check?.known)
    for (const caution of check.cautions) {
      const text = `The second test (${check.method}): ${sentenceOf(caution)}`;
      warnings.set(text, { kind: "check-caution", level: "info", text });
    }
  for (const text of contradictions(measured, { alpha, noun })) add("contradicted", text);
  if (doubts.roughness === "zeros")
    add(
      "rough",
      `Many values are 0, and the others vary: the interval of a mean of ${plural(n, noun)} like these covers less often than it says.`,
    );
  if (doubts.roughness === "tail")
    add(
      "rough",
      `The values vary by more than half of their size, and ${plural(n, noun)} can't show whether large ones have a long tail, as times and costs do. If they have, this interval covers less often than it says; --scale ratio compares by ratios.`,
    );
  if (doubts.isHeavy) {
    const text = `The values seem to have heavy tails on both sides. Trimmed means tell such arms apart more often, but with fewer than 20 ${noun}s they may leave out a bad one that is part of the answer, so means are compared. If that suits you, ask for --method trimmed before the next runs.`;
    warnings.set(text, { kind: "tails", level: "info", text });
  }
  if (doubts.unevenness !== null)
    add(
      "uneven",
      `The smaller group spreads ${numberText(doubts.unevenness, 2)} times as much as the larger one. If its values have a long tail on one side, a difference is claimed more often than alpha says: run more of the smaller group.`,
    );
  if (doubts.isReversed && doubts.insteadOfMeans !== null)
    add(
      "reversed",
      `By plain means the arms are the other way round, because a few large values dominate. ${doubts.insteadOfMeans} compares them.`,
    );
  for (const { arm, counted, missing } of arms) {
    if (counted > 0)
      add(
        "counted",
        `${plural(counted, "run")} of ${arm.name} failed by the agent's own fault and count as failed tasks.`,
      );
    const parts = Object.entries(missing).map(([owner, many]) => `${many} ${OWNER_WORDS[owner] ?? owner}`);
    if (parts.length > 0)
      add("missing", `Missing in ${arm.name}: ${parts.join(", ")}. They are left out, not counted as 0.`);
  }
  if (bounds) {
    const what = bounds.turns ? "which could change the result" : "so the direction stays";
    add(
      "bounds",
      `Were the missing values known, the difference could lie between ${numberText(bounds.low)} and ${numberText(bounds.high)} (all at the worst or the best value seen), ${what}.`,
    );
  }
  if (outliers.length > 0) {
    const isLongTailed = outliers.length > 0.05 * n && n >= 100;
    const what = doubts.isRatioOfPairs ? " times the baseline" : "";
    const named = outliers.map(({ label, value }) => `${label} (${numberText(value)}${what})`);
    add(
      "outliers",
      `${plural(outliers.length, "value")} far from the rest${isLongTailed ? ", so the tails are long" : ""}: ${listWords(named)}. Nothing was dropped; look at ${outliers.length === 1 ? "it" : "them"}.`,
    );
  }
  return [...warnings.values()];
}

/** Where two methods do not say the same of no difference, and which of them decides. */
function contradictions(
  { interval, test, check }: Measured,
  { alpha, noun }: Pick<Doubts, "alpha" | "noun">,
): string[] {
  if (!test.known) return [];
  const isSure = test.p <= alpha;
  const found: string[] = [];
  if (interval.known && (interval.low > 0 || interval.high < 0) !== isSure)
    found.push(
      `The interval (${interval.method}) and p (${test.method}) don't agree on whether there is a difference: p decides.`,
    );
  if (check?.known && (check.floor ?? 0) <= alpha && check.p <= alpha !== isSure)
    found.push(
      `The second test disagrees (${check.method}: p ${pText(check.p)}). The ${test.method} decides; more ${noun}s would settle it.`,
    );
  return found;
}

/** A program that gives one value whatever its seed is may not read it. */
export function seedQuestion({ name, observations }: Arm): Warning[] {
  const settings = new Map<string, Set<number>>();
  const seeds = new Set<string>();
  for (const { value, block = "", cluster, unit } of observations) {
    if (value === null) continue;
    const seen = settings.get(block) ?? new Set();
    settings.set(block, seen.add(value));
    if (seen.size > 1) return [];
    seeds.add(cluster ?? unit ?? "");
  }
  if (seeds.size < 2) return [];
  return [
    {
      ...{ kind: "same-values", level: "warn" },
      text: `All ${seeds.size} seeds of ${name} give the same value: does the program read its seed?`,
    },
  ];
}

function sentenceOf(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
