import type { Trajectory } from "../../core/trajectory.ts";

/** Reads one format of trajectories out of parsed JSON. What a file does not say stays unknown. */
export interface TrajectoryReader {
  name: string;
  /** By what it is known, for people whose file is none of these. */
  looksFor: string;
  detects(value: unknown): boolean;
  read(value: unknown, file: { name: string }): Trajectory;
}

/** Why a file is no trajectory that can be read. */
export class BrokenTrajectory extends Error {}

/** A file that is named for its task (`owner__repository-123.traj`) says which it is. */
export function instanceInName(name: string): string | null {
  const bare = name.replace(/(\.traj)?(\.json)?$/, "");
  return /^[\w.-]+__[\w.-]+-\d+$/.test(bare) ? bare : null;
}
