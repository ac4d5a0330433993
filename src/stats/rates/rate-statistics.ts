/**
 * How far a difference of two success rates is from `delta`: 0 where it is exactly that, more the less `delta` fits.
 * Each compares the rates that were seen with those that fit best among all that differ by `delta`, so it is sound where
 * no pair differs, and at rates of 0 and 1.
 */

/**
 * Of the same n tasks: `onlyFirst` were solved by the first arm alone, `onlySecond` by the second. In standard errors.
 * Source: T. Tango, Statistics in Medicine 17 (1998), 891-908. At delta = 0 its square is McNemar's chi-square.
 */
export function pairedScore(onlyFirst: number, onlySecond: number, n: number, delta: number): number {
  const second = restrictedSecond(onlyFirst, onlySecond, n, delta);
  const variance = n * (2 * second + delta * (1 - delta));
  return inErrors(onlyFirst - onlySecond - n * delta, variance);
}

/**
 * The same by the signed root of the likelihood ratio. Few pairs that all differ one way say more by it than by the score, so
 * an exact test by it finds more.
 */
export function pairedRoot(onlyFirst: number, onlySecond: number, n: number, delta: number): number {
  const distance = (onlyFirst - onlySecond) / n - delta;
  if (Math.abs(distance) <= ROUNDING) return 0;
  const second = Math.max(0, restrictedSecond(onlyFirst, onlySecond, n, delta));
  const first = Math.max(0, second + delta);
  const unlikelier =
    part(onlyFirst, n * first) +
    part(onlySecond, n * second) +
    part(n - onlyFirst - onlySecond, n * Math.max(0, 1 - first - second));
  return Math.sign(distance) * Math.sqrt(2 * Math.max(0, unlikelier));
}

/** The likeliest chance that the second arm alone solves a task, where the first does so by `delta` more often. */
function restrictedSecond(onlyFirst: number, onlySecond: number, n: number, delta: number): number {
  const b = -onlyFirst - onlySecond + (2 * n - onlyFirst + onlySecond) * delta;
  const c = -onlySecond * delta * (1 - delta);
  return (Math.sqrt(Math.max(0, b * b - 8 * n * c)) - b) / (4 * n);
}

/** Successes and tries of one arm. */
export type Count = readonly [successes: number, tries: number];

/**
 * Of two independent groups, in standard errors.
 * Source: O. Miettinen and M. Nurminen, Statistics in Medicine 4 (1985), 213-226.
 */
export function independentScore(first: Count, second: Count, delta: number): number {
  const [m, n] = [first[1], second[1]];
  const [p, q] = restricted(first, second, delta);
  const unbiased = (m + n) / (m + n - 1);
  const variance = unbiased * ((p * (1 - p)) / m + (q * (1 - q)) / n);
  return inErrors(first[0] / m - second[0] / n - delta, variance);
}

/**
 * The same by the signed root of the likelihood ratio, which also orders the outcomes of groups of very unequal sizes by
 * how much they say. Its tails are not normal, so it is for exact tests only.
 */
export function independentRoot(first: Count, second: Count, delta: number): number {
  const distance = first[0] / first[1] - second[0] / second[1] - delta;
  if (Math.abs(distance) <= ROUNDING) return 0;
  const [p, q] = restricted(first, second, delta);
  return Math.sign(distance) * Math.sqrt(2 * Math.max(0, evidence(first, p) + evidence(second, q)));
}

/** How much likelier a count is at its own rate than at `rate`, as a logarithm. */
function evidence([successes, tries]: Count, rate: number): number {
  return part(successes, tries * rate) + part(tries - successes, tries * (1 - rate));
}

/** What one count adds to that, beside the one expected. */
function part(count: number, expected: number): number {
  return count === 0 ? 0 : count * Math.log(count / expected);
}

/**
 * The likeliest two rates that differ by `delta`: a root of a cubic.
 * Source: C. P. Farrington and G. Manning, Statistics in Medicine 9 (1990), 1447-1454.
 */
function restricted([x, m]: Count, [y, n]: Count, delta: number): [number, number] {
  const ratio = n / m;
  const [p, q] = [x / m, y / n];
  const a = 1 + ratio;
  const b = -(1 + ratio + p + ratio * q + delta * (ratio + 2));
  const c = delta * delta + delta * (2 * p + ratio + 1) + p + ratio * q;
  const d = -p * delta * (1 + delta);
  const v = (b / (3 * a)) ** 3 - (b * c) / (6 * a * a) + d / (2 * a);
  const u = (v < 0 ? -1 : 1) * Math.sqrt(Math.max(0, (b / (3 * a)) ** 2 - c / (3 * a)));
  const cosine = u === 0 ? 0 : Math.min(1, Math.max(-1, v / u ** 3));
  const root = 2 * u * Math.cos((Math.PI + Math.acos(cosine)) / 3) - b / (3 * a);
  return [Math.min(1, Math.max(0, root)), Math.min(1, Math.max(0, root - delta))];
}

/** Of the size of a rate: what the rounding of the machine's numbers may add. */
const ROUNDING = 1e-12;

function inErrors(distance: number, variance: number): number {
  if (Math.abs(distance) <= ROUNDING) return 0;
  return variance > ROUNDING * ROUNDING
    ? distance / Math.sqrt(variance)
    : distance * Number.POSITIVE_INFINITY;
}
