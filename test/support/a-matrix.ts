import type { Params } from "../../src/core/params.ts";
import type { RunRecord } from "../../src/core/run.ts";
import { aRecord } from "./a-study.ts";

/** One good run for every seed of every cell; `measure` says what each run ends with. */
export function aMatrix(
  cells: readonly { params: Params; variant?: string }[],
  seeds: readonly number[],
  measure: (params: Params, seed: number, variant: string) => RunRecord["metrics"],
): RunRecord[] {
  return cells.flatMap(({ params, variant = "baseline" }) =>
    seeds.map((seed) =>
      aRecord({
        id: `${Object.values(params).join("-")}-${variant}-${seed}`,
        ...{ params, variant, seed },
        metrics: measure(params, seed, variant),
      }),
    ),
  );
}

/** Every combination of some values. */
export function product(axes: Record<string, readonly (string | number)[]>): { params: Params }[] {
  return Object.entries(axes).reduce<{ params: Params }[]>(
    (cells, [name, values]) =>
      cells.flatMap(({ params }) => values.map((value) => ({ params: { ...params, [name]: value } }))),
    [{ params: {} }],
  );
}
