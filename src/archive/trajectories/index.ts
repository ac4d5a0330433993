import type { Trajectory } from "../../core/trajectory.ts";
import { atif } from "./atif.ts";
import { miniBareList, miniOne, miniOneOne } from "./mini-swe-agent.ts";
import { BrokenTrajectory, type TrajectoryReader } from "./reader.ts";
import { ownTrajectory, sweAgentOld, sweAgentOne, sweAgentTurns } from "./swe-agent.ts";

/** The first that knows a file reads it: the particular before the general. */
export const trajectoryReaders: readonly TrajectoryReader[] = [
  atif,
  miniOneOne,
  miniOne,
  miniBareList,
  ownTrajectory,
  sweAgentTurns,
  sweAgentOne,
  sweAgentOld,
];

/** A trajectory out of parsed JSON; thrown: a BrokenTrajectory. */
export function readTrajectory(value: unknown, file: { name: string }): Trajectory {
  const reader = trajectoryReaders.find(({ detects }) => detects(value));
  if (reader) return reader.read(value, file);
  const known = trajectoryReaders.map(({ name, looksFor }) => `${name} (${looksFor})`).join("; ");
  throw new BrokenTrajectory(`the format is unknown; looked for ${known}`);
}
