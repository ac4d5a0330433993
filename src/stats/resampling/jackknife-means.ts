import { sum } from "../summaries/sum.ts";

/** The means with each value left out in turn, in O(n). */
export function jackknifeMeans(values: Float64Array): Float64Array {
  const total = sum(values);
  return values.map((x) => (total - x) / (values.length - 1));
}
