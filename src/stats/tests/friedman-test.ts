import { chi2Tail } from "../distributions/chi2.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import type { Sample } from "../sample.ts";
import { midranks } from "../summaries/ranks.ts";
import { groupsProblem, type TestResult } from "./p-value.ts";

/**
 * Friedman's test that several arms measured on the same tasks (one value each) do equally well, on the ranks
 * within a task. Source: M. Friedman, JASA 32 (1937), 675-701; the chi-square approximation, with ties.
 */
export function friedmanTest(arms: readonly Sample[]): Result<TestResult> {
  const problem = groupsProblem(arms, 2);
  if (problem) return unknownBecause(problem);
  const tasks = arms[0]!.length;
  if (arms.some((arm) => arm.length !== tasks))
    return unknownBecause("the arms have different numbers of tasks");
  const k = arms.length;
  const sums = new Float64Array(k);
  let ties = 0;
  for (let task = 0; task < tasks; task++) {
    const { ranks, tieTerm } = midranks(arms.map((arm) => arm[task]!));
    ties += tieTerm;
    for (let arm = 0; arm < k; arm++) sums[arm]! += ranks[arm]!;
  }
  const untied = tasks * k * (k + 1) - ties / (k - 1);
  if (untied <= 0) return unknownBecause("within each task all arms are equal");
  const centre = (tasks * (k + 1)) / 2;
  const statistic = (12 * sums.reduce((total, sum) => total + (sum - centre) ** 2, 0)) / untied;
  return known({
    statistic,
    df: k - 1,
    p: chi2Tail(statistic, k - 1),
    side: "two-sided",
    method: "Friedman",
    cautions: [],
  });
}
