import { findMetricInfo, type MetricInfos } from "../core/metric-info.ts";
import type { StudyFile } from "../core/study-file.ts";
import { shippedTargets } from "../targets/index.ts";

/** What is known of a metric besides its name. */
export async function metricInfo(
  study: StudyFile | undefined,
  metric: string,
): Promise<{ unit: string | null; goal: "minimize" | "maximize" | null }> {
  const info = findMetricInfo(await metricsOf(study), metric);
  const goal = info?.direction === "minimize" || info?.direction === "maximize" ? info.direction : null;
  return { unit: info?.unit ?? unitFromName(metric), goal };
}

/** As recorded; of a study that older versions ran, shipped targets tell, but a user's file would run. */
async function metricsOf(study: StudyFile | undefined): Promise<MetricInfos> {
  if (study?.metrics) return study.metrics;
  const target = study?.study.target;
  const load = target?.kind === "shipped" ? shippedTargets[target.name] : undefined;
  return (await load?.())?.metrics ?? {};
}

const ENDINGS: [RegExp, string][] = [
  [/(^|_)ms$/, "ms"],
  [/(^|_)(s|seconds)$/, "s"],
  [/(^|_)usd$/, "USD"],
  [/(^|_)bytes$/, "bytes"],
];

/** `makespan_p95_ms` says its unit itself. */
function unitFromName(metric: string): string | null {
  return ENDINGS.find(([ending]) => ending.test(metric))?.[1] ?? null;
}
