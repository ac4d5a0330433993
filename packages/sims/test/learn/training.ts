import { metricsOf, paramsSchema } from "../../src/learn/index.ts";
import { type CurvePoint, train } from "../../src/learn/train.ts";

/** The seeds of the launcher that the target follows. */
export const SEEDS = [
  1072, 2043, 3014, 4085, 5156, 6227, 7298, 8369, 9440, 10511, 11582, 12653, 13724, 14795, 15866,
];
export const CURRICULA = ["terrain_1", "terrain_2", "terrain_3"] as const;
export const ARCHITECTURES = ["vit_reset", "trxl"] as const;

/** One training run to its end, in this process. */
export function trained(params: Record<string, unknown>, seed: number) {
  const parsed = paramsSchema.parse(params);
  const curve: CurvePoint[] = [];
  const training = train(parsed, seed);
  let next = training.next();
  for (; !next.done; next = training.next()) curve.push(next.value);
  return { curve, metrics: metricsOf(curve, next.value.states, parsed) };
}
