/**
 * Eigenvalues and eigenvectors (as columns) of a symmetric n × n matrix by Jacobi's rotations.
 * Source: G. H. Golub and C. F. Van Loan, Matrix Computations (2013), 8.5.
 */
export function symmetricEigen(
  matrix: Float64Array,
  n: number,
): { values: Float64Array; vectors: Float64Array } {
  const a = matrix.slice();
  const vectors = new Float64Array(n * n);
  for (let i = 0; i < n; i++) vectors[i * n + i] = 1;
  for (let sweep = 0; sweep < 50; sweep++) {
    let off = 0;
    let diagonal = 0;
    for (let i = 0; i < n; i++) {
      diagonal += a[i * n + i]! ** 2;
      for (let j = 0; j < i; j++) off += a[i * n + j]! ** 2;
    }
    if (off <= 1e-24 * diagonal) break;
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) rotate(a, vectors, n, p, q);
  }
  return { values: Float64Array.from({ length: n }, (_, i) => a[i * n + i]!), vectors };
}

/** Makes the element (p, q) vanish. */
function rotate(a: Float64Array, vectors: Float64Array, n: number, p: number, q: number): void {
  const apq = a[p * n + q]!;
  if (apq === 0) return;
  const tau = (a[q * n + q]! - a[p * n + p]!) / (2 * apq);
  const t = (tau >= 0 ? 1 : -1) / (Math.abs(tau) + Math.sqrt(1 + tau * tau));
  const c = 1 / Math.sqrt(1 + t * t);
  const s = t * c;
  for (let k = 0; k < n; k++) {
    const [x, y] = [a[k * n + p]!, a[k * n + q]!];
    a[k * n + p] = c * x - s * y;
    a[k * n + q] = s * x + c * y;
  }
  for (let k = 0; k < n; k++) {
    const [x, y] = [a[p * n + k]!, a[q * n + k]!];
    a[p * n + k] = c * x - s * y;
    a[q * n + k] = s * x + c * y;
  }
  for (let k = 0; k < n; k++) {
    const [x, y] = [vectors[k * n + p]!, vectors[k * n + q]!];
    vectors[k * n + p] = c * x - s * y;
    vectors[k * n + q] = s * x + c * y;
  }
}
