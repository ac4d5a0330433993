import type { Iterations, Metrics } from "../../core/run.ts";
import { moments } from "../../stats/summaries/moments.ts";
import { quantileOfSorted } from "../../stats/summaries/quantile.ts";
import { noiseWarnings } from "./noise-warnings.ts";

interface Options {
  isTimed: boolean;
  /** Metrics that are summaries already. */
  meanOnly?: ReadonlySet<string>;
  warn(text: string): void;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * The metrics of a run with iterations. Each one is the mean of its iterations; where they differ, `_p50`, `_p95`
 * and `_sd` stand beside it. (More would swell every line of the journal: result.json has the rest.)
 */
export function describeIterations(
  iterations: Iterations,
  { isTimed, meanOnly = NONE, warn }: Options,
): Metrics {
  const metrics: Metrics = {};
  for (const [name, column] of Object.entries(iterations.metrics))
    describe(name, column, { metrics, isMeanOnly: meanOnly.has(name) });
  if (isTimed) describe("duration_ms", iterations.durationMs, { metrics, isMeanOnly: false });
  for (const warning of noiseWarnings(iterations.durationMs)) warn(warning);
  return metrics;
}

function describe(
  name: string,
  column: readonly (number | null)[],
  { metrics, isMeanOnly }: { metrics: Metrics; isMeanOnly: boolean },
): void {
  const known = column.filter((value) => value !== null);
  if (known.length < 2) {
    if (column.length > 0) metrics[name] = known[0] ?? null;
    return;
  }
  const { mean, variance } = moments(known);
  if (variance === 0) {
    metrics[name] = known[0]!;
    return;
  }
  metrics[name] = mean;
  if (isMeanOnly) return;
  const sorted = Float64Array.from(known).sort();
  metrics[`${name}_p50`] = quantileOfSorted(sorted, 0.5);
  metrics[`${name}_p95`] = quantileOfSorted(sorted, 0.95);
  metrics[`${name}_sd`] = Math.sqrt(variance);
}
