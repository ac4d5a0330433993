import type { ParameterColumn } from "./parameter-columns.ts";

/** A parameter as small whole numbers: 0 where it is inactive, from 1 its values in order, or its categories. */
export interface BinnedColumn {
  bins: Uint8Array;
  count: number;
  isOrdered: boolean;
  /** The bin of a value that need not be among the points'. */
  binOf(value: number | null): number;
}

const MOST_BINS = 64;

/** Numbers by their rank, so a scale makes no difference; more than 64 of them share bins. */
export function binColumn({ kind, labels, values }: ParameterColumn): BinnedColumn {
  if (kind === "category") {
    // What does not fit a byte is one category together.
    const binOf = (value: number | null) => (value === null ? 0 : Math.min(255, value + 1));
    return {
      ...{ bins: Uint8Array.from(values, binOf), isOrdered: false, binOf },
      count: Math.min(256, labels.length + 1),
    };
  }
  const distinct = [...new Set(values.filter((value) => value !== null))].sort((a, b) => a - b);
  const edges =
    distinct.length <= MOST_BINS
      ? distinct.slice(1).map((value, i) => (value + distinct[i]!) / 2)
      : quantileEdges(values.filter((value) => value !== null).sort((a, b) => a - b));
  const binOf = (value: number | null) => (value === null ? 0 : 1 + countBelow(edges, value));
  return { bins: Uint8Array.from(values, binOf), count: edges.length + 2, isOrdered: true, binOf };
}

function quantileEdges(sorted: readonly number[]): number[] {
  const edges = new Set<number>();
  for (let k = 1; k < MOST_BINS; k++) {
    const at = Math.floor((k * sorted.length) / MOST_BINS);
    if (sorted[at - 1]! < sorted[at]!) edges.add((sorted[at - 1]! + sorted[at]!) / 2);
  }
  return [...edges];
}

/** How many edges lie below the value. */
function countBelow(edges: readonly number[], value: number): number {
  let [low, high] = [0, edges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (edges[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
