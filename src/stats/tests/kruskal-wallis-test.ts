import { chi2Tail } from "../distributions/chi2.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import type { Sample } from "../sample.ts";
import { midranks } from "../summaries/ranks.ts";
import { groupsProblem, type TestResult } from "./p-value.ts";

/**
 * Kruskal and Wallis's test that several independent groups come from one distribution, on ranks; the chi-square
 * approximation, for about five values a group and more. Source: JASA 47 (1952), 583-621.
 */
export function kruskalWallisTest(groups: readonly Sample[]): Result<TestResult> {
  const problem = groupsProblem(groups, 1);
  if (problem) return unknownBecause(problem);
  const { ranks, tieTerm } = midranks(groups.flatMap((group) => Array.from(group)));
  const n = ranks.length;
  const untied = 1 - tieTerm / (n ** 3 - n);
  if (untied <= 0) return unknownBecause("all values are equal");
  let at = 0;
  let total = 0;
  for (const group of groups) {
    let sum = 0;
    for (let i = 0; i < group.length; i++) sum += ranks[at++]!;
    total += sum ** 2 / group.length;
  }
  const statistic = ((12 / (n * (n + 1))) * total - 3 * (n + 1)) / untied;
  const df = groups.length - 1;
  return known({
    statistic,
    df,
    p: chi2Tail(statistic, df),
    side: "two-sided",
    method: "Kruskal-Wallis",
    cautions: [],
  });
}
