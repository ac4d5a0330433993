import type { StudyFile } from "../core/study-file.ts";
import { shippedTargets } from "../targets/index.ts";

/** What is known of a metric besides its name: only shipped targets are asked, since a user's file would run. */
export async function metricInfo(
  study: StudyFile | undefined,
  metric: string,
): Promise<{ unit: string | null; goal: "minimize" | "maximize" | null }> {
  const target = study?.study.target;
  const load = target?.kind === "shipped" ? shippedTargets[target.name] : undefined;
  const metrics = (await load?.())?.metrics;
  // build_ms.quadtree is a build_ms.
  const info = metrics?.[metric] ?? metrics?.[metric.split(".")[0]!];
  const goal = info?.direction === "minimize" || info?.direction === "maximize" ? info.direction : null;
  return { unit: info?.unit ?? unitFromName(metric), goal };
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
