import { agentName } from "../../../core/agent-name.ts";
import type { RolloutParams } from "../params.ts";
import type { Agent } from "./agent.ts";
import { agentPresets } from "./index.ts";
import { createProgramAgent } from "./program-agent.ts";

/** The agent that a study names: a preset, also with changes of its own, or a program of the user's. */
export function chooseAgent(agent: RolloutParams["agent"]): Agent {
  if (typeof agent === "string") return agentPresets[agent]!.create();
  if (Array.isArray(agent)) return createProgramAgent({ name: agentName(agent), command: agent });
  if (!("preset" in agent)) return createProgramAgent(agent);
  const { preset, name = preset, ...touches } = agent;
  return { ...agentPresets[preset]!.create(touches), name };
}
