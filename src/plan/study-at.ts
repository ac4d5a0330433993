import { nestParams } from "../core/nest-params.ts";
import type { Params } from "../core/params.ts";
import type { Study } from "../core/study.ts";
import { defaultLabel } from "./identify.ts";

/** The study at one point of its search: what the searcher chose are parameters like any others. */
export function studyAt(study: Study, point: Params): Study {
  const space = study.search?.space ?? [];
  const params = nestParams(point, space);
  const names = Object.keys(params);
  if (names.length === 0) return study;
  const axes = [...study.axes, { names, rows: [names.map((name) => params[name]!)] }];
  const varying = space
    .filter(({ name, distribution }) => distribution.kind !== "constant" && name in point)
    .map(({ path }) => path[0]!);
  const chosen = [...new Set(varying)].map((name) => ({ names: [name], rows: [[params[name]!]] }));
  return { ...study, axes, label: study.label ?? defaultLabel([...study.axes, ...chosen]) };
}
