import { type Forest, predict } from "./forest.ts";
import type { ParameterColumn } from "./parameter-columns.ts";

export interface Dependence {
  /** Values along each parameter; null where it is inactive. */
  across: (number | null)[];
  up: (number | null)[];
  /** Rows along `up`. */
  losses: number[][];
}

const STEPS = 18;
/** So many points stand for all in the averages. */
const MOST_POINTS = 40;

/**
 * What a forest expects of two parameters, averaged over what the other parameters of the points are (J. H. Friedman,
 * Annals of Statistics 29 (2001), 1189-1232).
 */
export function partialDependence(
  forest: Forest,
  [first, second]: readonly [number, number],
  columns: readonly ParameterColumn[],
): Dependence {
  const [across, up] = [stepsOf(columns[first]!), stepsOf(columns[second]!)];
  const count = columns[0]!.values.length;
  const stride = Math.ceil(count / MOST_POINTS);
  const sample = Array.from({ length: Math.ceil(count / stride) }, (_, i) => i * stride);
  const losses = up.map((y) => {
    const yBin = forest.columns[second]!.binOf(y);
    return across.map((x) => {
      const xBin = forest.columns[first]!.binOf(x);
      let sum = 0;
      for (const i of sample)
        sum += predict(forest, (column) =>
          column === first ? xBin : column === second ? yBin : forest.columns[column]!.bins[i]!,
        );
      return sum / sample.length;
    });
  });
  return { across, up, losses };
}

/** Even along the parameter's scale; of a list all that there are. */
function stepsOf({ kind, labels, domain: [low, high], scale, values }: ParameterColumn): (number | null)[] {
  const absent = values.includes(null) ? [null] : [];
  if (kind === "category") return [...absent, ...labels.keys()];
  const distinct = [...new Set(values)].filter((value) => value !== null).sort((a, b) => a - b);
  if (distinct.length <= STEPS) return [...absent, ...distinct];
  const [from, to] = scale === "log" ? [Math.log(low), Math.log(high)] : [low, high];
  return [
    ...absent,
    ...Array.from({ length: STEPS }, (_, i) => {
      const at = from + ((i + 0.5) / STEPS) * (to - from);
      return scale === "log" ? Math.exp(at) : at;
    }),
  ];
}
