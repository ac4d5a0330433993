import type { GradePlaces } from "./grade-places.ts";
import { type GradeSetting, runScript } from "./run-script.ts";
import { endWords } from "./run-test.ts";

interface Custom {
  metrics: Record<string, number>;
  warnings: string[];
}

/** What the task's own script measures: one JSON object of numbers on its standard output. Broken, it is a warning. */
export async function measureCustom(places: GradePlaces, setting: GradeSetting): Promise<Custom> {
  const path = setting.task.grading.metricsScript;
  if (path === null) return { metrics: {}, warnings: [] };
  const warn = (text: string): Custom => ({
    metrics: {},
    warnings: [`the task's metrics (${path}): ${text}`],
  });
  const { result, stdout, problem } = await runScript(path, places, setting);
  if (problem !== undefined) return warn(problem);
  if (result.ended !== undefined) return warn(endWords(result.ended));
  if (result.exitCode !== 0) return warn(`exit ${result.exitCode ?? "by a signal"}`);
  return readMetrics(stdout, warn);
}

function readMetrics(stdout: string, warn: (text: string) => Custom): Custom {
  let given: unknown;
  try {
    given = JSON.parse(stdout);
  } catch {
    return warn("it printed no JSON object");
  }
  // As in `result = {"standard_metrics": ..., "custom_metrics": ...}`.
  const named = (given as { custom_metrics?: unknown } | null)?.custom_metrics ?? given;
  if (typeof named !== "object" || named === null || Array.isArray(named))
    return warn("it printed no JSON object");
  const entries = Object.entries(named);
  const metrics = entries.filter(([, value]) => typeof value === "number" && Number.isFinite(value));
  const others = entries.filter(([, value]) => typeof value !== "number").map(([name]) => name);
  return {
    metrics: Object.fromEntries(metrics) as Record<string, number>,
    warnings: others.length === 0 ? [] : warn(`${others.join(", ")} is not a number`).warnings,
  };
}
