import type { RandomStream } from "assay/plugin";

/** What the maps of a curriculum have in common. The maps themselves are drawn by seed. */
export interface Curriculum {
  /** Cells along each side. */
  size: number;
  /** One, two or four: signs tell in each episode which of them pays in full. */
  goals: 1 | 2 | 4;
  /** A wall across the middle with one gap, and the second sign in the gap. */
  hasGate: boolean;
  /** Share of cells that can't be entered. */
  rocks: number;
  /** Maps differ in how much of them is mud, which costs more to cross: from nothing to this share. */
  mostMud: number;
  /** An episode ends after this many steps at the latest. */
  longestEpisode: number;
}

/** From easy to hard. */
export const curricula = {
  // The sign at the start means nothing: to remember it is no help.
  terrain_1: { size: 6, goals: 1, hasGate: false, rocks: 0.15, mostMud: 0.4, longestEpisode: 60 },
  // The sign at the start tells left from right, and is out of sight when that matters.
  terrain_2: { size: 7, goals: 2, hasGate: false, rocks: 0.15, mostMud: 0.6, longestEpisode: 80 },
  // Two signs, at the start and in the gate, tell four goals apart together.
  terrain_3: { size: 8, goals: 4, hasGate: true, rocks: 0.12, mostMud: 0.5, longestEpisode: 120 },
} as const satisfies Record<string, Curriculum>;

export type CurriculumName = keyof typeof curricula;

/** What a cell is. A goal's number is its kind less `GOAL`. */
const GROUND = 0;
export const ROCK = 1;
export const MUD = 2;
export const GOAL = 3;

/** One map: what each cell is, row by row, where an episode starts and where the second sign stands. */
export interface Terrain {
  size: number;
  cells: Uint8Array;
  start: number;
  /** The gap in the wall; null where there is no wall. */
  gate: number | null;
}

/** A map on which every goal can be reached; `index` tells the maps of one seed apart. */
export function drawTerrain(curriculum: Curriculum, stream: RandomStream, index: number): Terrain {
  // Nearly every draw will do. Fewer rocks at each further try, so that the tries end.
  for (let attempt = 0; ; attempt++) {
    const terrain = draw({ ...curriculum, rocks: curriculum.rocks / (1 + attempt) }, (cell, what) =>
      stream.uniform(index, attempt, cell, what),
    );
    if (reachable(terrain).size === terrain.cells.filter((kind) => kind !== ROCK).length) return terrain;
  }
}

function draw(curriculum: Curriculum, uniform: (cell: number, what: number) => number): Terrain {
  const { size, goals, hasGate, rocks } = curriculum;
  const mud = curriculum.mostMud * uniform(0, 4);
  const cells = new Uint8Array(size * size);
  for (let cell = 0; cell < cells.length; cell++) {
    const u = uniform(cell, 0);
    cells[cell] = u < rocks ? ROCK : u < rocks + mud ? MUD : GROUND;
  }
  const start = Math.floor(uniform(0, 1) * size);
  cells[start] = GROUND;
  let gate = null;
  if (hasGate) {
    const row = (size >> 1) * size;
    gate = row + Math.floor(uniform(0, 2) * size);
    cells.fill(ROCK, row, row + size);
    cells[gate] = GROUND;
  }
  // Each goal has a piece of the last row of its own.
  const width = Math.floor(size / goals);
  for (let goal = 0; goal < goals; goal++) {
    const column = goal * width + Math.floor(uniform(goal, 3) * width);
    cells[size * (size - 1) + column] = GOAL + goal;
  }
  return { size, cells, start, gate };
}

/** The cell that a move leads to; a rock or the edge leads nowhere. Moves: up, right, down, left. */
export function neighbour({ size, cells }: Terrain, cell: number, move: number): number {
  const column = cell % size;
  if ((move === 1 && column === size - 1) || (move === 3 && column === 0)) return cell;
  const next = cell + (move === 0 ? -size : move === 1 ? 1 : move === 2 ? size : -1);
  return next < 0 || next >= cells.length || cells[next] === ROCK ? cell : next;
}

/** Every cell that can be reached from the start without going through a goal. */
function reachable(terrain: Terrain): Set<number> {
  const found = new Set([terrain.start]);
  for (const cell of found) {
    if (terrain.cells[cell]! >= GOAL) continue;
    for (let move = 0; move < 4; move++) found.add(neighbour(terrain, cell, move));
  }
  return found;
}
