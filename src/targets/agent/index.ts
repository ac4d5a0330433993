import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { UserError } from "../../core/errors.ts";
import { canonicalJson, shortHash } from "../../core/hash.ts";
import { Delayed, type Metrics, RunFailure } from "../../core/run.ts";
import { selectTasks } from "../../core/select-tasks.ts";
import { sandboxes } from "../../sandboxes/index.ts";
import type { TreeRest } from "../../sandboxes/sandbox.ts";
import { defineTarget, type SweepReading, type TargetContext } from "../target.ts";
import { askedModels } from "./asked-models.ts";
import { estimateInstance, estimateText } from "./estimate.ts";
import { isUnmeasured } from "./exit.ts";
import { grade } from "./grade.ts";
import { metricInfos } from "./metric-infos.ts";
import { type AgentParams, agentSchema } from "./params.ts";
import { checkCostLimit, lastingParams, type PreparedAgent, prepareAgent } from "./prepare-agent.ts";
import { runWithRetries } from "./retry-loop.ts";
import { SpentFile } from "./spent-file.ts";
import { StepSeries } from "./step-series.ts";
import { listTasks, loadTask, readTask, taskSetDir } from "./tasks/load-task.ts";
import type { AgentTask } from "./tasks/task.ts";
import { type Scored, totalMetrics } from "./total-metrics.ts";
import { writeTrajectory } from "./write-trajectory.ts";

const MASKING = "strategy in ['observation_masking', 'hybrid']";
const SUMMARIES = "strategy in ['llm_summary', 'hybrid']";

/** The flags of published sweeps of context strategies as parameters of this target, and where each does something. */
const sweepNames: SweepReading = {
  names: {
    "summarizer-model": "summarizer_model",
    "hp-obs-n": "obs_n",
    "hp-sum-n": "sum_n",
    "hp-sum-keep-m": "sum_keep_m",
    "hp-sum-static-checkpoint": "static_checkpoint",
    "hp-sum-extract-actions": "extract_actions",
    "instances-subset": "instances_subset",
    "instances-slice": "instances_slice",
    "instances-shuffle": "instances_shuffle",
    "instances-shuffle-seed": "instances_shuffle_seed",
    "call-limit": "call_limit",
    "cost-limit": "cost_limit",
    // Workers are the study's: executor: {jobs}.
    "num-workers": null,
  },
  standIns: {
    param: "instances_subset",
    unless: "task_set",
    values: { lite: "all", verified: "all", multimodal: "all", full: "all", "verified-mini": "long" },
    because: "SWE-bench's instances are not among the tasks that ship; task_set: ./folder takes your own",
  },
  when: {
    summarizer_model: SUMMARIES,
    obs_n: MASKING,
    sum_n: SUMMARIES,
    sum_keep_m: SUMMARIES,
    static_checkpoint: SUMMARIES,
    extract_actions: SUMMARIES,
  },
};

/** A language-model agent that mends repositories with tools, under a context strategy. */
export const agent = defineTarget({
  name: "agent",
  version: "3",
  description: "a language-model agent on tasks with tests: context strategies, cost, tokens, solve rate",
  params: agentSchema,
  metrics: metricInfos,
  fileParams: ["strategy", "prices"],
  models: askedModels,
  sweeps: sweepNames,
  tasks: ({ task_set }, baseDir) => listTasks(taskSetDir(task_set, baseDir)),
  taskVersion: (task, { task_set }, baseDir) =>
    task_set === "shipped" ? undefined : contentHash(readTask(taskSetDir(task_set, baseDir), task)),
  taskSetParam: "task_set",
  async check(params, baseDir) {
    checkInstances(params, baseDir);
    await checkCostLimit(params, baseDir);
  },
  async estimate(params, { task, baseDir }) {
    const dir = taskSetDir(params.task_set, baseDir);
    const names = task === null ? chooseInstances(params, dir) : [task];
    const text = estimateText(await estimateInstance(loadTask(dir, names[0]!), params, baseDir));
    return names.length > 1 ? `${names.length} instances; ${text}` : text;
  },
  async run(ctx) {
    const { params, baseDir } = ctx;
    const dir = taskSetDir(params.task_set, baseDir);
    const names = ctx.task === null ? chooseInstances(params, dir) : [ctx.task];
    const { seed, task, repeat } = ctx;
    const shared = await prepareAgent({
      ...ctx,
      identity: { params: lastingParams(params), seed, task, repeat },
    });
    const series = new StepSeries((values) => ctx.series(values));
    const done: Scored[] = [];
    for (const name of names) {
      series.startInstance();
      const spentBefore = done.reduce((sum, { ledger }) => sum + (ledger.total.costUsd ?? 0), 0);
      const scored = await runAndGrade(name, { ctx, dir, shared, series, spentBefore });
      done.push(scored);
      // What comes after it would be paid for in vain.
      if (isUnmeasured(scored.exit)) break;
      if (names.length > 1) series.addTotals(totalMetrics(done));
    }
    const metrics = totalMetrics(done);
    await shared.trace.end({ "assay.solve_rate": metrics.solve_rate ?? 0 });
    if (metrics.cost_usd === null) ctx.warn(`the price of ${params.model} is unknown, so costs are, too`);
    failIfUnmeasured(done, metrics, { count: names.length, isLate: ctx.signal.aborted });
    if (done.length === 1) {
      ctx.label?.("exit_status", done[0]!.exitStatus);
      ctx.label?.("exit_owner", done[0]!.exit.owner);
    }
    return metrics;
  },
});

