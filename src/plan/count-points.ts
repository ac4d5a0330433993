import type { Expression } from "../core/expression.ts";
import type { Params, Value } from "../core/params.ts";

/** An axis of which only the size matters, unless a condition reads it. */
export interface CountedAxis {
  names: readonly string[];
  size: number;
  /** The values of its names at a position. */
  nth(position: number): readonly Value[];
  when?: Expression | undefined;
}

export interface PointCount {
  /** Combinations if every parameter were active everywhere. */
  full: number;
  /** Those that differ: an inactive parameter makes no new one. */
  distinct: number;
  /** Those of them for which `where` holds; undefined where that is too much to count. */
  kept: number | undefined;
}

const MOST_ASKED = 5_000_000;

/**
 * Counts the points of a product with conditions without walking it: only the axes that some condition reads are gone
 * through, all others multiply. An axis stands behind those that its condition reads.
 */
export function countPoints(axes: readonly CountedAxis[], fixed: Params, where?: Expression): PointCount {
  const full = axes.reduce((product, { size }) => product * size, 1);
  const whens = axes.flatMap(({ when }) => (when ? [when] : []));
  const distinct = count(axes, fixed, { asked: whens });
  if (!where) return { full, distinct, kept: distinct };
  const asked = [...whens, where];
  const walked = axes.filter((axis) => isRead(axis, asked)).reduce((product, { size }) => product * size, 1);
  return { full, distinct, kept: walked > MOST_ASKED ? undefined : count(axes, fixed, { asked, where }) };
}

interface Conditions {
  asked: readonly Expression[];
  where?: Expression;
}

function count(axes: readonly CountedAxis[], fixed: Params, { asked, where }: Conditions): number {
  const read = axes.map((axis) => isRead(axis, asked));
  const scope: Params = { ...fixed };
  const below = (depth: number): number => {
    const axis = axes[depth];
    if (!axis) return where && !where.holds(scope) ? 0 : 1;
    if (axis.when && !axis.when.holds(scope)) return below(depth + 1);
    if (!read[depth]) return axis.size * below(depth + 1);
    let total = 0;
    for (let position = 0; position < axis.size; position++) {
      const row = axis.nth(position);
      for (const [i, name] of axis.names.entries()) scope[name] = row[i]!;
      total += below(depth + 1);
    }
    for (const name of axis.names) {
      if (Object.hasOwn(fixed, name)) scope[name] = fixed[name]!;
      else delete scope[name];
    }
    return total;
  };
  return below(0);
}

function isRead({ names }: CountedAxis, conditions: readonly Expression[]): boolean {
  return conditions.some((condition) =>
    [...condition.names].some((read) => names.some((name) => read === name || read.startsWith(`${name}.`))),
  );
}
