import type { Run } from "./run.ts";

/** result.json: one run with all that is needed to judge it, also when it is sent alone. */
export interface ResultFile {
  format: "assay-result/1";
  name: string;
  run_id: string;
  target: string;
  parameters: Run["params"];
  variant: string;
  seed: number;
  task: string | null;
  repeat: number;
  /** `batch`: calls of the body in each iteration, where that is more than one. */
  iterations: { warmup: number; measured: number; batch?: number };
  tags: string[];
  notes: string | null;
  status: string;
  reason: string | null;
  failed_iteration: { index: number; reason: string } | null;
  warnings: string[];
  started_at: string;
  ended_at: string;
  wall_s: number;
  metrics: Record<string, ColumnSummary | null>;
  iteration_metrics: { index: number; duration_s: number; metrics: Record<string, number | null> }[];
  /** Further ones, which stand in series.jsonl only; the summaries are of all. */
  iterations_left_out: number;
  timing_overhead_ns: number | null;
  environment: Record<string, unknown>;
  vcs: {
    commit: string;
    committed_at: string;
    branch: string;
    dirty: boolean;
    diff_hash: string | null;
  } | null;
  program: string;
  spec: { path: string; hash: string };
  packages: Record<string, string>;
  artifacts: { name: string; type: string; path: string }[];
}

/** One metric over the iterations of a run. What too few values can't tell is null. */
export interface ColumnSummary {
  n: number;
  mean: number;
  p05: number;
  p25: number;
  p50: number;
  p95: number;
  p99: number;
  sd: number | null;
  min: number;
  max: number;
  /** Ends of the 95 % interval of the mean (Student's t). */
  low: number | null;
  high: number | null;
  /** Values more than 3.5 robust standard deviations from the median; null below five values. */
  outliers: number | null;
}
