import { benjaminiHochberg, holm } from "../../stats/index.ts";
import type { Adjustment } from "./comparison.ts";

/** What the p of one claim is worth among those that are made together. */
export interface Claim {
  adjustedP: number | null;
  /** The level at which this claim was judged: an interval of 1 minus it leaves 0 out exactly where the claim is sure. */
  alpha: number;
}

interface Family {
  alpha: number;
  how: Adjustment | undefined;
  /** So many claims of which these are some: then each is judged at alpha divided by it. */
  among?: number | undefined;
}

/**
 * Holm judges the k-th smallest of m p-values at alpha / (m − k + 1) and stops at the first that is too large, which all
 * that follow share; Benjamini and Hochberg judge every claim at alpha times the share of claims that hold, and the
 * intervals at that level keep the false coverage rate.
 * Sources: S. Holm, Scand. J. Stat. 6 (1979), 65-70; Y. Benjamini and D. Yekutieli, JASA 100 (2005), 71-81.
 */
export function judgeFamily(ps: readonly (number | null)[], { alpha, how, among }: Family): Claim[] {
  const claims = how === "simultaneous" ? (among ?? ps.length) : among;
  if (claims !== undefined)
    return ps.map((p) => ({
      adjustedP: p === null ? null : Math.min(1, p * claims),
      alpha: alpha / Math.max(1, claims),
    }));
  const tested = ps.flatMap((p, i) => (p === null ? [] : [{ p, i }])).sort((a, b) => a.p - b.p);
  const sorted = tested.map(({ p }) => p);
  const answer = how === "bh" ? benjaminiHochberg(sorted) : holm(sorted);
  const adjusted = answer.known ? answer.adjusted : [];
  const [m, sure] = [tested.length, adjusted.filter((p) => p <= alpha).length];
  const levelOf = (k: number) =>
    how === "bh" ? (alpha * (k < sure ? sure : sure + 1)) / m : alpha / (m - Math.min(k, sure));
  const found = ps.map((): Claim => ({ adjustedP: null, alpha }));
  for (const [k, { i }] of tested.entries()) found[i] = { adjustedP: adjusted[k]!, alpha: levelOf(k) };
  return found;
}
