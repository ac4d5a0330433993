import { type AgentPreset, NO_USAGE } from "../agent.ts";

/** A task that it solves has tests that can't tell. */
export const nop: AgentPreset = {
  name: "nop",
  description: "does nothing: what a task's tests say of the untouched repository",
  create: () => ({
    name: "nop",
    work: async () => ({ exit: "0", exitCode: 0, wallMs: 0, usage: NO_USAGE }),
  }),
};
