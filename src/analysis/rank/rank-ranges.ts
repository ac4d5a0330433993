import type { Comparison } from "../compare/comparison.ts";

/** Where an arm stands among the others, and how far that can be relied on. */
export interface RankRange {
  name: string;
  /** By the means. */
  rank: number;
  /** The ranks that it may truly have: all arms have theirs at once, but for a chance of alpha. */
  best: number;
  worst: number;
  /** Whether it is surely better than the next one; null for the last. */
  isAboveNext: boolean | null;
}

/**
 * The ranks that arms may truly have, given what was said of every pair with the chance of even one false claim below
 * alpha: no better than after all that are surely better, no worse than before all that are surely worse.
 * Source: M. Mogstad, J. Romano, A. Shaikh, D. Wilhelm, "Inference for ranks" (2024), Review of Economic Studies 91.
 */
export function rankRanges(ordered: readonly string[], pairs: readonly Comparison[]): RankRange[] {
  const place = new Map(ordered.map((name, i) => [name, i]));
  const above = ordered.map(() => 0);
  const below = ordered.map(() => 0);
  const isAboveNext = ordered.map(() => false);
  for (const { candidate, baseline, verdict } of pairs) {
    if (verdict !== "better" && verdict !== "worse") continue;
    const names = [candidate.name, baseline.name];
    const [winner, loser] = (verdict === "better" ? names : names.reverse()).map((name) => place.get(name)!);
    above[loser!]!++;
    below[winner!]!++;
    if (loser === winner! + 1) isAboveNext[winner!] = true;
  }
  return ordered.map((name, i) => ({
    ...{ name, rank: i + 1, best: 1 + above[i]!, worst: ordered.length - below[i]! },
    isAboveNext: i === ordered.length - 1 ? null : isAboveNext[i]!,
  }));
}
