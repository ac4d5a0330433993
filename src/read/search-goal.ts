import type { RunRecord } from "../core/run.ts";
import type { Search } from "../core/space.ts";
import type { StudyFile } from "../core/study-folder.ts";
import { factsOf } from "./metric-info.ts";

export interface AskedGoal {
  metric?: string;
  goal?: "minimize" | "maximize";
}

/**
 * The search of a study with what it is judged by: what the caller asks for, else its own objectives, else (a grid
 * needs none) its first metric where the target says which way is better. Undefined where nobody said that.
 */
export async function searchWithGoal(
  file: StudyFile,
  records: readonly RunRecord[],
  { metric, goal }: AskedGoal = {},
): Promise<Search | undefined> {
  const search = file.study.search;
  if (!search || (metric === undefined && search.objectives.length > 0)) return search;
  const own = search.objectives.find((objective) => objective.metric === metric);
  const name = metric ?? file.study.analysis.metric ?? metricNames(records)[0];
  if (name === undefined) return undefined;
  const better = goal ?? own?.goal ?? (await factsOf(file, name)).goal;
  return better ? { ...search, objectives: [{ metric: name, goal: better }] } : undefined;
}

export function metricNames(records: readonly RunRecord[]): string[] {
  const names = new Set<string>();
  for (const { metrics } of records) for (const name in metrics) names.add(name);
  return [...names];
}
