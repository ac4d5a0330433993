import type { SimParams } from "../params/index.ts";

interface Findings {
  coveredPdfs: number;
  evidence: number;
  /** Whether chance lets a workflow stop on the early thresholds. */
  stopsEarly: boolean;
}

/** Whether a workflow has found enough. Evidence counts through all its iterations. */
export function foundEnough(params: SimParams, { coveredPdfs, evidence, stopsEarly }: Findings): boolean {
  const { stop, pdfs, subqueries } = params;
  const coverage = coveredPdfs / pdfs;
  const confidence = Math.min(1, evidence / (2 * pdfs * subqueries));
  if (coverage >= stop.coverage && confidence >= stop.confidence) return true;
  return stopsEarly && coverage >= stop.early_coverage && confidence >= stop.early_confidence;
}
