import { statSync } from "node:fs";
import { resolve } from "node:path";
import { errorText, UserError } from "../../core/errors.ts";
import { shortHash } from "../../core/hash.ts";
import type { Params, Value } from "../../core/params.ts";
import { PROTOCOLS } from "../../gateway/protocols/index.ts";
import { missingKey } from "../../gateway/upstream.ts";
import { priceListed } from "../../models/prices/price.ts";
import { readPriceFile } from "../../models/prices/price-file.ts";
import { chooseSandbox } from "../../sandboxes/choose-sandbox.ts";
import { askedModels as askedByAgent } from "../agent/asked-models.ts";
import { findProgram } from "../command/find-program.ts";
import { type AskedModels, defineTarget } from "../target.ts";
import type { Agent } from "./agents/agent.ts";
import { findHome } from "./agents/agent-home.ts";
import { chooseAgent } from "./agents/index.ts";
import { findNear, namedFile } from "./find-near.ts";
import { versionOfTask } from "./find-task.ts";
import { RolloutManifest } from "./launch-files/rollout-manifest.ts";
import { metricInfos } from "./metrics.ts";
import { type RolloutParams, rolloutSchema } from "./params.ts";
import { canRegrade, regrade } from "./regrade.ts";
import { runRollout } from "./run-rollout.ts";
import { hashTree } from "./tasks/hash-tree.ts";

/** A coding agent on a task folder: its own copy of the repository, its patch, the task's tests. */
export const rollout = defineTarget({
  name: "rollout",
  version: "1",
  description:
    "a coding agent on a task folder: codex, claude, a script, or Assay's own; graded by the task's tests",
  params: rolloutSchema,
  metrics: metricInfos,
  taskVersion: versionOfTask,
  valueVersion: versionOfValue,
  models: askedModels,
  launchFiles: (launch) => new RolloutManifest(launch),
  regrading: {
    canRegrade,
    regrade,
  },
  check: checkRollout,
  estimate: surroundingsOf,
  run: runRollout,
});

/** The judge's, and those of Assay's own agent. Where other agents take part, a model may be meant for those alone. */
function askedModels(valuesOf: (param: string) => Value[]): AskedModels {
  const isNamed = (value: Value): value is string => typeof value === "string" && value !== "";
  const judges = valuesOf("judge").filter(isNamed);
  const named = valuesOf("agent");
  // A study that names none has the default, which is metered, too.
  const agents = named.length > 0 ? named : [rolloutSchema.parse({}).agent];
  const isShared = agents.some((agent) => {
    const { success, data } = rolloutSchema.safeParse({ agent });
    return success && chooseAgent(data.agent).isMetered === true;
  });
  if (!agents.includes("assay")) return { names: judges, isShared };
  const options = valuesOf("agent_options").filter(isParams);
  const own = askedByAgent((name) => [
    ...(name === "model" ? valuesOf("model").filter(isNamed) : []),
    ...options.map((values) => values[name]).filter((value) => value !== undefined),
  ]);
  return agents.every((agent) => agent === "assay")
    ? { ...own, names: [...own.names, ...judges], isShared }
    : { ...own, names: judges, isShared };
}

/** What the plan says of where an agent works, and what it reaches from there. */
async function surroundingsOf({ sandbox, network }: RolloutParams): Promise<string> {
  const { name, images } = await chooseSandbox(sandbox);
  if (name === "directory") return "in no sandbox: agents have your files and your network";
  if (network === false) return `in ${name}, without a network`;
  if (network !== true)
    return `in ${name}, without a network but for its models; network: true gives it yours`;
  return images
    ? `in ${name}, with the engine's network`
    : `in ${name}, with your whole network, also services of this machine alone`;
}

