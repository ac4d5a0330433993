import type { Place } from "../core/errors.ts";
import type { Declared, Dialect, Paths } from "./dialect.ts";
import type { Path } from "./source-file.ts";

/** Where the parts of a study stand in its file, for messages. */
export interface Places {
  at(path: Path): Place;
  target(): Place;
  param(name: string): Place;
  /** By a path below `search:` of a native file. */
  search(...path: string[]): Place;
}

/** Of a study that comes from no file. */
export const NOWHERE: Places = {
  at: () => ({}),
  target: () => ({}),
  param: () => ({}),
  search: () => ({}),
};

const NATIVE: Paths = {
  target: ["target"],
  param: (name, { study: { axes, params, search } }) => {
    if (search?.space.some((parameter) => parameter.name === name)) return ["search", "space", name];
    if (axes.some(({ names }) => names.includes(name))) return ["matrix", name];
    return name in params ? ["params", name] : ["variants"];
  },
  search: (path) => ["search", ...path],
};

export function placesIn(declared: Declared, dialect: Dialect): Places {
  const { file } = declared;
  const paths = { ...NATIVE, ...dialect.paths };
  return {
    at: (path) => file.locate(path),
    target: () => file.locate(paths.target),
    param: (name) => file.locate(paths.param(name, declared)),
    search: (...path) => file.locate(paths.search(path)),
  };
}
