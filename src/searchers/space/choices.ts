import { canonicalJson } from "../../core/hash.ts";
import type { Value } from "../../core/params.ts";
import type { Domain } from "./domain.ts";

/**
 * A list of choices: values that are there twice are one, with their probabilities together. Numbers that rise or fall,
 * such as 16, 32, 64, are alike where they are neighbours.
 */
export function choices(values: readonly Value[], probabilities?: readonly number[]): Domain {
  const index = new Map<string, number>();
  const distinct: Value[] = [];
  const weights: number[] = [];
  values.forEach((value, i) => {
    const key = canonicalJson(value);
    const at = index.get(key) ?? distinct.length;
    if (at === distinct.length) {
      index.set(key, at);
      distinct.push(value);
      weights.push(0);
    }
    weights[at]! += probabilities?.[i] ?? (probabilities ? 0 : 1);
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const edges = [0];
  for (const weight of weights) edges.push(edges.at(-1)! + weight / total);
  const indexOf = (value: Value) => index.get(canonicalJson(value)) ?? -1;
  return {
    size: distinct.length,
    isContinuum: false,
    ordered: isMonotone(distinct),
    valueAt(unit) {
      let at = 0;
      while (at < distinct.length - 1 && unit >= edges[at + 1]!) at++;
      while (at > 0 && weights[at] === 0) at--;
      return distinct[at]!;
    },
    cellOf(value) {
      const at = indexOf(value);
      return at < 0 ? [0, 0] : [edges[at]!, edges[at + 1]!];
    },
    nth: (i) => distinct[i]!,
    indexOf,
  };
}

function isMonotone(values: readonly Value[]): boolean {
  const gaps = values.slice(1).map((value, i) => Number(value) - Number(values[i]));
  if (gaps.length < 2 || !values.every((value) => typeof value === "number")) return false;
  return gaps.every((gap) => gap > 0) || gaps.every((gap) => gap < 0);
}
