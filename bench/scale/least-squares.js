/** Coefficients without negatives that explain `y` best by the columns of `rows`, by coordinate descent. */
export function nonNegativeFit(rows, y, { rounds = 20_000 } = {}) {
  // Each row counts by its share, not by its size: a long workload must not drown a short one.
  const scaled = rows.map((row, i) => row.map((value) => value / y[i]));
  const fit = rows[0].map(() => 0);
  for (let round = 0; round < rounds; round++) {
    for (let column = 0; column < fit.length; column++) {
      let [up, down] = [0, 0];
      for (const row of scaled) {
        const rest = 1 - row.reduce((sum, value, i) => sum + (i === column ? 0 : value * fit[i]), 0);
        up += rest * row[column];
        down += row[column] ** 2;
      }
      fit[column] = down === 0 ? 0 : Math.max(0, up / down);
    }
  }
  return fit;
}
