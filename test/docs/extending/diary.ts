import { listAt, objectsAt, textAt } from "../../../src/archive/trajectories/json-fields.ts";
import type { TrajectoryReader } from "../../../src/archive/trajectories/reader.ts";

/** Agents that keep a diary: what they did, and what they saw. */
export const diary: TrajectoryReader = {
  name: "diary",
  looksFor: "diary, a list with did and saw",
  detects: (value) => listAt(value, "diary") !== undefined,
  read: (value) => ({
    format: "diary",
    instance: textAt(value, "task"),
    model: null,
    exitStatus: null,
    submission: null,
    turns: objectsAt(value, "diary").map((entry, index) => ({
      number: index + 1,
      thought: null,
      action: textAt(entry, "did"),
      observation: textAt(entry, "saw"),
    })),
    totals: {},
  }),
};
