/** The parts of a run's result.json that a comparison reads. */
export interface ResultRun {
  name: string;
  run_id: string;
  status: string;
  warnings?: string[];
  iteration_metrics: { index: number; duration_s: number; metrics: Record<string, number | null> }[];
}

/** Whether a JSON file is the result of a run, told by what it holds. */
export function isResult(content: unknown): content is ResultRun {
  return Array.isArray((content as { iteration_metrics?: unknown } | null)?.iteration_metrics);
}
