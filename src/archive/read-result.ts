import type { ResultFile } from "../core/result-file.ts";

/** The parts of a run's result.json that a comparison reads. */
export type ResultRun = Pick<ResultFile, "name" | "run_id" | "status" | "iteration_metrics"> &
  Partial<
    Pick<
      ResultFile,
      | "warnings"
      | "metrics"
      | "spec"
      | "environment"
      | "parameters"
      | "program"
      | "vcs"
      | "iterations"
      | "variant"
      | "task"
    >
  >;

/** Whether a JSON file is the result of a run, told by what it holds. */
export function isResult(content: unknown): content is ResultRun {
  return Array.isArray((content as { iteration_metrics?: unknown } | null)?.iteration_metrics);
}
