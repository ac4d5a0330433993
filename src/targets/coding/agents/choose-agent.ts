import { agentName } from "../../../core/agent-name.ts";
import type { RolloutParams } from "../params.ts";
import type { Agent } from "./agent.ts";
import { agentPresets } from "./index.ts";
import { createProgramAgent } from "./program-agent.ts";

/** The agent that a study names: a preset, the words of a program, or a program with a name of its own. */
export function chooseAgent(agent: RolloutParams["agent"]): Agent {
  if (typeof agent === "string") return agentPresets[agent]!.create();
  if (Array.isArray(agent)) return createProgramAgent({ name: agentName(agent), command: agent });
  return createProgramAgent(agent);
}
