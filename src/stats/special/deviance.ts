/**
 * Half the deviance of a Poisson count x against its mean m: x ln(x / m) + m − x, without the loss of digits
 * that the formula itself has where x is close to m. Pass `difference` = x − m where it is known better than
 * the subtraction gives it.
 * Source: C. Loader, "Fast and accurate computation of binomial probabilities" (2000), function bd0.
 */
export function deviance(x: number, m: number, difference = x - m): number {
  if (Math.abs(difference) >= 0.1 * (x + m)) return x * Math.log(x / m) - difference;
  const v = difference / (x + m);
  let sum = difference * v;
  let term = 2 * x * v;
  for (let j = 1; j < 200; j++) {
    term *= v * v;
    const next = sum + term / (2 * j + 1);
    if (next === sum) break;
    sum = next;
  }
  return sum;
}
