/** A function that writes its gradient beside giving its value. */
export type Smooth = (x: Float64Array, gradient: Float64Array) => number;

/**
 * A local minimum within a box by the BFGS method with backtracking; coordinates that leave the box are put back on
 * its edge. For a few dozen dimensions. Source: J. Nocedal and S. J. Wright, Numerical Optimization (2006), 6.1.
 */
export function minimise(
  f: Smooth,
  start: Float64Array,
  { low, high, steps }: { low: Float64Array; high: Float64Array; steps: number },
): { x: Float64Array; value: number } {
  const n = start.length;
  const box = (v: number, i: number) => Math.min(high[i]!, Math.max(low[i]!, v));
  let x = start.map(box);
  let gradient = new Float64Array(n);
  let value = f(x, gradient);
  const h = identity(n);
  for (let step = 0; step < steps && Number.isFinite(value); step++) {
    const direction = x.map((_, i) => {
      let sum = 0;
      for (let j = 0; j < n; j++) sum -= h[i * n + j]! * gradient[j]!;
      return sum;
    });
    if (dot(direction, gradient) >= 0) {
      h.set(identity(n));
      for (let i = 0; i < n; i++) direction[i] = -gradient[i]!;
    }
    const longest = Math.max(...direction.map(Math.abs));
    let rate = longest > 2 ? 2 / longest : 1;
    const nextGradient = new Float64Array(n);
    let next = x;
    let nextValue = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 12; tries++, rate *= 0.4) {
      next = x.map((v, i) => box(v + rate * direction[i]!, i));
      nextValue = f(next, nextGradient);
      const gain = next.reduce((sum, v, i) => sum + (v - x[i]!) * gradient[i]!, 0);
      if (nextValue <= value + 1e-4 * gain) break;
    }
    if (!(nextValue < value)) break;
    const isDone = value - nextValue < 1e-5 * (1 + Math.abs(value));
    update(
      h,
      next.map((v, i) => v - x[i]!),
      nextGradient.map((v, i) => v - gradient[i]!),
    );
    [x, value, gradient] = [next, nextValue, nextGradient];
    if (isDone) break;
  }
  return { x, value };
}

/** The inverse Hessian after a step s along which the gradient changed by y. */
function update(h: Float64Array, s: Float64Array, y: Float64Array): void {
  const n = s.length;
  const curvature = dot(s, y);
  if (curvature < 1e-12) return;
  const hy = s.map((_, i) => {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += h[i * n + j]! * y[j]!;
    return sum;
  });
  const scale = (1 + dot(y, hy) / curvature) / curvature;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      h[i * n + j]! += scale * s[i]! * s[j]! - (hy[i]! * s[j]! + s[i]! * hy[j]!) / curvature;
    }
  }
}

function identity(n: number): Float64Array {
  const h = new Float64Array(n * n);
  for (let i = 0; i < n; i++) h[i * n + i] = 1;
  return h;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
