import { UserError } from "../core/errors.ts";
import { type Expression, parseExpression } from "../core/expression.ts";
import type { Value } from "../core/params.ts";
import type { Axis, Study } from "../core/study.ts";

/** An axis with its condition parsed. */
export interface BoundAxis {
  names: string[];
  rows: Value[][];
  /** Asked with all parameters of a run, those that its variant changes included: nothing else decides it. */
  when: Expression | undefined;
}

/** Parses the conditions and puts each conditional axis after the axes that its condition reads. */
export function orderAxes(study: Study): BoundAxis[] {
  const axisNames = study.axes.flatMap((axis) => axis.names);
  const known = [...[study, ...study.variants].flatMap(({ params }) => Object.keys(params)), ...axisNames];
  const waiting = study.axes.map((axis) => ({ axis, when: bindWhen(axis, known) }));
  const placed: BoundAxis[] = [];
  const bound = new Set<string>();
  while (waiting.length > 0) {
    const index = waiting.findIndex(({ axis, when }) => isReady(axis, when, { axisNames, bound }));
    if (index < 0) {
      const circle = waiting.map(({ axis }) => axis.names.join("+")).join(", ");
      throw new UserError(`the conditions (when:) of ${circle} wait for each other`, {
        remedy: "Let at least one of them not depend on the others.",
      });
    }
    const [{ axis, when }] = waiting.splice(index, 1) as [(typeof waiting)[number]];
    placed.push({ names: axis.names, rows: axis.rows, when });
    for (const name of axis.names) bound.add(name);
  }
  return placed;
}

function bindWhen(axis: Axis, known: string[]): Expression | undefined {
  if (axis.when === undefined) return undefined;
  const when = parseExpression(axis.when, known);
  const own = axis.names.find((name) => when.names.has(name));
  if (own !== undefined) {
    throw new UserError(`the condition "${axis.when}" of ${own} reads ${own} itself`, {
      remedy: "Use where: to leave out values of an axis.",
    });
  }
  return when;
}

function isReady(
  axis: Axis,
  when: Expression | undefined,
  { axisNames, bound }: { axisNames: string[]; bound: Set<string> },
): boolean {
  if (!when) return true;
  const needs = [...when.names].flatMap((name) =>
    axisNames.filter((a) => a === name || a === name.split(".")[0]),
  );
  return needs.every((name) => bound.has(name) || axis.names.includes(name));
}
