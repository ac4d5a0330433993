import { tInterval, wilsonInterval } from "../../stats/index.ts";
import type { UnitValues } from "./arm-values.ts";

/** What an interval is of, and how it is made: the mean by t, of passes and failures the share by Wilson. */
export interface EstimateKind {
  isRate: boolean;
  words: string;
  range?: readonly [number, number] | undefined;
}

export function estimateKind(groups: readonly Pick<UnitValues, "values">[], unit: string): EstimateKind {
  const isRate = groups.every(({ values }) => values.every((value) => value === 0 || value === 1));
  return {
    isRate,
    words: isRate
      ? `95 % Wilson interval of the share of ${unit}s`
      : `95 % t interval of the mean over ${unit}s`,
  };
}

/** The mean over units with its interval. */
export function estimateOf(
  { values }: Pick<UnitValues, "values">,
  { isRate, range = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] }: Omit<EstimateKind, "words">,
) {
  const total = values.reduce((a, b) => a + b, 0);
  const interval = isRate ? wilsonInterval(total, values.length) : tInterval(values);
  return {
    mean: total / values.length,
    interval: interval.known
      ? ([Math.max(range[0], interval.low), Math.min(range[1], interval.high)] as const)
      : null,
    ...(!interval.known && { remark: `no interval: ${interval.why}` }),
  };
}
