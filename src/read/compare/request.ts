import type { CompareOptions } from "../../analysis/compare/comparison.ts";
import type { RunSummary } from "../../analysis/compare/summarise-run.ts";
import type { ListedRuns } from "../../archive/read-pairs.ts";

/** What is asked of a comparison: which numbers, what tells the arms apart, what pairs them. */
export interface CompareRequest extends CompareOptions {
  metrics?: string[];
  goal?: "minimize" | "maximize";
  /** Of single metrics, before `goal`. */
  goals?: Record<string, "minimize" | "maximize">;
  /** Columns or parameters whose values are the arms. */
  by?: string[];
  /** Compared apart for each of its values. */
  per?: string;
  /** What pairs the arms. */
  pair?: string[];
  /** Columns of a CSV file; several rows of one task in one arm are rollouts. */
  task?: string;
  seedColumn?: string;
  /** Where the covariate is: `baseline`, a file, or a column of the CSV files that are compared. */
  covariateFrom?: string;
  /** A CSV file's column that says of how many samples the metric is a count. */
  samples?: string;
  /** Of a CSV file: whether rows are arms and columns are tasks; decided by its columns unless told. */
  matrix?: boolean;
  /** Only the runs or rows for which this condition holds. */
  where?: string;
  /** Metrics are series, and this makes a number of each. */
  summary?: RunSummary;
  /** Runs by their names. */
  listed?: ListedRuns;
  outRoot?: string;
}
