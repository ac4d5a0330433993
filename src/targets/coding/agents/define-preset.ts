import type { AgentPreset } from "./agent.ts";
import type { AgentPackage } from "./installed.ts";
import { createProgramAgent, type ProgramAgent } from "./program-agent.ts";

interface PublishedAgent extends ProgramAgent {
  /** What it is, for lists. */
  title: string;
  npm: AgentPackage;
}

/** A preset for an agent that others publish on the npm registry. */
export function definePreset({ title, ...agent }: PublishedAgent): AgentPreset {
  const { name, npm } = agent;
  return {
    ...{ name, npm, description: `${title}; tried with ${npm.tried}` },
    create: (touches) => createProgramAgent(agent, touches),
  };
}

/** The sum over all parts; unknown where there is no part, where one lacks a number, or where some may be missing. */
export function sumOrUnknown(
  parts: readonly (readonly (number | undefined)[])[],
  isWhole: boolean,
): number | null {
  if (!isWhole || parts.length === 0) return null;
  let sum = 0;
  for (const number of parts.flat()) {
    if (number === undefined) return null;
    sum += number;
  }
  return sum;
}
