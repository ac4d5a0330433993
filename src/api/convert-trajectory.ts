import { writeFileSync } from "node:fs";
import { readTrajectoryFile } from "../archive/trajectories/read-trajectory-file.ts";
import { toAtif } from "../archive/trajectories/to-atif.ts";
import { toSweAgent } from "../archive/trajectories/to-swe-agent.ts";
import { UserError } from "../core/errors.ts";
import type { Trajectory } from "../core/trajectory.ts";
import { PROGRAM_VERSION } from "../host/environment.ts";

export type WrittenFormat = "atif" | "swe-agent";

/** Writes a trajectory of any format that Assay reads in one that others read. */
export function convertTrajectory(
  path: string,
  { to, file }: { to: WrittenFormat; file: string },
): { turns: number } {
  const trajectory = openTrajectory(path);
  const converted = to === "atif" ? toAtif(trajectory, { program: PROGRAM_VERSION }) : toSweAgent(trajectory);
  writeFileSync(file, `${JSON.stringify(converted, null, 2)}\n`);
  return { turns: trajectory.turns.length };
}

/** One trajectory that somebody named: if it is broken, that is their mistake. */
function openTrajectory(path: string): Trajectory {
  const read = readTrajectoryFile(path);
  if ("problem" in read) throw new UserError(read.problem, { place: { file: path } });
  return read.trajectory;
}
