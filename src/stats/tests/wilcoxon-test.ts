import { plural } from "../../core/number-text.ts";
import { differences } from "../effects/differences.ts";
import { subsetSums } from "../resampling/add-sums.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { pairProblem, type Sample } from "../sample.ts";
import { midranks } from "../summaries/ranks.ts";
import { exactTails, floorCaution, normalP, sidedP, type TestOptions, type TestResult } from "./p-value.ts";

export interface WilcoxonOptions extends TestOptions {
  /** Pairs without a difference: left out ("wilcox"), ranked but not counted ("pratt"), or half to each sign ("split"). */
  zeros?: "wilcox" | "pratt" | "split";
  /** Exact up to 100 pairs unless told, with ties too. */
  method?: "exact" | "normal";
  continuity?: boolean;
}

/**
 * Wilcoxon's signed-rank test that differences x − y lie symmetrically about zero; the statistic is W+, the rank
 * sum of the positive ones. The exact distribution is that of these very ranks, so ties and zeros do not spoil it.
 * Sources: F. Wilcoxon, Biometrics Bulletin 1 (1945), 80-83; J. W. Pratt, JASA 54 (1959), 655-667.
 */
export function wilcoxonTest(xs: Sample, ys: Sample, options: WilcoxonOptions = {}): Result<TestResult> {
  const { side = "two-sided", zeros = "wilcox", continuity = true } = options;
  const problem = pairProblem(xs, ys, 2, true);
  if (problem) return unknownBecause(problem);
  const { plus, counted } = signedRanks(differences(xs, ys), rounding(xs, ys), zeros);
  if (counted.length === 0) return unknownBecause("no pair differs");
  const statistic = plus;
  const floor = (side === "two-sided" ? 2 : 1) / 2 ** counted.length;
  if ((options.method ?? (counted.length <= 100 ? "exact" : "normal")) === "exact") {
    const tails = exactTails(subsetSums(counted.map((rank) => Math.round(2 * rank))), 2 * plus);
    const p = sidedP(tails.below, tails.above, side);
    const cautions = floorCaution(
      floor,
      `${plural(counted.length, "pair")} that ${counted.length === 1 ? "differs" : "differ"}`,
    );
    return known({ statistic, p, side, method: "Wilcoxon signed-rank, exact", cautions, floor });
  }
  const half = counted.reduce((sum, rank) => sum + rank, 0) / 2;
  const sd = Math.sqrt(counted.reduce((sum, rank) => sum + rank * rank, 0) / 4);
  const p = normalP(plus - half, sd, { side, continuity });
  return known({ statistic, p, side, method: "Wilcoxon signed-rank, normal", cautions: [] });
}

/** W+ and the ranks that carry a random sign under the null hypothesis. */
function signedRanks(d: Float64Array, tolerance: number, zeros: "wilcox" | "pratt" | "split") {
  const kept = zeros === "wilcox" ? d.filter((x) => Math.abs(x) > tolerance) : d;
  const { ranks } = midranks(kept.map(Math.abs), { tolerance });
  const counted: number[] = [];
  let plus = 0;
  for (let i = 0; i < kept.length; i++) {
    const zero = Math.abs(kept[i]!) <= tolerance;
    if (!zero || zeros === "split") counted.push(ranks[i]!);
    if (zero && zeros === "split") plus += ranks[i]! / 2;
    else if (!zero && kept[i]! > 0) plus += ranks[i]!;
  }
  return { plus, counted };
}

/** A few units in the last place of the largest value: how far equal differences can lie apart. */
function rounding(xs: Sample, ys: Sample): number {
  let most = 0;
  for (let i = 0; i < xs.length; i++) most = Math.max(most, Math.abs(xs[i]!), Math.abs(ys[i]!));
  return 8 * Number.EPSILON * most;
}
