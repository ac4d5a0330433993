import { basename } from "node:path";
import { type Caps, capTrajectory } from "../analysis/trajectories/cap-trajectory.ts";
import { parseTrajectory } from "../archive/trajectories/read-trajectory-file.ts";
import type { RunView, TrajectoryView } from "../reporters/study-view.ts";
import { readInside } from "./read-inside.ts";

export interface TrajectoryRoom extends Caps {
  /** So many trajectories are shown; they share the room for texts. */
  most: number;
}

const NAMES = /^out\/(?:.*\/)?(?:trajectory[\w.-]*\.json|[^/]+\.traj|[^/]+\.traj\.json)$/;
const MOST_BYTES = 50_000_000;
const LEAST_CHARS = 400;

/** The trajectories among a run's files; undefined where there is none that can be read. */
export function readRunTrajectories(
  dir: string,
  files: RunView["files"],
  { most, textChars, mostTurns }: TrajectoryRoom,
): RunView["trajectories"] {
  const named = files.filter(({ path, bytes }) => NAMES.test(path) && bytes <= MOST_BYTES);
  const caps = {
    textChars: Math.max(LEAST_CHARS, Math.floor(textChars / Math.min(named.length, most))),
    mostTurns,
  };
  const shown: TrajectoryView[] = [];
  let tried = 0;
  for (const { path } of named) {
    if (shown.length >= most) break;
    tried++;
    const text = readInside(dir, path, { first: MOST_BYTES })?.text;
    const read = text === undefined ? undefined : parseTrajectory(text, basename(path));
    if (read && "trajectory" in read) shown.push({ file: path, ...capTrajectory(read.trajectory, caps) });
  }
  return shown.length === 0 ? undefined : { shown, left: named.length - tried };
}
