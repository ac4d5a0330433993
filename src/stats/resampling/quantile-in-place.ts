import { select } from "./select.ts";

/** The `linear` quantile (R's type 7) of values that may be reordered, in O(n). */
export function quantileInPlace(values: Float64Array, p: number): number {
  const position = p * (values.length - 1);
  const k = Math.floor(position);
  const low = select(values, k);
  const share = position - k;
  if (share === 0 || k + 1 >= values.length) return low;
  let next = Number.POSITIVE_INFINITY;
  for (let i = k + 1; i < values.length; i++) if (values[i]! < next) next = values[i]!;
  return low + share * (next - low);
}
