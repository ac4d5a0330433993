/**
 * Puts the k-th smallest value (from 0) in its place, nothing greater before it and nothing smaller after it,
 * and returns it: O(n), where sorting is O(n log n). An interval needs two or four values of a bootstrap
 * distribution, not all of them in order.
 * Source: R. W. Floyd and R. L. Rivest, "Algorithm 489", Communications of the ACM 18 (1975), 173.
 */
export function select(values: Float64Array, k: number, from = 0, to = values.length - 1): number {
  let left = from;
  let right = to;
  while (right > left) {
    if (right - left > 600) {
      const n = right - left + 1;
      const i = k - left + 1;
      const z = Math.log(n);
      const s = 0.5 * Math.exp((2 * z) / 3);
      const sd = 0.5 * Math.sqrt((z * s * (n - s)) / n) * (i < n / 2 ? -1 : 1);
      const newLeft = Math.max(left, Math.floor(k - (i * s) / n + sd));
      const newRight = Math.min(right, Math.floor(k + ((n - i) * s) / n + sd));
      select(values, k, newLeft, newRight);
    }
    const pivot = values[k]!;
    let i = left;
    let j = right;
    swap(values, left, k);
    if (values[right]! > pivot) swap(values, left, right);
    while (i < j) {
      swap(values, i++, j--);
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
    }
    if (values[left] === pivot) swap(values, left, j);
    else swap(values, ++j, right);
    if (j <= k) left = j + 1;
    if (k <= j) right = j - 1;
  }
  return values[k]!;
}

function swap(values: Float64Array, i: number, j: number): void {
  const held = values[i]!;
  values[i] = values[j]!;
  values[j] = held;
}

/** The `linear` quantile (R's type 7) of values that may be reordered, in O(n). */
export function quantileInPlace(values: Float64Array, p: number): number {
  const position = p * (values.length - 1);
  const k = Math.floor(position);
  const low = select(values, k);
  const share = position - k;
  if (share === 0 || k + 1 >= values.length) return low;
  let next = Number.POSITIVE_INFINITY;
  for (let i = k + 1; i < values.length; i++) if (values[i]! < next) next = values[i]!;
  return low + share * (next - low);
}
