import type { Expression } from "../core/expression.ts";
import type { Params, Value } from "../core/params.ts";
import { paramsOf } from "./cells.ts";
import type { Plan } from "./plan.ts";

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

interface AxisCount {
  name: string;
  /** Runs for each value; `value` undefined counts the runs in which the axis is inactive. */
  values: { value: Value | undefined; runs: number }[];
}

/** How many runs each value of each axis has, so that a reader sees what a plan spends its runs on. */
export function countAxes(plan: Plan): AxisCount[] {
  const { study, matrix } = plan;
  const tallies = new Map<string, Tally>();
  for (const name of [...plan.axisNames, "variant"]) tallies.set(name, new Map());
  if (matrix.isFull) {
    const total = plan.count();
    for (const { names, rows } of study.axes) {
      for (const row of rows) {
        for (let i = 0; i < names.length; i++) add(tallies.get(names[i]!)!, row[i], total / rows.length);
      }
    }
    for (const { name } of study.variants) add(tallies.get("variant")!, name, total / study.variants.length);
  } else {
    for (const { cell, weight } of plan.weighedCells()) {
      for (const name of plan.axisNames) add(tallies.get(name)!, cell.coordinates[name], weight);
      add(tallies.get("variant")!, cell.variant.name, weight);
    }
  }
  const counts = [...tallies].map(([name, tally]) => ({
    name,
    values: [...tally.values()],
  }));
  return counts.filter(({ name, values }) => name !== "variant" || values.length > 1);
}

/** By the value itself, or by its JSON where it is a list or an object. */
type Tally = Map<unknown, AxisCount["values"][number]>;

function add(tally: Tally, value: Value | undefined, runs: number): void {
  const key = typeof value === "object" && value !== null ? JSON.stringify(value) : value;
  const known = tally.get(key);
  if (known) known.runs += runs;
  else tally.set(key, { value, runs });
}

/** How many runs a matrix would have on top of its own, before `where`, if no axis were ever inactive. */
export function countSaved({ matrix, study, runsPerCell }: Plan): number {
  const axes = matrix.axes.map(({ names, rows, when }) => ({
    names,
    size: rows.length,
    nth: (position: number) => rows[position]!,
    when,
  }));
  if (axes.every(({ when }) => !when)) return 0;
  const saved = study.variants.map((variant) => {
    const { full, distinct } = countPoints(axes, paramsOf(study.params, variant));
    return full - distinct;
  });
  return saved.reduce((total, points) => total + points, 0) * runsPerCell;
}
