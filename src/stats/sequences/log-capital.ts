/** No bet risks more than this share of the capital on one score. */
const SHARE_AT_RISK = 0.75;

/**
 * The logarithm of a gambler's capital after each score, betting that the mean is greater (sign 1) or less (−1)
 * than the claim. It falls (rises) steadily with the claim, so an interval's ends can be found by bisection.
 * Source: I. Waudby-Smith and A. Ramdas, JRSS B 86 (2024), (24) and (25).
 */
export function logCapital(
  scores: Float64Array,
  bets: Float64Array,
  { claim, sign }: { claim: number; sign: 1 | -1 },
): Float64Array {
  const room = sign === 1 ? claim : 1 - claim;
  const largest = room === 0 ? Number.POSITIVE_INFINITY : SHARE_AT_RISK / room;
  const out = new Float64Array(scores.length);
  let log = 0;
  for (let t = 0; t < scores.length; t++) {
    log += Math.log1p(sign * Math.min(bets[t]!, largest) * (scores[t]! - claim));
    out[t] = log;
  }
  return out;
}
