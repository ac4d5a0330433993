import type { MetricFacts } from "../analysis/report/metric-facts.ts";
import type { RunRecord } from "../core/run.ts";
import type { StudyFile } from "../core/study-file.ts";
import { metricInfo } from "./metric-info.ts";

/** What is known of every metric that a good run has; the study's own word about its metric goes first. */
export async function studyMetrics(
  study: StudyFile | undefined,
  records: readonly RunRecord[],
): Promise<MetricFacts[]> {
  const names = new Set<string>();
  for (const { outcome, metrics } of records)
    if (outcome.status === "ok") for (const name in metrics) names.add(name);
  const analysis = study?.study.analysis;
  return Promise.all([...names].map(async (name) => factsOf(name, { study, analysis })));
}

export async function factsOf(
  name: string,
  { study, analysis }: { study: StudyFile | undefined; analysis: StudyFile["study"]["analysis"] | undefined },
): Promise<MetricFacts> {
  const { unit, goal } = await metricInfo(study, name);
  const own = name === analysis?.metric ? analysis.goal : undefined;
  return { name, unit, goal: own ?? goal };
}
