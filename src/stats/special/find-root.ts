/**
 * A root of f between `low` and `high`, where f changes its sign, to the last few bits of a double or to `within`.
 * Inverse quadratic interpolation where it is safe and bisection elsewhere, so it never needs more than
 * a few dozen steps. Source: T. R. Chandrupatla, Advances in Engineering Software 28 (1997), 145-149.
 */
export function findRoot(f: (x: number) => number, low: number, high: number, within = 0): number {
  let a = low;
  let b = high;
  let fa = f(a);
  let fb = f(b);
  if (fa === 0) return a;
  if (fb === 0) return b;
  if (fa > 0 === fb > 0) throw new RangeError(`no change of sign between ${low} and ${high}`);
  let t = 0.5;
  for (let step = 0; step < 200; step++) {
    const x = a + t * (b - a);
    const fx = f(x);
    let c = b;
    let fc = fb;
    if (fx > 0 === fa > 0) {
      c = a;
      fc = fa;
    } else {
      b = a;
      fb = fa;
    }
    a = x;
    fa = fx;
    const best = Math.abs(fa) < Math.abs(fb) ? a : b;
    const limit = (2 * Number.EPSILON * Math.abs(best) + within + 1e-300) / Math.abs(b - a);
    if (fx === 0 || limit > 0.5) return best;
    const xi = (a - b) / (c - b);
    const phi = (fa - fb) / (fc - fb);
    if (phi * phi < xi && (1 - phi) ** 2 < 1 - xi) {
      t = (fa / (fb - fa)) * (fc / (fb - fc)) + (((c - a) / (b - a)) * fa * fb) / ((fc - fa) * (fc - fb));
    } else {
      t = 0.5;
    }
    t = Math.min(1 - limit, Math.max(limit, t));
  }
  return a;
}
