import { field, isObject, listAt } from "../json-fields.ts";
import type { TrajectoryReader } from "../reader.ts";
import { isSweAgent, readSweAgent } from "./read-swe-agent.ts";

/** The fork that counts each turn's tokens and keeps the summariser's account apart. */
export const sweAgentTurns: TrajectoryReader = {
  name: "swe-agent-turns",
  looksFor: "steps with turn_statistics, or info.agent_model_stats",
  detects: (value) =>
    isSweAgent(value) &&
    (isObject(field(value, "info", "agent_model_stats")) ||
      isObject(field(value, "info", "model_stats", "tokens")) ||
      isObject(field(listAt(value, "trajectory")?.[0], "turn_statistics"))),
  read: (value, { name }) => readSweAgent(value, { name, format: "swe-agent-turns" }),
};
