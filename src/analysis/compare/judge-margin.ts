import type { Interval, Result } from "../../stats/index.ts";
import type { CompareOptions, Comparison } from "./comparison.ts";
import type { Samples } from "./samples.ts";

interface Question {
  margin: NonNullable<CompareOptions["margin"]>;
  goal: Comparison["goal"];
  isRate: boolean;
  alpha: number;
  /** How many claims are made together. */
  family: number;
  /** The interval of candidate − baseline, at a level. */
  intervalOf: (samples: Samples, alpha: number, isRate: boolean) => Result<Interval>;
}

/**
 * Which side of the margin a loss is surely on. A share of the baseline is itself estimated, so the candidate is then
 * tested against the baseline made worse by that share, which is what Fieller's interval inverts.
 */
export function judgeMargin(samples: Samples, question: Question): Comparison["margin"] {
  const { margin, goal, isRate, alpha, family } = question;
  const average = samples.baseline.reduce((total, x) => total + x, 0) / samples.baseline.length;
  const size = margin.isShare ? Math.abs(average) * margin.value : margin.value;
  if (goal === null) return { size, isExceeded: false, isExcluded: false };
  const sign = goal === "minimize" ? 1 : -1;
  const plain = (level: number) => losses(question.intervalOf(samples, level, isRate), sign, size);
  // Passes that are scaled are no passes any more, so their own interval has to agree.
  const scaled = (level: number) => {
    const factor = 1 + sign * Math.sign(average) * margin.value;
    return losses(question.intervalOf(scaledBaseline(samples, factor), level, false), sign, 0);
  };
  const answers = (level: number) =>
    margin.isShare ? [scaled(level), ...(isRate ? [plain(level)] : [])] : [plain(level)];
  return {
    size,
    isExceeded: answers(alpha / family).every((loss) => loss !== null && loss.low > 0),
    isExcluded: answers(alpha).every((loss) => loss !== null && loss.high < 0),
  };
}

/** How far a loss is beyond the margin. */
function losses(
  interval: Result<Interval>,
  sign: number,
  size: number,
): { low: number; high: number } | null {
  if (!interval.known) return null;
  const [low, high] = sign > 0 ? [interval.low, interval.high] : [-interval.high, -interval.low];
  return { low: low - size, high: high - size };
}

function scaledBaseline(samples: Samples, factor: number): Samples {
  return {
    ...samples,
    baseline: samples.baseline.map((x) => x * factor),
    rollouts: {
      ...samples.rollouts,
      baseline: samples.rollouts.baseline.map((values) => values.map((x) => x * factor)),
    },
  };
}
