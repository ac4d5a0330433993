import { UserError } from "../core/errors.ts";
import type { Value } from "../core/params.ts";
import type { SpaceParameter } from "../core/space.ts";
import type { DeclaredStudy } from "../core/study.ts";
import { noProgramTakes } from "../dialects/source-file.ts";

export type Settable = Pick<DeclaredStudy, "params" | "axes" | "variants" | "search">;

/** A parameter given from outside takes one value, also where the file has several. */
export function setParam<S extends Settable>(study: S, [name, value]: [string, Value]): S {
  if (JSON.stringify(value).includes("\\u0000")) throw noProgramTakes({ path: `-p ${name}` });
  const axis = study.axes.find(({ names }) => names.includes(name));
  if (axis && axis.names.length > 1) {
    throw new UserError(
      `-p ${name}: ${axis.names.join(" and ")} move together (zip), so one of them can't be set alone`,
      {
        remedy: `Use --only "${name} == ..." instead.`,
      },
    );
  }
  if (study.variants.some((variant) => name in variant.params)) {
    throw new UserError(`-p ${name}: variants set it`, {
      remedy: 'Use --only "variant == ..." to choose variants.',
    });
  }
  const axes = study.axes.filter((other) => other !== axis);
  const { search } = study;
  if (!search?.space.some((parameter) => parameter.name === name))
    return { ...study, axes, params: { ...study.params, [name]: value } };
  const space = search.space.map((parameter): SpaceParameter => {
    if (parameter.name !== name) return parameter;
    const { default: _, ...rest } = parameter;
    return { ...rest, distribution: { kind: "constant", value } };
  });
  return { ...study, axes, search: { ...search, space } };
}
