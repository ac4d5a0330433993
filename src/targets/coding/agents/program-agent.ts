import { lstatSync, readdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { createRedactor } from "../../../core/redact.ts";
import type { ProgramResult } from "../../../sandboxes/sandbox.ts";
import { type Agent, type AgentExit, type AgentUsage, type AgentWork, UNKNOWN_USAGE } from "./agent.ts";
import { agentEnvironment } from "./agent-environment.ts";
import { agentPaths } from "./agent-paths.ts";
import type { WordTemplate } from "./fill-words.ts";
import { programWords } from "./program-words.ts";
import { readOutput } from "./read-output.ts";
import { readOwnMetrics } from "./read-own-metrics.ts";
import { redactLog } from "./redact-log.ts";

export interface ProgramAgent {
  name: string;
  command: WordTemplate;
  env?: Record<string, string>;
  /** Variables of ours that hold its keys: passed on where they are set, and never written down. */
  keys?: readonly string[];
  /** Its files about itself at the top of the repository, which are no part of its answer. */
  clutter?: RegExp;
  /** What the program's own output tells of its work. */
  readUsage?(output: AgentOutput): AgentUsage;
}

export interface AgentOutput {
  stdout: string;
  stderr: string;
  /** False where the middle of it was not kept: sums over it are unknown then. */
  isWhole: boolean;
}

const OUTPUT_BYTES = 8 << 20;
/** Any program as an agent: it starts in the repository, in the sandbox, and what it leaves there is its answer. */
export function createProgramAgent(agent: ProgramAgent): Agent {
  return {
    name: agent.name,
    program: [agent.command[0]].flat()[0]!,
    async work(job): Promise<AgentWork> {
      const { places, sandbox, limits, signal } = job;
      const seen = agentPaths(job);
      const { argv, readable } = programWords(agent, job, seen);
      const env = agentEnvironment(job, agent, seen.inside(places.repo));
      const stdoutPath = `${places.logsDir}/agent.stdout.txt`;
      const stderrPath = `${places.logsDir}/agent.stderr.txt`;
      const result = await sandbox.execute({
        argv,
        cwd: places.repo,
        env,
        writable: seen.mounts,
        readable: readable.map((path) => ({ path })),
        ...limits,
        stdoutPath,
        stderrPath,
        outputBytes: OUTPUT_BYTES,
        signal,
        tmpParent: dirname(places.repo),
        ...(job.onStart && { onStart: job.onStart }),
        ...(job.task.image !== null && { image: job.task.image }),
      });
      signal.throwIfAborted();
      if (agent.clutter) removeClutter(places.repo, agent.clutter);
      const output = readOutput({ stdoutPath, stderrPath, isWhole: result.omittedBytes === 0 });
      const redactor = createRedactor(env);
      for (const path of [stdoutPath, stderrPath]) redactLog(path, redactor);
      const own = readOwnMetrics(places.outDir);
      const usage = { ...agent.readUsage?.(output), ...own.usage } as Partial<AgentUsage>;
      return {
        exit: exitOf(result),
        exitCode: result.exitCode,
        wallMs: result.wallMs,
        usage: { ...UNKNOWN_USAGE, ...usage },
        warnings: own.warnings,
      };
    },
  };
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
