import { textAt } from "../json-fields.ts";
import type { TrajectoryReader } from "../reader.ts";
import { isSweAgent, readSweAgent } from "./read-swe-agent.ts";

/** What Assay's own agent writes: SWE-agent's format with turn statistics, and what the strategy did. */
export const ownTrajectory: TrajectoryReader = {
  name: "assay",
  looksFor: "info.assay_version",
  detects: (value) => isSweAgent(value) && textAt(value, "info", "assay_version") !== null,
  read: (value, { name }) => readSweAgent(value, { name, format: "assay" }),
};
