/** No task is drawn much more seldom than the average one: a bet can risk no more than the rarest task allows. */
const LEAST_SHARE = 0.75;

/**
 * How eagerly tasks should be drawn, given the share of earlier agents that solved each: two agents differ most often on
 * tasks that about half of them solve, so a draw there tells most. The best weights for a mean are as the standard
 * deviation, sqrt(p (1 − p)); they are kept near each other, since the guarantee is about all tasks and a loss may hide
 * in one that nobody failed before. Source: J. Neyman, J. R. Stat. Soc. 97 (1934), 558-625 (optimal allocation).
 */
export function historyWeights(shares: readonly number[]): number[] {
  const spreads = shares.map((p) => Math.sqrt(Math.max(0, p * (1 - p))));
  const mean = spreads.reduce((sum, spread) => sum + spread, 0) / spreads.length;
  if (!(mean > 0)) return shares.map(() => 1);
  return spreads.map((spread) => Math.max(spread, LEAST_SHARE * mean));
}
