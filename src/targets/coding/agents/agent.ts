import type { TrafficOptions } from "../../../core/executor.ts";
import type { Owner } from "../../../core/run.ts";
import type { Send } from "../../../gateway/forward.ts";
import type { Protocol } from "../../../gateway/protocols/protocol.ts";
import type { LeftImage, ProgramSandbox } from "../../../sandboxes/sandbox.ts";
import type { RolloutParams } from "../params.ts";
import type { RolloutTask, TaskStep } from "../tasks/task.ts";
import type { AgentPackage, FoundAgent } from "./installed.ts";
import type { OwnTouches } from "./program-agent.ts";

/**
 * Solves a task in a copy of its repository. Whatever it does there or prints is its result: only what keeps it from
 * working at all is thrown, as a RunFailure with its owner.
 */
export interface Agent {
  name: string;
  /** What it starts, as the study names it; undefined where it starts none. */
  program?: string;
  /** Whether its calls go through the gateway, where that can be reached: limits hold there. */
  isMetered?: boolean;
  /** Whose models it calls, where that is known. */
  vendorOf?(model: string): Vendor | undefined;
  /** The variable by which it pays itself, where there is one. */
  subscription?: string;
  needsModel?: boolean;
  needsGateway?: boolean;
  /** The study's folder for its HOME. */
  home?: string;
  /** Whether it works on a copy of the repository, also where the task runs in an image. */
  usesCopy?: boolean;
  /**
   * Its program on this machine; a UserError where it is not installed. Undefined where it would have to be mounted into an
   * image and can't be, so that the image's own is meant. Absent for programs of the user's own.
   */
  find?(options?: { isInImage: boolean }): FoundAgent | undefined;
  work(job: AgentJob): Promise<AgentWork>;
}

export type Vendor = Protocol["vendor"];

/** A preset, as studies name it. */
export interface AgentPreset {
  name: string;
  description: string;
  /** What can be installed for it; absent where it is a part of Assay, or no package of npm's. */
  npm?: AgentPackage;
  create(touches?: OwnTouches): Agent;
}

export interface AgentJob {
  /** As the run's record has it; absent where the agent works for no run. */
  runId?: string;
  task: RolloutTask;
  params: RolloutParams;
  seed: number;
  repeat: number;
  /** Relative paths in the study are looked for from here. */
  baseDir: string;
  places: AgentPlaces;
  /** The run's own folder; null where the study keeps no files. */
  runDir: string | null;
  /** False where the user wants no traces. */
  trace: boolean;
  traffic?: TrafficOptions;
  /** What answers its calls instead of a provider, for nothing. */
  standIn?: Send;
  sandbox: ProgramSandbox;
  limits: AgentLimits;
  /** Where the task has several: its files go into the work folder first. */
  step?: Pick<TaskStep, "name" | "files">;
  signal: AbortSignal;
  /** Told once it works, so that others can use the time. */
  onStart?(): void;
  /** Dollars so far: what is told is not lost when the run is killed. */
  onSpent(costUsd: number, options?: { atOnce: boolean }): void;
  onStep(values: Record<string, number>): void;
}

export interface AgentPlaces {
  /** The agent's own copy of the repository. */
  repo: string;
  /** For what it leaves about its work, and for its prompt. */
  outDir: string;
  /** Its HOME, empty at first. */
  homeDir: string;
  /** Where its standard output and standard error are kept. */
  logsDir: string;
}

/** "models": the addresses of the agent's models and nothing else. */
export type NetworkChoice = RolloutParams["network"];

export interface AgentLimits {
  timeoutMs: number;
  memoryMb: number;
  diskMb: number;
  network: NetworkChoice;
}

/** TIMEOUT_SEC goes before what the task says, and that before the study's own limits. */
export function agentLimits({ limits, env }: RolloutTask, params: RolloutParams): AgentLimits {
  const told = Number(params.env.TIMEOUT_SEC ?? env.TIMEOUT_SEC);
  return {
    timeoutMs: told > 0 ? told * 1000 : (limits.agentMs ?? params.agent_timeout_s * 1000),
    memoryMb: params.memory_mb || (limits.memoryMb ?? 0),
    diskMb: params.disk_mb || (limits.diskMb ?? 0),
    // Without its models no agent can work: a task that forbids the internet does not mean those.
    network: params.network === true && limits.allowInternet === false ? "models" : params.network,
  };
}

export interface AgentWork {
  exit: AgentExit;
  exitCode: number | null;
  wallMs: number;
  usage: AgentUsage;
  /** What its calls to models were, where they went through the gateway. */
  traffic?: Record<string, number | null>;
  /** Why what it left is no result at all: the study's money ended within it, or its model did not answer. */
  failure?: { owner: Owner; reason: string };
  labels?: Record<string, string>;
  warnings?: string[];
  /** What it left in the task's image, where the task runs in one and something was changed. */
  left?: LeftImage;
  /** Writes what it did, turn by turn, once its patch is known, and whether that solved the task. */
  writeTrajectory?(dir: string, result: TrajectoryResult): void;
}

export interface TrajectoryResult {
  patch: string;
  /** Null where nobody graded it. */
  isSolved: boolean | null;
}

/** Its exit code, or what ended it. */
export type AgentExit = string;

/** What the work took. Null is unknown, which is not nothing. */
export interface AgentUsage {
  tokensTotal: number | null;
  toolCalls: number | null;
  costUsd: number | null;
  /** Further numbers that it told of itself. */
  others?: Record<string, number>;
}

export const UNKNOWN_USAGE: AgentUsage = { tokensTotal: null, toolCalls: null, costUsd: null };
export const NO_USAGE: AgentUsage = { tokensTotal: 0, toolCalls: 0, costUsd: 0 };
