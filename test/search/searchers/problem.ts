import type { Params } from "../../../src/core/params.ts";
import type { Distribution, SpaceParameter } from "../../../src/core/space.ts";
import type { Evaluation, Problem, Searcher } from "../../../src/search/searchers/searcher.ts";

export function uniform(min: number, max: number): Distribution {
  return { kind: "uniform", min, max, scale: "linear" };
}

export function integer(min: number, max: number, step = 1): Distribution {
  return { kind: "integer", min, max, scale: "linear", step };
}

export function oneOf(...values: (string | number | boolean)[]): Distribution {
  return { kind: "categorical", values };
}

export function parameter(
  name: string,
  distribution: Distribution,
  rest: Partial<SpaceParameter> = {},
): SpaceParameter {
  return { name, path: name.split("."), distribution, ...rest };
}

export function problem(space: SpaceParameter[], rest: Partial<Problem> = {}): Problem {
  return { space, objectives: [{ metric: "loss", goal: "minimize" }], seed: 1, options: {}, ...rest };
}

/** The problem with the searcher's own default options. */
export function problemFor(
  searcher: Searcher,
  space: SpaceParameter[],
  rest: Partial<Problem> = {},
): Problem {
  return problem(space, { options: searcher.options.parse({}), ...rest });
}

export function done(params: Params, ...values: number[]): Evaluation {
  return { params, state: "ok", values };
}

/** Asks and tells one point after the other; fewer evaluations where the search ends by itself. */
export function search(
  searcher: Searcher,
  on: Problem,
  { runs, at }: { runs: number; at(params: Params): number },
): Evaluation[] {
  const history: Evaluation[] = [];
  for (let i = 0; i < runs; i++) {
    const [params] = searcher.ask(history, 1, on);
    if (!params) break;
    history.push(done(params, at(params)));
  }
  return history;
}

export function least(history: readonly Evaluation[]): number {
  return Math.min(...history.map(({ values }) => values[0]!));
}
