import { plural } from "../../core/number-text.ts";
import { binomialCdf } from "../distributions/binomial-cdf.ts";
import { chi2Tail } from "../distributions/chi2.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { floorCaution, sidedP, type TestOptions, type TestResult } from "./p-value.ts";

/**
 * McNemar's test for paired outcomes that are right or wrong: only tasks on which the arms disagree count.
 * `onlyFirst` of them the first arm alone solved, `onlySecond` the second. Exact binomial unless "chi-square"
 * (with continuity correction) is asked for, which is for comparison with other tools only.
 * Source: Q. McNemar, Psychometrika 12 (1947), 153-157.
 */
export function mcnemarTest(
  onlyFirst: number,
  onlySecond: number,
  { side = "two-sided", method = "exact" }: TestOptions & { method?: "exact" | "chi-square" } = {},
): Result<TestResult> {
  const n = onlyFirst + onlySecond;
  if (!(Number.isInteger(n) && onlyFirst >= 0 && onlySecond >= 0))
    return unknownBecause("counts must be whole numbers");
  if (n === 0) return unknownBecause("the arms disagree on no task");
  if (method === "chi-square") {
    const statistic = Math.max(0, Math.abs(onlyFirst - onlySecond) - 1) ** 2 / n;
    return known({
      statistic,
      df: 1,
      p: chi2Tail(statistic, 1),
      side: "two-sided",
      method: "McNemar, chi-square",
      cautions: [],
    });
  }
  const p = sidedP(binomialCdf(onlyFirst, n, 0.5), binomialCdf(onlySecond, n, 0.5), side);
  const floor = (side === "two-sided" ? 2 : 1) / 2 ** n;
  const cautions = floorCaution(Math.min(1, floor), `${plural(n, "task")} on which the arms disagree`);
  return known({
    statistic: onlyFirst,
    p,
    side,
    method: "McNemar, exact",
    cautions,
    floor: Math.min(1, floor),
  });
}
