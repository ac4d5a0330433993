import type { Trajectory } from "../../core/trajectory.ts";
import { atif } from "./atif/atif.ts";
import { miniBareList } from "./mini-swe-agent/bare-list.ts";
import { miniOne } from "./mini-swe-agent/one.ts";
import { miniOneOne } from "./mini-swe-agent/one-one.ts";
import { BrokenTrajectory, type TrajectoryReader } from "./reader.ts";
import { sweAgentOld } from "./swe-agent/old.ts";
import { sweAgentOne } from "./swe-agent/one.ts";
import { ownTrajectory } from "./swe-agent/own.ts";
import { sweAgentTurns } from "./swe-agent/turns.ts";

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
