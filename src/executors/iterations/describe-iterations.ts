import type { Iterations, Metrics } from "../../core/run.ts";
import { moments } from "../../stats/summaries/moments.ts";
import { quantileOfSorted } from "../../stats/summaries/quantiles.ts";
import { noiseWarnings } from "./noise-warnings.ts";

interface Options {
  isTimed: boolean;
  /** Metrics that are summaries already. */
  meanOnly?: ReadonlySet<string>;
  warn(text: string): void;
}

const QUANTILES = [
  ["p05", 0.05],
  ["p25", 0.25],
  ["p50", 0.5],
  ["p95", 0.95],
] as const;
const NONE: ReadonlySet<string> = new Set();

/**
 * The metrics of a run with iterations. Each one is the mean of its iterations; where they differ, `_min`, `_p05`, `_p25`,
 * `_p50`, `_p95`, `_sd` and their number `_n` stand beside it, so that a later question finds its statistic. Which of
 * them is compared, the room `design` decides.
 */
export function describeIterations(
  iterations: Iterations,
  { isTimed, meanOnly = NONE, warn }: Options,
): Metrics {
  const metrics: Metrics = {};
  for (const [name, column] of Object.entries(iterations.metrics))
    describe(name, column, { metrics, isMeanOnly: meanOnly.has(name) });
  if (isTimed) describe("duration_ms", iterations.durationMs, { metrics, isMeanOnly: false });
  if (isTimed && iterations.cpuMs && !("cpu_ms" in metrics))
    describe("cpu_ms", iterations.cpuMs, { metrics, isMeanOnly: false });
  if (isTimed && iterations.durationMs.length > 1 && iterations.waitingShare !== undefined)
    metrics.waiting_share = iterations.waitingShare;
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
  metrics[`${name}_min`] = sorted[0]!;
  for (const [word, share] of QUANTILES) metrics[`${name}_${word}`] = quantileOfSorted(sorted, share);
  metrics[`${name}_sd`] = Math.sqrt(variance);
  metrics[`${name}_n`] = known.length;
}
