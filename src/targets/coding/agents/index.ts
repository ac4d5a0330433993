import { agentName } from "../../../core/agent-run.ts";
import type { RolloutParams } from "../params.ts";
import type { Agent, AgentPreset } from "./agent.ts";
import { aider } from "./presets/aider.ts";
import { assay } from "./presets/assay.ts";
import { claude } from "./presets/claude.ts";
import { cline } from "./presets/cline.ts";
import { codex } from "./presets/codex.ts";
import { continueDev } from "./presets/continue.ts";
import { gemini } from "./presets/gemini.ts";
import { nop } from "./presets/nop.ts";
import { opencode } from "./presets/opencode.ts";
import { oracle } from "./presets/oracle.ts";
import { pi } from "./presets/pi.ts";
import { qwen } from "./presets/qwen.ts";
import { createProgramAgent } from "./program-agent.ts";

/** Agents by the names that studies give them. */
export const agentPresets: Readonly<Record<string, AgentPreset>> = {
  assay,
  codex,
  claude,
  opencode,
  gemini,
  qwen,
  pi,
  cline,
  continue: continueDev,
  aider,
  oracle,
  nop,
};

/** The agent that a study names: a preset, also with changes of its own, or a program of the user's. */
export function chooseAgent(agent: RolloutParams["agent"]): Agent {
  if (typeof agent === "string") return agentPresets[agent]!.create();
  if (Array.isArray(agent)) return createProgramAgent({ name: agentName(agent), command: agent });
  if (!("preset" in agent)) return createProgramAgent(agent);
  const { preset, name = preset, ...touches } = agent;
  return { ...agentPresets[preset]!.create(touches), name };
}