type Context = TargetContext<AgentParams>;

interface Place {
  ctx: Context;
  dir: string;
  shared: PreparedAgent;
  series: StepSeries;
  spentBefore: number;
}

async function runAndGrade(name: string, { ctx, dir, shared, series, spentBefore }: Place): Promise<Scored> {
  const { params, seed, signal, outDir } = ctx;
  const task = loadTask(dir, name);
  const spent = outDir === null ? undefined : new SpentFile(outDir);
  const sandbox = sandboxes[params.sandbox]!;
  const result = await runWithRetries(task, {
    ...shared,
    params,
    openWorkspace: () => sandbox.open(task.files, { parentDir: outDir, rest: task.rest }),
    seed,
    signal,
    onStep: (step, ledger) => {
      series.add(step);
      spent?.note(spentBefore + (ledger.total.costUsd ?? 0));
    },
  });
  for (const warning of result.warnings) ctx.warn(`${name}: ${warning}`);
  const scored = {
    ...result,
    ...(await grade(task, result.submission, { sandbox, parentDir: outDir, signal })),
  };
  if (outDir !== null) writeTrajectory(`${outDir}/trajectories`, scored, params);
  return scored;
}

/**
 * An instance that could not be measured is missing, and so is the rate: one over the others would be over other
 * instances than those of its neighbours, and flatter whoever spends more or meets a harder one last.
 */
function failIfUnmeasured(
  done: readonly Scored[],
  metrics: Metrics,
  { count, isLate }: { count: number; isLate: boolean },
): void {
  const broken = done.find(({ exit }) => isUnmeasured(exit));
  if (!broken) return;
  const { exit, instance } = broken;
  const missing = count - done.length + 1;
  const which =
    count === 1 ? "" : `${missing} of ${count} instances could not be measured, from ${instance} on: `;
  const Failure = isLate && exit.status === "exit_api" ? Delayed : RunFailure;
  throw new Failure(exit.owner, `${which}${exit.status}: ${exit.reason}`, {
    ...metrics,
    solve_rate: null,
    submission_rate: null,
  });
}

/** The tasks of a run that does several. */
function chooseInstances(params: AgentParams, dir: string): string[] {
  return selectTasks(listTasks(dir), {
    subset: params.instances_subset,
    slice: params.instances_slice,
    shuffle: params.instances_shuffle,
    shuffleSeed: params.instances_shuffle_seed,
  });
}

/** Choices that were found good: the cells of a study share a few. */
const good = new Set<string>();

/** Throws where no instance can be chosen so, before anything runs. */
function checkInstances(params: AgentParams, baseDir: string): void {
  const { task_set, instances_subset, instances_slice } = params;
  const dir = taskSetDir(task_set, baseDir);
  const choice = JSON.stringify([dir, instances_subset, instances_slice]);
  if (good.has(choice)) return;
  try {
    chooseInstances(params, dir);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(`instances of target agent: ${error.message.replace(/\.$/, "")}`, {
      remedy: "Tasks of your own are a folder, task_set: ./folder, where the level of each is its subset.",
    });
  }
  good.add(choice);
}

/** Stands for all of a task that can make a difference to a run; which subset it is in can't. */
function contentHash(task: AgentTask): string {
  const { instruction, test, check, passes, answers, files, checkFiles, rest, checkRest } = task;
  const trees = [files, checkFiles].map((tree) => Object.fromEntries(tree));
  const rests = rest || checkRest ? [restHash(rest), restHash(checkRest)] : [];
  const answered = answers === undefined ? [] : [JSON.stringify(answers)];
  return shortHash(
    canonicalJson([instruction, test, check, passes ?? null, ...trees, ...rests, ...answered]),
  );
}

function restHash(rest: TreeRest | undefined): unknown {
  if (!rest) return null;
  const sums = [...rest.copies].map(([path, from]) => [
    path,
    createHash("sha256").update(readFileSync(from)).digest("hex"),
  ]);
  return [sums, [...rest.links], [...rest.executables]];
}
