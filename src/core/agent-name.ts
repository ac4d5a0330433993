import type { Value } from "./params.ts";

/** The name that the file gives, a preset's name, or the first words of a command. */
export function agentName(agent: Value | undefined): string {
  if (typeof agent === "string") return agent;
  if (Array.isArray(agent)) return agent.slice(0, 2).map(String).join(" ");
  return typeof agent === "object" && agent !== null ? String(agent.name ?? agent.preset ?? "") : "codex";
}
