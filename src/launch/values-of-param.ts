import type { Value } from "../core/params.ts";
import type { Matrix } from "../core/study.ts";

/** Every value that a parameter takes somewhere in a study, as far as its file names them. */
export function valuesOfParam({ params, variants, axes, search }: Matrix, name: string): Value[] {
  const searched = (search?.space ?? []).flatMap(({ name: own, distribution }) => {
    if (own !== name) return [];
    if (distribution.kind === "constant") return [distribution.value];
    return distribution.kind === "categorical" ? distribution.values : [];
  });
  const values = [
    params[name],
    ...variants.map((variant) => variant.params[name]),
    ...axes.flatMap(({ names, rows }) =>
      names.includes(name) ? rows.map((row) => row[names.indexOf(name)]) : [],
    ),
    ...searched,
  ];
  return values.filter((value) => value !== undefined);
}
