import { dirname } from "node:path";
import { errorText } from "../../../core/errors.ts";
import { RunFailure } from "../../../core/run.ts";
import { checkEnvVars, fillEnvVars } from "../../command/fill-env-vars.ts";
import type { AgentJob } from "./agent.ts";

interface Wanted {
  env?: Record<string, string>;
  keys?: readonly string[];
}

/**
 * What an agent's program gets, later ones first: what we need to keep it apart, its own variables and keys, the study's,
 * the task's. Nothing else of our environment goes with it.
 */
export function agentEnvironment(
  { task, params, places }: Pick<AgentJob, "task" | "params" | "places">,
  { env = {}, keys = [] }: Wanted,
  repo: string,
): Record<string, string> {
  const ours = keys.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  return {
    ...task.env,
    HOME: places.homeDir,
    ...filled(params.env),
    ...Object.fromEntries(ours),
    ...filled(env),
    // Where the agent has removed its .git, git must not go on to a repository further up.
    GIT_CEILING_DIRECTORIES: dirname(repo),
  };
}

function filled(env: Record<string, string>): Record<string, string> {
  try {
    checkEnvVars(Object.values(env));
  } catch (error) {
    throw new RunFailure(
      "infrastructure",
      errorText(error).replace("the command names", "the environment names"),
    );
  }
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fillEnvVars(value)]));
}
