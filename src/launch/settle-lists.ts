import { UserError } from "../core/errors.ts";
import { shownValue } from "../core/explain-issue.ts";
import { type Params, repeatedRow, type Value } from "../core/params.ts";
import { RandomStream, shuffle } from "../core/random.ts";
import type { Axis, DeclaredStudy, Matrix } from "../core/study.ts";
import type { Places } from "../dialects/check-shape.ts";
import type { Target } from "../targets/target.ts";

const MOST_POINTS = 5_000_000;

type Schema = { safeParse(value: unknown): { success: boolean } };
type Shape = Record<string, Schema>;

/** Decides what lists among the parameters mean, which the target's schema says, and draws the sample. */
export function settleLists(
  study: Readonly<DeclaredStudy>,
  target: Target | undefined,
  places: Places,
): Pick<Matrix, "params" | "axes"> {
  if (!study.open?.lists) return { params: study.params, axes: study.axes };
  const { sample } = study.open.lists;
  const nested = study.open.loose?.nested;
  const shape = shapeOf(target?.params);
  const axes = study.axes.map((axis) => asTaken(axis, shape));
  const params: Params = {};
  for (const [name, value] of Object.entries(liftNested(study.params, nested, shape))) {
    const rows = rowsOf(value, shape[name], name === nested);
    if (rows === undefined) params[name] = value;
    else axes.push({ names: [name], rows: rows.map((row) => [row]) });
  }
  for (const axis of axes) {
    const row = axis.rows[repeatedRow(axis) ?? -1];
    if (!row) continue;
    throw new UserError(`${shownValue(row[0])} is listed twice`, {
      place: places.param(axis.names[0]!),
      remedy: "Remove one; to repeat a measurement use iterations:.",
    });
  }
  if (sample && axes.length === 0)
    throw new UserError("strategy: random has nothing to choose from", {
      place: places.at(["strategy"]),
      remedy: "Give sweep: a list of values.",
    });
  return { params, axes: sample ? sampled(axes, sample) : axes };
}

function shapeOf(schema: unknown): Shape {
  const def = (schema as { _zod?: { def: { innerType?: unknown; shape?: Shape } } })?._zod?.def;
  return def?.shape ?? (def?.innerType ? shapeOf(def.innerType) : {});
}

/** A target that has no parameter of this name takes what is nested in it as its own. */
function liftNested(params: Params, name: string | undefined, shape: Shape): Params {
  if (name === undefined || name in shape) return params;
  const { [name]: nested, ...rest } = params;
  if (typeof nested !== "object" || nested === null || Array.isArray(nested)) return params;
  return { ...nested, ...rest };
}

/** The values that a parameter takes in turn; undefined where the target takes the list as one value. */
function rowsOf(value: Value, schema: Schema | undefined, isNested: boolean): Value[] | undefined {
  if (Array.isArray(value)) {
    if (value.length === 0 || schema?.safeParse(value).success) return undefined;
    return value;
  }
  if (!isNested || typeof value !== "object" || value === null) return undefined;
  const inner = shapeOf(schema);
  let rows: Record<string, Value>[] = [{}];
  for (const [key, item] of Object.entries(value)) {
    const items = rowsOf(item, inner[key], false) ?? [item];
    rows = rows.flatMap((row) => items.map((one) => ({ ...row, [key]: one })));
  }
  return rows.length > 1 ? rows : undefined;
}

/** A single value of a parameter that the target takes as a list becomes a list of it. */
function asTaken(axis: Axis, shape: Shape): Axis {
  const schema = shape[axis.names[0]!];
  if (axis.names.length > 1 || !schema) return axis;
  const taken = (value: Value) =>
    !schema.safeParse(value).success && schema.safeParse([value]).success ? [value] : value;
  return { ...axis, rows: axis.rows.map(([value]) => [taken(value!)]) };
}

/** Distinct points of the product, drawn by the seed, as one axis whose parameters move together. */
function sampled(axes: Axis[], { count, seed }: { count: number; seed: number }): Axis[] {
  const total = axes.reduce((product, { rows }) => product * rows.length, 1);
  if (count >= total) return axes;
  if (total > MOST_POINTS)
    throw new UserError(`strategy: random chooses among ${total} points`, {
      expected: `at most ${MOST_POINTS}`,
      remedy: "Shorten the lists of sweep:.",
    });
  const all = Array.from({ length: total }, (_, i) => i);
  const chosen = shuffle(all, new RandomStream(seed, "sample of the sweep"), count).sort((a, b) => a - b);
  const rowAt = (index: number): Value[] => {
    const row: Value[] = [];
    let rest = index;
    for (const { rows } of [...axes].reverse()) {
      row.unshift(...rows[rest % rows.length]!);
      rest = Math.floor(rest / rows.length);
    }
    return row;
  };
  return [{ names: axes.flatMap(({ names }) => names), rows: chosen.map(rowAt) }];
}
