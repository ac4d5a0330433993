import { UserError } from "../core/errors.ts";
import { type Expression, parseExpression, RUN_NAMES } from "../core/expression.ts";
import { canonicalJson, shortHash } from "../core/hash.ts";
import { type Params, sameValue, type Value } from "../core/params.ts";
import type { Run } from "../core/run.ts";
import type { Axis, Study, Variant } from "../core/study.ts";
import { fillPattern } from "../core/watch-pattern.ts";
import { admitsPoint } from "./admits-point.ts";

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

/** An axis with its condition parsed. */
export interface BoundAxis {
  names: string[];
  rows: Value[][];
  /** Asked with all parameters of a run, those that its variant changes included: nothing else decides it. */
  when: Expression | undefined;
}

/** Parses the conditions and puts each conditional axis after the axes that its condition reads. */
function orderAxes(study: Study): BoundAxis[] {
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

/** Stands for the files that the values of a cell name; undefined where none of them names any. */
export function valuesVersion({ valueVersions }: Study, params: Params): string | undefined {
  if (valueVersions === undefined) return undefined;
  const versions = Object.entries(valueVersions).flatMap(([name, byValue]) => {
    const version = params[name] === undefined ? undefined : byValue[canonicalJson(params[name])];
    return version === undefined ? [] : [`${name}=${version}`];
  });
  return versions.length === 0 ? undefined : shortHash(versions.join());
}

/** Stands for the watched files that a run names by its parameters or its task; undefined where it names none. */
export function watchedVersion(
  { watchVersions }: Study,
  params: Params,
  task: string | null,
): string | undefined {
  if (watchVersions === undefined) return undefined;
  const versions = Object.entries(watchVersions).flatMap(([pattern, byPath]) => {
    const path = fillPattern(pattern, { ...params, task });
    return path === undefined ? [] : [`${pattern}=${byPath[path] ?? ""}`];
  });
  return versions.length === 0 ? undefined : shortHash(versions.join("\0"));
}

/** What a run's identity and its record hold of the content that it is about. */
export function contentVersion(
  task: string | undefined,
  ...files: (string | undefined)[]
): string | undefined {
  const versions = files.filter((version) => version !== undefined);
  return versions.length === 0 ? task : `${task ?? ""}+${versions.join("+")}`;
}

/**
 * Tells which runs are part of a study, without walking its matrix: a journal also holds runs of parameters
 * that the study had once, and those must not be averaged with what it has now.
 */
export function containsRun(study: Study): (run: Run) => boolean {
  const { axes, where } = new Matrix(study);
  const rows = axes.map((axis) => new Set(axis.rows.map(canonicalJson)));
  const seeds = new Set(study.seeds);
  const tasks = new Set<string | null>(study.tasks ?? [null]);
  const variants = new Map(study.variants.map((variant) => [variant.name, variant]));
  const isPoint = study.search && admitsPoint(study.search);
  const searched = new Set((study.search?.space ?? []).map(({ path }) => path[0]!));

  const containsCell = ({ params }: Run, variant: Variant) => {
    const expected = { ...study.params };
    for (const [i, { names, when }] of axes.entries()) {
      if (when && !when.holds(params)) continue;
      const row = names.map((name) => params[name] ?? null);
      if (!rows[i]!.has(canonicalJson(row))) return false;
      for (const [column, name] of names.entries()) expected[name] = row[column]!;
    }
    if (isPoint && !isPoint(params)) return false;
    for (const name of searched) if (params[name] !== undefined) expected[name] = params[name];
    return sameValue({ ...expected, ...variant.params }, params);
  };
  // Most runs of a study share their parameters with many others: each combination is judged once.
  const cells = new Map<string, boolean>();
  const hasCell = (run: Run, variant: Variant) => {
    const key = JSON.stringify([run.variant, run.params]);
    let has = cells.get(key);
    if (has === undefined) {
      has = containsCell(run, variant);
      if (cells.size < MOST_KNOWN_CELLS) cells.set(key, has);
    }
    return has;
  };

  return (run) => {
    const variant = variants.get(run.variant);
    if (!variant || !sameValue(variant.flags, run.flags)) return false;
    if (!seeds.has(run.seed) || !tasks.has(run.task) || run.repeat >= study.repeats.measured) return false;
    const ofTask = run.task === null ? undefined : study.taskVersions?.[run.task];
    if (contentVersion(ofTask, valuesVersion(study, run.params)) !== run.taskVersion) return false;
    if (!hasCell(run, variant)) return false;
    const { seed, task, repeat } = run;
    return !where || where.holds({ ...run.params, variant: run.variant, seed, task, repeat });
  };
}

const MOST_KNOWN_CELLS = 10_000;
