/**
 * How much to bet on each score before it is seen: more where the scores so far vary little. Each bet uses only
 * what came before it, which is what keeps the game fair.
 * Source: I. Waudby-Smith and A. Ramdas, JRSS B 86 (2024), (26): the predictable plug-in of the empirical Bernstein bet.
 */
export function plannedBets(scores: Float64Array, alpha: number): Float64Array {
  const bets = new Float64Array(scores.length);
  let total = 0.5;
  let squares = 0.25;
  for (let t = 1; t <= scores.length; t++) {
    bets[t - 1] = Math.sqrt((2 * Math.log(2 / alpha)) / (squares * Math.log(1 + t)));
    const x = scores[t - 1]!;
    total += x;
    squares += (x - total / (t + 1)) ** 2;
  }
  return bets;
}
