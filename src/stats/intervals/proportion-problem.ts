/** Why counts are not a proportion, or undefined if they are. */
export function proportionProblem(successes: number, n: number): string | undefined {
  if (!Number.isInteger(n) || !Number.isInteger(successes))
    return "successes and tries must be whole numbers";
  if (n < 1) return "there are no tries";
  if (successes < 0 || successes > n) return `${successes} successes out of ${n} tries are impossible`;
  return undefined;
}
