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
