import type { MetricInfos, RunRecord } from "../core/run.ts";
import type { StudyFile } from "../core/study-folder.ts";
import { type AskedGoals, type MetricFacts, type MetricSources, metricFacts } from "../design/metric.ts";
import { shippedTargets } from "../targets/index.ts";

/** What the target declares: as recorded; of a study that older versions ran, shipped targets tell, but a user's file would run. */
export async function declaredMetrics(study: StudyFile | undefined): Promise<MetricInfos> {
  if (study?.metrics) return study.metrics;
  const target = study?.study.target;
  const load = target?.kind === "shipped" ? shippedTargets[target.name] : undefined;
  return (await load?.())?.metrics ?? {};
}

/** Who may know something of a study's metrics. */
export async function metricSources(
  study: StudyFile | undefined,
  asked: AskedGoals = {},
): Promise<MetricSources> {
  return { asked, analysis: study?.study.analysis, infos: await declaredMetrics(study) };
}

/** What is known of one metric. */
export async function factsOf(
  study: StudyFile | undefined,
  metric: string,
  asked: AskedGoals = {},
): Promise<MetricFacts> {
  return metricFacts(metric, await metricSources(study, asked));
}

/** What is known of every metric that a good run has. */
export async function studyMetrics(
  study: StudyFile | undefined,
  records: readonly RunRecord[],
): Promise<MetricFacts[]> {
  const names = new Set<string>();
  for (const { outcome, metrics } of records)
    if (outcome.status === "ok") for (const name in metrics) names.add(name);
  const infos = await declaredMetrics(study);
  return [...names].map((name) => metricFacts(name, { analysis: study?.study.analysis, infos }));
}
