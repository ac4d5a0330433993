import { type Expression, parseExpression, RUN_NAMES } from "../core/expression.ts";
import type { Params, Value } from "../core/params.ts";
import type { Study, Variant } from "../core/study.ts";
import { type BoundAxis, orderAxes } from "./axes.ts";

/** One point of the matrix with one variant: what an estimate is about. */
export interface Cell {
  params: Params;
  variant: Variant;
  /** Values of the axes here; an inactive axis has none. */
  coordinates: Params;
}

/** The matrix of a study, walked lazily: a million cells cost the memory of one. */
export class Matrix {
  readonly axes: BoundAxis[];
  readonly where: Expression | undefined;
  readonly #study: Study;

  constructor(study: Study) {
    this.#study = study;
    this.axes = orderAxes(study);
    const names = [
      ...Object.keys(study.params),
      ...study.axes.flatMap((axis) => axis.names),
      ...study.variants.flatMap((variant) => Object.keys(variant.params)),
      ...RUN_NAMES,
    ];
    this.where = study.where === undefined ? undefined : parseExpression(study.where, names);
  }

  /** Whether every combination is a run, so that counting needs no walk. */
  get isFull(): boolean {
    return !this.where && this.axes.every((axis) => !axis.when);
  }

  /** Whether `where` must be asked for each seed and repeat, not once a cell. */
  get judgesRuns(): boolean {
    return ["seed", "repeat", "task"].some((name) => this.where?.names.has(name));
  }

  /** All points of the matrix, each with all of its variants. */
  *points(): Generator<Cell[]> {
    yield* this.#walk(0, {
      params: { ...this.#study.params },
      coordinates: {},
      variants: this.#study.variants,
    });
  }

  /** Whether a cell is part of the study, as far as the cell alone can tell. */
  admits(cell: Cell): boolean {
    if (!this.where || this.judgesRuns) return true;
    return this.where.holds({ ...cell.params, variant: cell.variant.name });
  }

  *#walk(depth: number, here: Place): Generator<Cell[]> {
    const axis = this.axes[depth];
    if (!axis) {
      yield cellsAt(here);
      return;
    }
    const active = axis.when
      ? here.variants.filter((variant) => isActive(axis, here.params, variant))
      : here.variants;
    const isLast = depth === this.axes.length - 1;
    for (const row of active.length === 0 ? [] : axis.rows) {
      const next: Place = {
        params: withRow(here.params, axis.names, row),
        coordinates: withRow(here.coordinates, axis.names, row),
        variants: active,
      };
      if (isLast) yield cellsAt(next);
      else yield* this.#walk(depth + 1, next);
    }
    if (active.length === here.variants.length) return;
    // Variants that switch the axis off make no new run with each of its values.
    const others = here.variants.filter((variant) => !active.includes(variant));
    yield* this.#walk(depth + 1, { ...here, variants: others });
  }
}

/** A part of the matrix on the way to its points, and the variants that it has. */
interface Place {
  params: Params;
  coordinates: Params;
  variants: readonly Variant[];
}

function isActive({ when }: BoundAxis, params: Params, variant: Variant): boolean {
  return when === undefined || when.holds(paramsOf(params, variant));
}

/** The parameters of a run: what a variant changes, it changes before anything reads them. */
export function paramsOf(params: Params, variant: Variant): Params {
  return Object.keys(variant.params).length > 0 ? { ...params, ...variant.params } : params;
}

function cellsAt({ params, coordinates, variants }: Place): Cell[] {
  return variants.map((variant) => ({ params: paramsOf(params, variant), variant, coordinates }));
}

function withRow(params: Params, names: string[], row: Value[]): Params {
  const result = { ...params };
  for (let i = 0; i < names.length; i++) result[names[i]!] = row[i]!;
  return result;
}
