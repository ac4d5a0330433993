import { chmodSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { errorText } from "../../../core/errors.ts";
import { createRedactor } from "../../../core/redact.ts";
import { RunFailure } from "../../../core/run.ts";
import type { Mount, ProgramResult } from "../../../sandboxes/sandbox.ts";
import { readPlainFile } from "../read-plain-file.ts";
import { readyWords, whyNotReady } from "../ready-machine.ts";
import type { SeenPaths } from "../seen-paths.ts";
import { inImage } from "../task-image.ts";
import type { McpServer } from "../tasks/task.ts";
import {
  type Agent,
  type AgentExit,
  type AgentJob,
  type AgentUsage,
  type AgentWork,
  UNKNOWN_USAGE,
  type Vendor,
} from "./agent.ts";
import { agentEnvironment } from "./agent-environment.ts";
import { agentPaths, fillHome, type Settings } from "./agent-home.ts";
import { ARGS, asksForGateway, type WordTemplate } from "./fill-words.ts";
import { type AgentPackage, type FoundAgent, findAgent } from "./installed.ts";
import { type McpWays, type ToldServers, tellServers } from "./mcp-servers.ts";
import { modelAddresses } from "./model-addresses.ts";
import { programWords } from "./program-words.ts";
import { readOutput, redactLog } from "./read-output.ts";
import { openTraffic, type Traffic } from "./traffic.ts";

export interface ProgramAgent {
  name: string;
  command: WordTemplate;
  /** `${gateway}` in it, or in the command, stands for the address of the run's own model gateway. */
  env?: Record<string, string>;
  /** Variables of ours that hold its keys: passed on where they are set and no gateway keeps them; never written down. */
  keys?: readonly string[];
  /** Whose models it calls, where it is known: without a key for them it can't start. */
  vendor?: Vendor | ((model: string) => Vendor);
  /** A variable by which it pays itself, without a key: a subscription that only the agent can use. */
  subscription?: string;
  /** Whether it has no model of its own to fall back on. */
  needsModel?: boolean;
  /** Whether nothing but its settings tells it an address, so that it can't work where no gateway can be reached. */
  needsGateway?: boolean;
  /** Files with settings below its HOME, by which it finds the gateway ("" is none) and the model. */
  settings?(words: { gateway: string; model: string }): Record<string, Settings>;
  /** Where its program comes from; undefined for programs of the user's own. */
  npm?: AgentPackage;
  /** Folders that it finds under names of their own, where the sandbox can show them so. */
  mounts?: Mount[];
  /** How it is told of a task's servers of tools; absent where it can't be, or reads ASSAY_MCP_CONFIG itself. */
  mcp?(servers: readonly McpServer[]): McpWays;
  /** Its files about itself at the top of the repository, which are no part of its answer. */
  clutter?: RegExp;
  /** What the program's own output tells of its work. */
  readUsage?(output: AgentOutput): AgentUsage;
}

/** What a study adds to a preset. */
export interface OwnTouches {
  /** Further words, in the place of `${args}` in the command. */
  args?: readonly string[] | undefined;
  /** A folder whose content becomes its HOME. */
  home?: string | undefined;
  /** Of those that `assay agents install` has put there. */
  version?: string | undefined;
}

export interface AgentOutput {
  stdout: string;
  stderr: string;
  /** False where the middle of it was not kept: sums over it are unknown then. */
  isWhole: boolean;
}

const OUTPUT_BYTES = 8 << 20;
const BY_ITSELF = "calls its models without the gateway";

/** Any program as an agent: it starts in the repository, in the sandbox, and what it leaves there is its answer. */
export function createProgramAgent(given: ProgramAgent, touches: OwnTouches = {}): Agent {
  const { npm, vendor } = given;
  const agent = given;
  const program = [given.command[0]].flat()[0]!;
  const vendorOf = typeof vendor === "function" ? vendor : () => vendor;
  const asks =
    given.settings !== undefined || asksForGateway([...given.command, ...(touches.args ?? [])], given.env);
  const find: Agent["find"] =
    npm && ((options) => findAgent({ ...touches, name: agent.name, program, npm }, options));
  return {
    name: agent.name,
    program,
    vendorOf,
    isMetered: asks,
    ...(agent.subscription !== undefined && { subscription: agent.subscription }),
    needsModel: agent.needsModel ?? false,
    needsGateway: agent.needsGateway ?? false,
    ...(touches.home !== undefined && { home: touches.home }),
    ...(find && { find }),
    async work(job): Promise<AgentWork> {
      const seen = agentPaths(job);
      const traffic = asks
        ? await openTraffic(job, { name: agent.name, vendor: vendorOf(job.params.model) }, seen)
        : undefined;
      const refuse = (what: string) => {
        throw new RunFailure("infrastructure", `the agent ${agent.name} ${BY_ITSELF}, so ${what}`);
      };
      if (!traffic && agent.needsGateway)
        throw new RunFailure(
          "infrastructure",
          `the agent ${agent.name} needs the gateway, which it can't reach here`,
        );
      if (!traffic && job.traffic?.replay !== undefined) refuse("nothing can be replayed");
      if (!traffic && hasLimits(job.params)) refuse("no limit can be kept");
      const mcp = tellServers(given, job, seen);
      const command = withArgs(given.command, [...(touches.args ?? []), ...(mcp.words ?? [])]);
      try {
        return await workWith({ ...given, ...touches, command, find, mcp }, job, { traffic, seen });
      } finally {
        await traffic?.close();
      }
    },
  };
}

function withArgs(command: WordTemplate, args: readonly string[]): WordTemplate {
  return command.flatMap((part): WordTemplate => (part === ARGS ? args : [part]));
}

type Working = Omit<ProgramAgent, "mcp"> & OwnTouches & { find: Agent["find"] | undefined; mcp: ToldServers };

const USUAL_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

async function workWith(
  agent: Working,
  job: AgentJob,
  { traffic, seen }: { traffic: Traffic | undefined; seen: SeenPaths },
): Promise<AgentWork> {
  const { places, sandbox, signal, baseDir, params } = job;
  const { network, ...limits } = job.limits;
  const gateway = traffic?.url ?? "";
  const { mcp } = agent;
  const settings = [agent.settings?.({ gateway, model: params.model }) ?? {}, mcp.settings ?? {}];
  fillHome(places.homeDir, { from: agent.home, settings }, { name: agent.name, baseDir });
  const found = foundProgram(agent, { isInImage: sandbox.images !== undefined });
  const { argv: words, readable } = programWords(agent, job, { seen, gateway, found });
  const ready = await readyWords(job.task, words, {
    ...{ images: sandbox.images, user: job.task.users?.agent, files: job.step?.files ?? null },
  });
  const env = {
    ...agentEnvironment(job, agent, {
      repo: seen.inside(places.repo),
      home: seen.inside(places.homeDir),
      gateway,
    }),
    ...mcp.env,
  };
  if (job.task.users?.agent !== undefined)
    for (const folder of [places.outDir, places.homeDir]) chmodSync(folder, 0o777);
  // In its own image a program has the home of the image's user, unless it needs settings of ours.
  if (job.task.machine && !agent.settings && !agent.home && !mcp.settings) delete env.HOME;
  const node =
    found && sandbox.images && (await sandbox.images.node(inImage(job.task, { keeps: false }).image));
  if (node) env.PATH = `${job.task.machine?.path ?? USUAL_PATH}:${node.path}`;
  const stdoutPath = `${places.logsDir}/agent.stdout.txt`;
  const stderrPath = `${places.logsDir}/agent.stderr.txt`;
  const result = await sandbox.execute({
    argv: ready.argv,
    cwd: places.repo,
    env,
    writable: seen.mounts,
    readable: [
      ...readable.map((path) => ({ path })),
      ...(agent.mounts ?? []),
      ...(node && !ready.readable.some(({ as }) => as === node.mount.as) ? [node.mount] : []),
      ...ready.readable,
    ],
    ...limits,
    network: network === true,
    ...(network === "models" && {
      reach: [...(traffic ? [traffic.address] : modelAddresses(env)), ...mcp.reach],
    }),
    stdoutPath,
    stderrPath,
    outputBytes: OUTPUT_BYTES,
    signal,
    tmpParent: dirname(places.repo),
    ...(job.onStart && { onStart: job.onStart }),
    ...inImage(job.task, { keeps: true }),
  });
  signal.throwIfAborted();
  const problem = ready.isAsked ? whyNotReady({ stdoutPath, stderrPath }, result) : undefined;
  if (problem !== undefined) {
    if (result.left) await sandbox.images!.remove(result.left.image);
    throw new RunFailure("infrastructure", problem);
  }
  // What it still waited for belongs to the calls.
  await traffic?.close();
  if (agent.clutter) removeClutter(places.repo, agent.clutter);
  const output = readOutput({ stdoutPath, stderrPath, isWhole: result.omittedBytes === 0 });
  const redactor = createRedactor(env);
  for (const path of [stdoutPath, stderrPath]) redactLog(path, redactor);
  const own = readOwnMetrics(places.outDir);
  const told = { ...UNKNOWN_USAGE, ...agent.readUsage?.(output), ...own.usage };
  const exit = traffic?.isSpent() ? "budget" : exitOf(result);
  const failure = traffic?.failure(exit);
  return {
    exit,
    exitCode: result.exitCode,
    wallMs: result.wallMs,
    usage: { ...told, ...traffic?.usage() },
    ...(traffic && {
      traffic: traffic.metrics(),
      writeTrajectory: (dir, result) =>
        traffic.writeTranscript(dir, {
          ...{ exit, version: found?.version ?? undefined },
          ...(failure && { failure }),
          ...result,
        }),
    }),
    ...(result.left && { left: result.left }),
    ...(found?.version && { labels: { agent_version: found.version } }),
    warnings: [
      ...own.warnings,
      ...mcp.warnings,
      ...(job.traffic?.record && !traffic ? [`the agent ${BY_ITSELF}, so nothing is recorded`] : []),
    ],
    ...(failure && { failure }),
  };
}

function hasLimits({ max_calls, max_tokens, max_cost_usd }: AgentJob["params"]): boolean {
  return Math.max(max_calls, max_tokens, max_cost_usd) > 0;
}

/** An image may have the program itself: what is not installed for containers is looked for there. */
function foundProgram(
  { name, find }: Working,
  { isInImage }: { isInImage: boolean },
): FoundAgent | undefined {
  try {
    return find?.({ isInImage });
  } catch (error) {
    throw new RunFailure("infrastructure", `the agent ${name} can't start: ${errorText(error)}`);
  }
}

function removeClutter(repo: string, names: RegExp): void {
  if (!lstatSync(repo, { throwIfNoEntry: false })?.isDirectory()) return;
  for (const name of readdirSync(repo)) {
    if (names.test(name)) rmSync(`${repo}/${name}`, { recursive: true, force: true });
  }
}

function exitOf({ ended, exitCode }: ProgramResult): AgentExit {
  if (ended !== undefined) return ended;
  return exitCode === null ? "signal" : String(exitCode);
}

const MOST_BYTES = 1 << 20;
const KNOWN: Record<string, keyof Omit<AgentUsage, "others">> = {
  tokens_total: "tokensTotal",
  tool_calls: "toolCalls",
  money_spent_usd: "costUsd",
};

/** What a program says of its own work in `agent_metrics.json`; what it does not say stays unknown. */
function readOwnMetrics(outDir: string): { usage: Partial<AgentUsage>; warnings: string[] } {
  const text = readPlainFile(`${outDir}/agent_metrics.json`, MOST_BYTES);
  if (text === undefined) return { usage: {}, warnings: [] };
  try {
    const given: unknown = JSON.parse(text);
    if (typeof given !== "object" || given === null || Array.isArray(given))
      throw new Error("it is no object");
    const usage: Partial<AgentUsage> = {};
    const others: Record<string, number> = {};
    for (const [name, value] of Object.entries(given)) {
      if (typeof value !== "number" || !Number.isFinite(value) || value < 0) continue;
      if (Object.hasOwn(KNOWN, name)) usage[KNOWN[name]!] = value;
      else others[name] = value;
    }
    if (Object.keys(others).length > 0) usage.others = others;
    return { usage, warnings: [] };
  } catch (error) {
    return { usage: {}, warnings: [`the agent's agent_metrics.json can't be read: ${errorText(error)}`] };
  }
}
