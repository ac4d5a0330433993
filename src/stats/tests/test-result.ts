import type { Side } from "../options.ts";

/**
 * What a test says. `p` is the probability of data at least as far from the null hypothesis, if it is true.
 * `floor` is the smallest p that these sizes can give, where that is worth knowing; `cautions` go in the report.
 */
export interface TestResult {
  statistic: number;
  p: number;
  side: Side;
  method: string;
  cautions: readonly string[];
  df?: number;
  floor?: number;
}

/** What every test can be asked for. */
export interface TestOptions {
  side?: Side;
}