function isParams(value: Value): value is Params {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What would keep every run from starting on this machine is told before the first one. */
async function checkRollout(
  params: RolloutParams,
  baseDir: string,
  { isHere, isReplay = false, limitUsd = 0 }: { isHere: boolean; isReplay?: boolean; limitUsd?: number },
): Promise<void> {
  if (!isReplay && Math.max(limitUsd, params.max_cost_usd) > 0) await checkPriced(params, baseDir);
  if (params.agent === "assay") await checkOwnAgent(params, baseDir);
  if (!isHere) return;
  const sandbox = await chooseSandbox(params.sandbox);
  const agent = chooseAgent(params.agent);
  checkNeeds(agent, params, { isReplay });
  const { name, program, find, home } = agent;
  if (home !== undefined) findHome(home, baseDir);
  // An image has programs of its own.
  if (program === undefined || program.includes("${") || sandbox.images) return;
  try {
    if (find) find();
    else findProgram(namedFile(program, baseDir) ?? program, baseDir);
  } catch (error) {
    throw new UserError(`the agent ${name} can't start: ${errorText(error).replace(/\.$/, "")}`, {
      remedy:
        'Another agent: agent = "assay", or the words of your own program: agent = ["./my-agent.sh", "${prompt_file}"].',
    });
  }
}

/** A limit on what an agent of others spends can only be kept where the price of its model is known. */
async function checkPriced({ agent, model, prices: file }: RolloutParams, baseDir: string): Promise<void> {
  const { name, vendorOf, isMetered } = chooseAgent(agent);
  if (!isMetered) return;
  if (model === "")
    throw new UserError(`the agent ${name} chooses its model itself, so a cost limit can't be kept`, {
      remedy: "Name one in the parameter model, or leave out the limit.",
    });
  const prices = file === "" ? {} : await readPriceFile(resolve(baseDir, file));
  const vendor = vendorOf?.(model);
  const vendors = vendor ? [vendor] : PROTOCOLS.map((protocol) => protocol.vendor);
  const nothing = { input: 0, cached: 0, output: 0, reasoning: 0 };
  // Some agents put the provider before it.
  for (const bare of [model, model.replace(/^.*\//, "")])
    for (const one of vendors)
      if ((await priceListed({ vendor: one, model: bare, prices }, nothing, Date.now())) !== null) return;
  throw new UserError(`the price of ${model} is unknown, so a cost limit can't be kept`, {
    remedy: `Write its USD per million tokens into a price file ("${model}": {input: 1, cached: 0.1, output: 4}) and name that in the parameter prices, or leave out the limit.`,
  });
}

function checkNeeds(
  { name, vendorOf, subscription, needsModel }: Agent,
  params: RolloutParams,
  { isReplay }: { isReplay: boolean },
): void {
  if (needsModel && params.model === "")
    throw new UserError(`the agent ${name} needs a model`, { remedy: 'Name one: model = "gpt-5-mini".' });
  const env = { ...process.env, ...params.env };
  const vendor = vendorOf?.(params.model);
  const key = vendor && !isReplay && missingKey(vendor, env);
  if (key && !(subscription && env[subscription]))
    throw new UserError(`the agent ${name} needs ${key}`, {
      remedy: "Set it in the environment; the agent itself never sees it.",
    });
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

/** The content of an agent's scripts and home, of the files that its words name, and of overrides. */
function versionOfValue(param: string, value: unknown, baseDir: string): string | undefined {
  const files = filesOf(param, value, baseDir);
  return files.length === 0 ? undefined : shortHash(files.map((file) => hashTree(file)).join());
}

function filesOf(param: string, value: unknown, baseDir: string): string[] {
  if (param === "overrides") return typeof value === "string" ? overridesOf(value, baseDir) : [];
  if (param !== "agent" || typeof value !== "object" || value === null) return [];
  const { command, args, home } = value as { command?: unknown; args?: unknown; home?: unknown };
  const words = Array.isArray(value) ? value : [command ?? [], args ?? []].flat();
  const named = words
    .flat()
    .flatMap((word) => (typeof word === "string" ? (namedFile(word, baseDir) ?? []) : []));
  return [...named, ...(typeof home === "string" ? [findHome(home, baseDir)] : [])];
}

/** One in the task's own folder counts as a part of the task. */
function overridesOf(path: string, baseDir: string): string[] {
  const found = path === "" ? undefined : findNear(path, baseDir);
  return found !== undefined && statSync(found).isFile() ? [found] : [];
}
