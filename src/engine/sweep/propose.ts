import { pointEvaluator } from "../../core/evaluate-point.ts";
import { canonicalJson } from "../../core/hash.ts";
import type { Params } from "../../core/params.ts";
import type { Search } from "../../core/space.ts";
import type { Evaluation, Problem, Searcher } from "../../searchers/searcher.ts";
import type { PointState } from "./point-book.ts";
import type { Propose } from "./sweep-source.ts";

/** Asks a searcher for the next point, with what the book knows. */
export function proposeWith(searcher: Searcher, problem: Problem, search: Search): Propose {
  const evaluate = evaluator(search);
  const done = new WeakMap<PointState, { changes: number; evaluation: Evaluation }>();
  const evaluated = (point: PointState) => {
    const known = done.get(point);
    // A run that failed may have been done again since.
    if (known?.changes === point.changes) return known.evaluation;
    const evaluation = evaluate(point);
    done.set(point, { changes: point.changes, evaluation });
    return evaluation;
  };
  if (!searcher.points) {
    return ({ points, finished }) => {
      const isFinished = new Set(finished);
      const pending = points.filter((point) => !isFinished.has(point));
      const history = [...finished.map(evaluated), ...pending.map(asPending)];
      return searcher.ask(history, 1, problem)[0];
    };
  }
  // Where results don't matter the points come in a fixed order: this worker walks it once.
  const walk = searcher.points(problem)[Symbol.iterator]();
  const known = new Set<string>();
  let seen = 0;
  return ({ points }) => {
    for (; seen < points.length; seen++) known.add(canonicalJson(points[seen]!.params));
    for (;;) {
      const { value, done: isOver } = walk.next() as IteratorResult<Params, undefined>;
      if (isOver || !known.has(canonicalJson(value))) return value;
    }
  };
}

function asPending({ params }: PointState): Evaluation {
  return { params, state: "pending", values: [] };
}

/** What a point is worth to a searcher. */
function evaluator(search: Search): (point: PointState) => Evaluation {
  const evaluate = pointEvaluator(search);
  return ({ params, results, cut }) => {
    const { units: _, unit: _unit, ...worth } = evaluate([...results.values()]);
    if (worth.state === "failed") return { params, state: "failed", values: [] };
    return { params, ...worth, state: cut === undefined ? worth.state : "stopped" };
  };
}
