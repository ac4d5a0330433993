/** Fewer values on a side than this are outliers rather than a level. */
export const FEWEST_A_SIDE = 2;

/** Where a stretch of values is cut, and how much of their scatter about the mean the cut explains. */
export interface Cut {
  /** Indices of the first value behind each cut, one or two of them. */
  at: number[];
  explained: number;
}

/** The cut into two levels that explains most: the values are centred, so one pass over their sums is enough. */
export function bestSplit(centred: Float64Array): Cut {
  const n = centred.length;
  const best: Cut = { at: [], explained: 0 };
  let sum = 0;
  for (let k = 1; k <= n - FEWEST_A_SIDE; k++) {
    sum += centred[k - 1]!;
    if (k < FEWEST_A_SIDE) continue;
    const explained = (sum * sum * n) / (k * (n - k));
    if (explained > best.explained) {
      best.explained = explained;
      best.at = [k];
    }
  }
  return best;
}

/** The stretch in the middle that stands out most from both ends together: a step that was taken back. */
export function bestArc(centred: Float64Array): Cut {
  const n = centred.length;
  const sums = new Float64Array(n + 1);
  for (let i = 0; i < n; i++) sums[i + 1] = sums[i]! + centred[i]!;
  let explained = 0;
  let at: [number, number] = [0, 0];
  for (let i = FEWEST_A_SIDE; i <= n - 2 * FEWEST_A_SIDE; i++) {
    for (let j = i + FEWEST_A_SIDE; j <= n - FEWEST_A_SIDE; j++) {
      const sum = sums[j]! - sums[i]!;
      const size = j - i;
      const share = (sum * sum * n) / (size * (n - size));
      if (share > explained) {
        explained = share;
        at = [i, j];
      }
    }
  }
  return { at: explained > 0 ? at : [], explained };
}

/** Values with their mean taken away. */
export function centre(values: readonly number[]): Float64Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Float64Array.from(values, (value) => value - mean);
}
