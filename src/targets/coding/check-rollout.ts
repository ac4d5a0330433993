import { errorText, UserError } from "../../core/errors.ts";
import { chooseSandbox } from "../../sandboxes/choose-sandbox.ts";
import { findProgram } from "../command/find-program.ts";
import { chooseAgent } from "./agents/choose-agent.ts";
import { namedFile } from "./agents/named-file.ts";
import type { RolloutParams } from "./params.ts";

/** What would keep every run from starting on this machine is told before the first one. */
export async function checkRollout(
  params: RolloutParams,
  baseDir: string,
  { isHere }: { isHere: boolean },
): Promise<void> {
  if (params.agent === "assay") await checkOwnAgent(params, baseDir);
  if (!isHere) return;
  const sandbox = await chooseSandbox(params.sandbox);
  const { name, program } = chooseAgent(params.agent);
  // An image has programs of its own.
  if (program === undefined || program.includes("${") || sandbox.name === "docker") return;
  try {
    findProgram(namedFile(program, baseDir) ?? program, baseDir);
  } catch (error) {
    throw new UserError(`the agent ${name} can't start: ${errorText(error).replace(/\.$/, "")}`, {
      remedy:
        'Another agent: agent = "assay", or the words of your own program: agent = ["./my-agent.sh", "${prompt_file}"].',
    });
  }
}

/** Assay's own agent is loaded late: others need neither its models nor its strategies. */
async function checkOwnAgent({ agent_options, model }: RolloutParams, baseDir: string): Promise<void> {
  if (!(Number(agent_options.cost_limit) > 0)) return;
  const { agentSchema } = await import("../agent/params.ts");
  const { checkCostLimit } = await import("../agent/prepare-agent.ts");
  const { success, data } = agentSchema.safeParse({ ...agent_options, ...(model !== "" && { model }) });
  // What is wrong with them otherwise is told by the run.
  if (success) await checkCostLimit(data, baseDir);
}
