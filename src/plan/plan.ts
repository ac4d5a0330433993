import { UserError } from "../core/errors.ts";
import { shownValue } from "../core/explain-issue.ts";
import { firstRepeated, repeatedRow, repeatedSeed } from "../core/params.ts";
import { RandomStream, shuffle } from "../core/random.ts";
import type { Run } from "../core/run.ts";
import type { Study } from "../core/study.ts";
import { type Cell, contentVersion, Matrix, valuesVersion, watchedVersion } from "./cells.ts";
import { cellKey, cellLabel, defaultLabel, runHash } from "./identify.ts";

const NO_TASKS = [null];

/** So many cells make a group: a plan of a million cells is made as it is read. */
const MOST_IN_TURN = 64;

/** Every run of a study, in order, made one at a time. */
export class Plan {
  readonly study: Study;
  readonly matrix: Matrix;
  readonly axisNames: string[];
  readonly #program: string;
  readonly #label: string;
  readonly #hide: (text: string) => string;

  /**
   * `program` stands for the state of the target's code: it is part of every run's identity. `hide` takes
   * secrets out of the readable part of ids.
   */
  constructor(study: Study, program: string, hide: (text: string) => string = (text) => text) {
    this.#hide = hide;
    checkNames(study);
    checkDistinct(study);
    this.study = study;
    this.matrix = new Matrix(study);
    this.axisNames = study.axes.flatMap((axis) => axis.names);
    this.#program = program;
    this.#label = hide(study.label ?? defaultLabel(study.axes));
    if (study.tasks && !this.#label.includes("${task}")) this.#label += "__${task}";
    if (study.repeats.measured > 1 && !this.#label.includes("${repeat}")) this.#label += "__r${repeat}";
  }

  /**
   * A seed, a repeat and a task for all cells before the next, so that every arm has runs from the start and arms that are
   * compared by seed or task have pairs early. Where the study is interleaved, each of these rounds has an order of its own.
   */
  *runs(): Generator<Run> {
    const { seeds, repeats, order, tasks = NO_TASKS } = this.study;
    for (const cells of this.#groups())
      for (const seed of seeds)
        for (let repeat = 0; repeat < repeats.measured; repeat++)
          for (const task of tasks) {
            const place = { seed, task, repeat };
            for (const cell of order === "interleaved" ? shuffled(cells, place) : cells)
              if (this.#judge(cell.cell, place)) yield this.#runAt(cell, place);
          }
  }

  /** Cells that take turns: all of them in rounds, else those of a few points, or of one where the study or a cell's own service wants it. */
  *#groups(): Generator<IdentifiedCell[]> {
    const { order, services = [] } = this.study;
    const isApart = order === "planned" || services.some(({ per }) => per === "cell");
    const most = order === "interleaved" ? Number.POSITIVE_INFINITY : isApart ? 1 : MOST_IN_TURN;
    let cells: IdentifiedCell[] = [];
    for (const point of this.matrix.points()) {
      for (const cell of point) if (this.matrix.admits(cell)) cells.push(this.#identify(cell));
      if (cells.length < most) continue;
      yield cells;
      cells = [];
    }
    if (cells.length > 0) yield cells;
  }

  /** How many runs there are. Walks the matrix only where conditions make it necessary. */
  count(): number {
    const { variants } = this.study;
    const perCell = this.runsPerCell;
    if (this.matrix.isFull) {
      const cells = this.matrix.axes.reduce((product, axis) => product * axis.rows.length, variants.length);
      return cells * perCell;
    }
    let total = 0;
    for (const { weight } of this.weighedCells()) total += weight;
    return total;
  }

  /** The cells with the number of runs that each one has. */
  *weighedCells(): Generator<{ cell: Cell; weight: number }> {
    const perCell = this.runsPerCell;
    for (const point of this.matrix.points()) {
      for (const cell of point) {
        const weight = this.matrix.judgesRuns ? this.#runsOf(cell) : this.matrix.admits(cell) ? perCell : 0;
        if (weight > 0) yield { cell, weight };
      }
    }
  }

  /** Runs of a cell that no condition leaves out. */
  get runsPerCell(): number {
    const { seeds, repeats, tasks = NO_TASKS } = this.study;
    return seeds.length * tasks.length * repeats.measured;
  }

  #runsOf(cell: Cell): number {
    const { seeds, repeats, tasks = NO_TASKS } = this.study;
    let total = 0;
    for (const seed of seeds) {
      for (const task of tasks) {
        for (let repeat = 0; repeat < repeats.measured; repeat++) {
          if (this.#judge(cell, { seed, task, repeat })) total++;
        }
      }
    }
    return total;
  }

  #judge(cell: Cell, place: RunPlace): boolean {
    if (!this.matrix.judgesRuns) return true;
    return this.matrix.where!.holds({ ...cell.params, variant: cell.variant.name, ...place });
  }

  #identify(cell: Cell): IdentifiedCell {
    const { params, variant } = cell;
    const key = cellKey({ params, variant: variant.name, flags: variant.flags }, this.#program);
    const label = cellLabel(this.#label, { ...params, variant: variant.name }, this.#hide);
    return { cell, key, label, values: valuesVersion(this.study, params) };
  }

  #runAt({ cell, key, label, values }: IdentifiedCell, { seed, task, repeat }: RunPlace): Run {
    const { params, variant } = cell;
    const ofTask = task === null ? undefined : this.study.taskVersions?.[task];
    const taskVersion = contentVersion(ofTask, values, watchedVersion(this.study, params, task));
    const hash = runHash(key, { seed, task, taskVersion, repeat });
    const prefix = label({ seed, task, repeat });
    const id = prefix === "" ? hash : `${prefix}__${hash}`;
    const run: Run = { id, params, variant: variant.name, flags: variant.flags, seed, task, repeat };
    const item = task === null ? undefined : this.study.items?.get(task);
    if (item) run.item = item;
    if (taskVersion !== undefined) run.taskVersion = taskVersion;
    return run;
  }
}

interface IdentifiedCell {
  cell: Cell;
  key: string;
  label: (place: RunPlace) => string;
  /** Stands for the files that its parameters name. */
  values: string | undefined;
}

type RunPlace = Pick<Run, "seed" | "task" | "repeat">;

function shuffled(cells: readonly IdentifiedCell[], { seed, repeat, task }: RunPlace): IdentifiedCell[] {
  const round = task === null ? `order of round ${repeat}` : `order of round ${repeat} ${task}`;
  return shuffle(cells, new RandomStream(seed, round));
}

/** What every run has besides its parameters, and where a study says it. */
const TAKEN = new Map([
  ["seed", "Use seeds: for it."],
  ["repeat", "Use repeats: for it."],
  ["variant", "Use variants: for it, or another name."],
  ["task", "Use tasks: for it, or another name."],
]);

/** Two runs of one id would write to one folder at once, whoever listed what makes them twice. */
function checkDistinct({ axes, seeds, tasks = [], variants }: Study): void {
  const remedy = "Remove one; to repeat a measurement use seeds: or repeats:.";
  for (const axis of axes) {
    const row = axis.rows[repeatedRow(axis) ?? -1];
    if (!row) continue;
    const names = axis.names.join(" and ");
    throw new UserError(`${names}: ${row.map(shownValue).join(" and ")} is listed twice`, { remedy });
  }
  const lists = { seed: seeds, task: tasks, variant: variants.map(({ name }) => name) };
  for (const [what, list] of Object.entries(lists)) {
    const twice = what === "seed" ? repeatedSeed(seeds) : firstRepeated(list);
    if (twice !== undefined) throw new UserError(`the ${what} ${list[twice]} is listed twice`, { remedy });
  }
}

function checkNames(study: Study): void {
  const axisNames = new Set<string>();
  const fixed = [study, ...study.variants].flatMap(({ params }) => Object.keys(params));
  for (const name of [...fixed, ...study.axes.flatMap((axis) => axis.names)]) {
    const remedy = TAKEN.get(name);
    if (remedy)
      throw new UserError(`"${name}" can't be a parameter, since every run has one already`, { remedy });
  }
  for (const name of study.axes.flatMap((axis) => axis.names)) {
    if (axisNames.has(name)) {
      throw new UserError(`the parameter "${name}" is on two axes`, { remedy: "Keep it on one of them." });
    }
    axisNames.add(name);
  }
  for (const variant of study.variants) {
    const clash = Object.keys(variant.params).find((name) => axisNames.has(name));
    if (clash !== undefined) {
      throw new UserError(`the variant "${variant.name}" sets "${clash}", which is an axis of the matrix`, {
        remedy: `Take ${clash} out of the variant, or out of the matrix.`,
      });
    }
  }
}
