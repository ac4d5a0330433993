import { dirname } from "node:path";
import { RunFailure } from "../../../../core/run.ts";
import { directory } from "../../../../sandboxes/directory.ts";
import { openFolder } from "../../../../sandboxes/folder-workspace.ts";
import { readTree } from "../../../../sandboxes/read-tree.ts";
import type { FileTree } from "../../../../sandboxes/sandbox.ts";
import { isUnmeasured } from "../../../agent/exit.ts";
import type { InstanceResult } from "../../../agent/run-instance.ts";
import type { AgentTask } from "../../../agent/tasks/task.ts";
import { seenPaths } from "../../seen-paths.ts";
import { inImage } from "../../task-image.ts";
import type { AgentExit, AgentJob, AgentPreset, AgentUsage, AgentWork } from "../agent.ts";
import { agentEnvironment } from "../agent-environment.ts";

/** The agent of the target `agent`, in this very process: only its tools work in the sandbox. */
export const assay: AgentPreset = {
  name: "assay",
  description:
    "Assay's own agent: any model of `assay list`, a context strategy, its parameters in agent_options",
  create: () => ({ name: "assay", usesCopy: true, work }),
};

async function work(job: AgentJob): Promise<AgentWork> {
  // Loaded late: other agents need neither models nor strategies.
  const { lastingParams, prepareAgent } = await import("../../../agent/prepare-agent.ts");
  const { runInstance } = await import("../../../agent/run-instance.ts");
  const { writeTrajectory } = await import("../../../agent/write-trajectory.ts");
  const { StepSeries } = await import("../../../agent/step-series.ts");
  const { places, sandbox, limits, signal, seed } = job;
  const params = await agentParams(job);
  const prepared = await prepareAgent({
    ...(job.runId !== undefined && { runId: job.runId }),
    params,
    baseDir: job.baseDir,
    outDir: job.runDir,
    task: job.task.id,
    identity: {
      params: { ...lastingParams(job.params), agent_options: lastingParams(job.params.agent_options) },
      ...{ seed, task: job.task.id, repeat: job.repeat },
    },
    trace: job.trace,
  });
  const series = new StepSeries(job.onStep);
  const workspace = openFolder(sandbox, places.repo, {
    env: agentEnvironment(job, {}, { repo: places.repo, home: places.homeDir, gateway: "" }),
    writable: [{ path: places.homeDir }],
    ...inImage(job.task, { keeps: false, boots: false }),
    // Its model is asked from outside: what runs in there are its tools.
    ...{ network: limits.network === true, memoryMb: limits.memoryMb, diskMb: limits.diskMb },
    tmpParent: dirname(places.repo),
  });
  job.onStart?.();
  try {
    const result = await runInstance(agentTask(job, readTree(places.repo)), {
      ...prepared,
      ...{ params, workspace, seed, signal },
      onStep(step, ledger) {
        series.add(step);
        job.onSpent(ledger.total.costUsd ?? 0);
      },
    });
    await prepared.trace.end();
    return {
      ...outcomeOf(result),
      wallMs: result.wallMs,
      usage: usageOf(result),
      labels: { exit_status: result.exitStatus },
      writeTrajectory: (dir, { isSolved }) =>
        writeTrajectory(dir, { ...result, isSolved, report: "" }, params),
    };
  } finally {
    await workspace.close();
  }
}

async function agentParams({ params, limits }: AgentJob) {
  const { agentSchema } = await import("../../../agent/params.ts");
  const { max_calls, max_tokens, max_cost_usd } = params;
  const given = {
    wall_limit: limits.timeoutMs / 1000,
    ...(max_calls > 0 && { call_limit: max_calls }),
    ...(max_tokens > 0 && { token_limit: max_tokens }),
    ...(max_cost_usd > 0 && { cost_limit: max_cost_usd }),
    ...(params.prices !== "" && { prices: params.prices }),
    ...params.agent_options,
  };
  const result = agentSchema.safeParse(params.model === "" ? given : { ...given, model: params.model });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new RunFailure("infrastructure", `agent_options.${issue!.path.join(".")}: ${issue!.message}`);
}

function agentTask({ task, places }: AgentJob, files: FileTree): AgentTask {
  const { id, workDir } = task;
  const instruction = seenPaths(new Map([[places.repo, workDir]]), directory).rename(task.instruction);
  return {
    ...{ id, level: "all", instruction, test: visibleTest(instruction, files), check: "", passes: undefined },
    ...{ files, checkFiles: new Map() },
  };
}

/** The tests that the agent may run: as its instruction says, or as repositories of the kind have it. */
function visibleTest(instruction: string, files: FileTree): string {
  const told = /`([^`\n]*\btest[^`\n]*)`/.exec(instruction)?.[1];
  if (told?.includes(" ")) return told;
  if (files.has("test.sh")) return "sh test.sh";
  if (/"test"\s*:/.test(files.get("package.json") ?? "")) return "npm test";
  if ([...files.keys()].some((path) => /(^|\/)test_\w+\.py$/.test(path))) return "python3 -m pytest";
  return files.has("Makefile") ? "make test" : "ls";
}

function outcomeOf({ exit }: InstanceResult): Pick<AgentWork, "exit" | "exitCode" | "failure"> {
  return {
    exit: exitText(exit.status),
    exitCode: exit.status === "submitted" ? 0 : 1,
    ...(isUnmeasured(exit) && { failure: { owner: exit.owner, reason: `${exit.status}: ${exit.reason}` } }),
  };
}

function exitText(status: string): AgentExit {
  if (status === "submitted") return "0";
  return status === "exit_total_execution_time" ? "timeout" : "1";
}

function usageOf({ ledger, steps }: InstanceResult): AgentUsage {
  const { input, cached, output, costUsd } = ledger.total;
  return {
    tokensTotal: input + cached + output,
    // A line each.
    toolCalls: steps.reduce((sum, { action }) => sum + (action === "" ? 0 : action.split("\n").length), 0),
    costUsd,
  };
}
