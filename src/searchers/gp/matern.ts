/** What a Gaussian process believes before it has seen anything. All on standardised values. */
export interface Hyperparameters {
  /** One an axis, on the unit interval; for choices, on the distance 1 between any two. */
  lengths: Float64Array;
  signalVariance: number;
  noiseVariance: number;
}

const ROOT5 = Math.sqrt(5);

/**
 * The squared distance along one axis of two encoded points. Any two choices are 1 apart; so are an active and an
 * inactive parameter; two inactive ones are alike.
 */
export function squaredGap(a: number, b: number, ordered: boolean): number {
  if (a === b) return 0;
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b) ? 0 : 1;
  return ordered ? (a - b) * (a - b) : 1;
}

/** Matérn's covariance of smoothness 5/2 for a scaled distance, without the variance. Rasmussen and Williams, 4.2. */
export function matern52(squared: number): number {
  const r = ROOT5 * Math.sqrt(squared);
  return (1 + r + (r * r) / 3) * Math.exp(-r);
}

/** Minus twice its derivative by the squared distance. */
export function maternSlope(squared: number): number {
  const r = ROOT5 * Math.sqrt(squared);
  return (5 / 3) * (1 + r) * Math.exp(-r);
}
