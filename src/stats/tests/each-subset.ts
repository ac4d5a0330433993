/** Visits every subset of `size` values with its sum and sum of squares. O(C(n, size)). */
export function eachSubset(
  values: Float64Array,
  size: number,
  visit: (sum: number, squares: number) => void,
): void {
  const n = values.length;
  const grow = (from: number, missing: number, sum: number, squares: number): void => {
    if (missing === 0) visit(sum, squares);
    for (let i = from; missing > 0 && i <= n - missing; i++) {
      const x = values[i]!;
      grow(i + 1, missing - 1, sum + x, squares + x * x);
    }
  };
  grow(0, size, 0, 0);
}
