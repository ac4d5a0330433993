import { field, listAt, textAt } from "../json-fields.ts";
import type { TrajectoryReader } from "../reader.ts";
import { isSweAgent, readSweAgent } from "./read-swe-agent.ts";

/** Since 1.0: its version stands in `info`, or a step has its prompt. */
export const sweAgentOne: TrajectoryReader = {
  name: "swe-agent-1",
  looksFor: "info.swe_agent_version, replay_config, attempts, or steps with messages or query",
  detects(value) {
    if (!isSweAgent(value)) return false;
    const first = listAt(value, "trajectory")?.[0];
    return (
      textAt(value, "info", "swe_agent_version") !== null ||
      typeof field(value, "replay_config") === "string" ||
      listAt(value, "attempts") !== undefined ||
      listAt(first, "messages") !== undefined ||
      listAt(first, "query") !== undefined
    );
  },
  read: (value, { name }) => readSweAgent(value, { name, format: "swe-agent-1" }),
};
