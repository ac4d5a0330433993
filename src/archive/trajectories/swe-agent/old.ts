import type { TrajectoryReader } from "../reader.ts";
import { isSweAgent, readSweAgent } from "./read-swe-agent.ts";

/** Before 1.0, and whatever else has steps or a conversation: demonstrations have only the latter. */
export const sweAgentOld: TrajectoryReader = {
  name: "swe-agent",
  looksFor: "a list trajectory, history or attempts",
  detects: isSweAgent,
  read: (value, { name }) => readSweAgent(value, { name, format: "swe-agent" }),
};
