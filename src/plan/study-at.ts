import { nestParams } from "../core/nest-params.ts";
import type { Params } from "../core/params.ts";
import type { Study } from "../core/study.ts";
import { defaultLabel, slug } from "./identify.ts";

/** The study at one point of its search: what the searcher chose are parameters like any others. */
export function studyAt(study: Study, point: Params): Study {
  const space = study.search?.space ?? [];
  const params = nestParams(point, space);
  const names = Object.keys(params);
  if (names.length === 0) return study;
  const axes = [...study.axes, { names, rows: [names.map((name) => params[name]!)] }];
  const chosen = space
    .filter(({ name, distribution }) => distribution.kind !== "constant" && Object.hasOwn(point, name))
    .map(({ name, path }) =>
      slug(typeof point[name] === "string" ? point[name] : `${path.at(-1)}${slug(point[name])}`),
    );
  return { ...study, axes, label: study.label ?? [...chosen, defaultLabel(study.axes)].join("__") };
}
