/** The lower factor L of a symmetric positive definite n × n matrix (rows one after another): L Lᵀ = A. Overwrites A. */
export function cholesky(a: Float64Array, n: number): Float64Array | undefined {
  for (let j = 0; j < n; j++) {
    const rowJ = j * n;
    for (let i = j; i < n; i++) {
      const rowI = i * n;
      let sum = a[rowI + j]!;
      for (let k = 0; k < j; k++) sum -= a[rowI + k]! * a[rowJ + k]!;
      if (i > j) a[rowI + j] = sum / a[rowJ + j]!;
      else if (sum > 0) a[rowJ + j] = Math.sqrt(sum);
      else return undefined;
    }
  }
  return a;
}

/** Solves L x = b in place. */
export function solveLower(l: Float64Array, n: number, b: Float64Array): Float64Array {
  for (let i = 0; i < n; i++) {
    const row = i * n;
    let sum = b[i]!;
    for (let k = 0; k < i; k++) sum -= l[row + k]! * b[k]!;
    b[i] = sum / l[row + i]!;
  }
  return b;
}

/** Solves Lᵀ x = b in place. */
export function solveUpper(l: Float64Array, n: number, b: Float64Array): Float64Array {
  for (let i = n - 1; i >= 0; i--) {
    const x = b[i]! / l[i * n + i]!;
    b[i] = x;
    const row = i * n;
    for (let k = 0; k < i; k++) b[k]! -= l[row + k]! * x;
  }
  return b;
}

/** A⁻¹ from the factor of A. */
export function inverseFrom(l: Float64Array, n: number): Float64Array {
  const inverse = new Float64Array(n * n);
  const column = new Float64Array(n);
  for (let j = 0; j < n; j++) {
    column.fill(0);
    column[j] = 1;
    // A unit vector's solution is 0 above its one.
    for (let i = j; i < n; i++) {
      let sum = column[i]!;
      for (let k = j; k < i; k++) sum -= l[i * n + k]! * column[k]!;
      column[i] = sum / l[i * n + i]!;
    }
    inverse.set(solveUpper(l, n, column), j * n);
  }
  return inverse;
}
