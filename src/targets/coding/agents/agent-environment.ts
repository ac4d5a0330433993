import { dirname } from "node:path";
import { errorText } from "../../../core/errors.ts";
import { RunFailure } from "../../../core/run.ts";
import { checkEnvVars, fillEnvVars } from "../../command/fill-env-vars.ts";
import type { AgentJob } from "./agent.ts";
import { GATEWAY, STAND_IN } from "./fill-words.ts";

interface Wanted {
  env?: Record<string, string>;
  keys?: readonly string[];
}

/**
 * What an agent's program gets, later ones first: what we need to keep it apart, its own variables and keys, the study's,
 * the task's. Nothing else of our environment goes with it.
 */
export function agentEnvironment(
  { task, params }: Pick<AgentJob, "task" | "params">,
  { env = {}, keys = [] }: Wanted,
  { repo, home, gateway }: { repo: string; home: string; gateway: string },
): Record<string, string> {
  const ours = keys.flatMap((name) =>
    gateway === "" && process.env[name] ? [[name, process.env[name]]] : [],
  );
  return {
    ...task.env,
    HOME: home,
    ...filled(params.env),
    ...Object.fromEntries(ours),
    ...withGateway(filled(env), gateway),
    // Where the agent has removed its .git, git must not go on to a repository further up.
    GIT_CEILING_DIRECTORIES: dirname(repo),
  };
}

/** Without a gateway its address and the stand-ins for keys are left out. */
function withGateway(env: Record<string, string>, url: string): Record<string, string> {
  const kept = Object.entries(env).filter(
    ([, value]) => url !== "" || !(value.includes(GATEWAY) || value === STAND_IN),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, value.replaceAll(GATEWAY, url)]));
}

/** What the gateway may find keys and addresses in: the study's variables before ours. */
export function providerVariables({ params }: Pick<AgentJob, "params">): Record<string, string | undefined> {
  return { ...process.env, ...filled(params.env) };
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
