import { RandomStream } from "../../core/random.ts";
import { known, type Result, unknownBecause } from "../../stats/index.ts";

export interface Optimism {
  /** How much better than the truth the winner's mean looks on average, in the metric's unit; never negative. */
  value: number;
  /** Share of the simulated searches whose winner is not the point that is best in truth. */
  wrongWinner: number;
  points: number;
  units: number;
  method: string;
}

const FEWEST_POINTS = 5;
const MOST_DRAWS = 100_000;

/**
 * How much selection flatters the winner of a search. Model: value = point + unit + noise, with normal noise of one
 * size; `table[point][unit]`, all units of all points, smaller is better. True means are the observed ones shrunk
 * towards their average until they vary as much as noise leaves (constrained empirical Bayes: T. A. Louis, JASA 79
 * (1984), 393-398); then noise is drawn anew and the winner's draw is compared with its true mean (parametric bootstrap).
 * What all points share under a unit can't favour one of them, so it is taken out.
 */
export function optimismOfBest(table: readonly (readonly number[])[], seed = 1): Result<Optimism> {
  const rows = table.length;
  const columns = table[0]?.length ?? 0;
  if (columns < 2) return unknownBecause("every point has one value only: noise can't be told from merit");
  if (rows < FEWEST_POINTS)
    return unknownBecause(
      `${rows} points with the same seeds are too few to know how points differ (${FEWEST_POINTS} or more)`,
    );
  const { means, noise } = decompose(table);
  const centre = average(means);
  const spread = means.reduce((sum, mean) => sum + (mean - centre) ** 2, 0) / (rows - 1);
  const error = noise / columns;
  const share = spread > 0 ? Math.max(0, spread - error) / spread : 0;
  const truth = means.map((mean) => centre + Math.sqrt(share) * (mean - centre));
  const best = indexOfLeast(truth);
  const rounds = Math.max(200, Math.min(2000, Math.floor(MOST_DRAWS / rows)));
  const normal = normals(seed);
  const sd = Math.sqrt(error);
  let [gap, wrong] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    let [winner, least] = [0, Number.POSITIVE_INFINITY];
    for (let i = 0; i < rows; i++) {
      const seen = truth[i]! + sd * normal();
      if (seen < least) [winner, least] = [i, seen];
    }
    gap += truth[winner]! - least;
    if (truth[winner]! > truth[best]!) wrong++;
  }
  return known({
    ...{ value: Math.max(0, gap / rounds), wrongWinner: wrong / rounds, points: rows, units: columns },
    method: `parametric bootstrap of the selection, ${rounds} draws: shrunken means of ${rows} points, normal noise over ${columns} seeds`,
  });
}

/** Means of the points, and the variance of what neither point nor unit explains. */
function decompose(table: readonly (readonly number[])[]): { means: number[]; noise: number } {
  const means = table.map(average);
  const centre = average(means);
  const columns = table[0]!.length;
  const effects = Array.from({ length: columns }, (_, j) => average(table.map((row) => row[j]!)) - centre);
  let squares = 0;
  for (const [i, row] of table.entries())
    for (const [j, value] of row.entries()) squares += (value - means[i]! - effects[j]!) ** 2;
  return { means, noise: squares / ((table.length - 1) * (columns - 1)) };
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function indexOfLeast(values: readonly number[]): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i]! < values[best]!) best = i;
  return best;
}

/** Box and Muller's: two at a time. */
function normals(seed: number): () => number {
  const uniform = new RandomStream(seed, "optimism").sequence();
  let spare: number | undefined;
  return () => {
    if (spare !== undefined) {
      const value = spare;
      spare = undefined;
      return value;
    }
    const radius = Math.sqrt(-2 * Math.log(uniform()));
    const angle = 2 * Math.PI * uniform();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}
