import type { Params, Value } from "./params.ts";

/** The label of a run whose result may not be what it seems: in which ways, with commas between. */
export const SUSPECT = "suspect";

/** Parameters that name the models of an agent, of its summariser and of its reviewer. */
export const MODEL_PARAMS = ["model", "summarizer_model", "review_model"] as const;

/** The name that the file gives, a preset's name, or the first words of a command. */
export function agentName(agent: Value | undefined): string {
  if (typeof agent === "string") return agent;
  if (Array.isArray(agent)) return agent.slice(0, 2).map(String).join(" ");
  return typeof agent === "object" && agent !== null ? String(agent.name ?? agent.preset ?? "") : "codex";
}

/** Whom a run was about, where it was an agent: whoever runs or imports one names both in its parameters. */
export function agentOf({ agent, model }: Params): { model: string; agent: string } {
  return { model: typeof model === "string" ? model : "", agent: agentName(agent) };
}

export function isOfAgent(params: Params): boolean {
  return "agent" in params;
}
