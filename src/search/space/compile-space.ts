import { UserError } from "../../core/errors.ts";
import { type Expression, parseExpression, RUN_NAMES } from "../../core/expression.ts";
import type { Params, Value } from "../../core/params.ts";
import type { SpaceParameter } from "../../core/space.ts";
import type { Domain } from "./domain.ts";
import { makeDomain } from "./make-domain.ts";

/** What is searched. */
export interface Searched {
  space: readonly SpaceParameter[];
  where?: string;
  /** Parameters that do not vary, for the conditions that read them. */
  fixed?: Params;
}

/** One parameter of a space, ready for use. */
export interface SpaceAxis {
  name: string;
  domain: Domain;
  when?: Expression;
  default?: Value;
}

export interface CompiledSpace {
  /** Sorted by their paths, but what a condition reads stands before what it switches. */
  axes: readonly SpaceAxis[];
  where?: Expression;
  /** So many axes, from the first on, decide whether `where` holds. */
  whereDepth: number;
  /** How many combinations there are if nothing is inactive; Infinity with a continuum. */
  size: number;
  fixed: Params;
}

const compiled = new WeakMap<Searched, CompiledSpace>();

/** Checks a space once. */
export function compileSpace(searched: Searched): CompiledSpace {
  let space = compiled.get(searched);
  if (!space) {
    space = build(searched);
    compiled.set(searched, space);
  }
  return space;
}

function build({ space, where: condition, fixed = {} }: Searched): CompiledSpace {
  if (space.length === 0) throw new UserError("there is nothing to search", { remedy: "Name a parameter." });
  const names = new Set<string>();
  for (const { name } of space) {
    if (names.has(name))
      throw new UserError(`the parameter "${name}" is there twice`, { remedy: "Remove one." });
    names.add(name);
  }
  const known = [...names, ...Object.keys(fixed), ...RUN_NAMES];
  const whens = new Map(
    space.flatMap(({ name, when }) =>
      when === undefined ? [] : [[name, parseExpression(when, known)] as const],
    ),
  );
  const axes = inOrder(space, whens).map((parameter): SpaceAxis => {
    const when = whens.get(parameter.name);
    return {
      name: parameter.name,
      domain: makeDomain(parameter),
      ...(when && { when }),
      ...(parameter.default !== undefined && { default: parameter.default }),
    };
  });
  const where = condition === undefined ? undefined : parseExpression(condition, known);
  const size = axes.reduce((product, { domain }) => product * domain.size, 1);
  const whereDepth = where ? 1 + axes.findLastIndex(({ name }) => reads(where, name)) : 0;
  return { axes, size, whereDepth, fixed, ...(where && { where }) };
}

/** The first in the sorted order of which all that its condition reads is already there, again and again. */
function inOrder(space: readonly SpaceParameter[], whens: Map<string, Expression>): SpaceParameter[] {
  const left = [...space].sort((a, b) => comparePaths(a.path, b.path));
  const order: SpaceParameter[] = [];
  while (left.length > 0) {
    const at = left.findIndex(({ name }) => {
      const when = whens.get(name);
      return !when || !left.some((other) => reads(when, other.name));
    });
    if (at < 0) {
      throw new UserError(
        `the conditions of ${left.map(({ name }) => `"${name}"`).join(", ")} go in a circle`,
        { remedy: "A parameter's `when` can't depend on itself." },
      );
    }
    order.push(...left.splice(at, 1));
  }
  return order;
}

function reads(expression: Expression, name: string): boolean {
  for (const read of expression.names) if (read === name || read.startsWith(`${name}.`)) return true;
  return false;
}

function comparePaths(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
  }
  return a.length - b.length;
}
