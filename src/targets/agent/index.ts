import { resolve } from "node:path";
import { type Metrics, RunFailure } from "../../core/run.ts";
import { selectTasks } from "../../core/select-tasks.ts";
import { createModel, type ModelOptions } from "../../models/create-model.ts";
import { readPriceFile } from "../../models/prices/price-file.ts";
import { type RunTrace, startRunTrace } from "../../models/trace.ts";
import { sandboxes } from "../../sandboxes/index.ts";
import { defineTarget, type TargetContext } from "../target.ts";
import { estimateInstance, estimateText } from "./estimate.ts";
import { grade } from "./grade.ts";
import { metricInfos } from "./metric-infos.ts";
import { type AgentParams, agentSchema } from "./params.ts";
import { type InstanceSetting, runInstance } from "./run-instance.ts";
import type { Scored } from "./scored.ts";
import { SpentFile } from "./spent-file.ts";
import { StepSeries } from "./step-series.ts";
import { loadStrategy } from "./strategies/load-strategy.ts";
import { sweepNames } from "./sweep-names.ts";
import { listTasks, loadTask, taskSetDir } from "./tasks/load-task.ts";
import { totalMetrics } from "./total-metrics.ts";
import { writeTrajectory } from "./write-trajectory.ts";

/** A language-model agent that mends repositories with tools, under a context strategy. */
export const agent = defineTarget({
  name: "agent",
  version: "1",
  description: "a language-model agent on tasks with tests: context strategies, cost, tokens, solve rate",
  params: agentSchema,
  metrics: metricInfos,
  fileParams: ["strategy", "prices"],
  sweeps: sweepNames,
  tasks: ({ task_set }, baseDir) => listTasks(taskSetDir(task_set, baseDir)),
  async estimate(params, { task, baseDir }) {
    const dir = taskSetDir(params.task_set, baseDir);
    const names = task === null ? chosenTasks(params, dir) : [task];
    const text = estimateText(await estimateInstance(loadTask(dir, names[0]!), params, baseDir));
    return names.length > 1 ? `${names.length} instances; ${text}` : text;
  },
  async run(ctx) {
    const { params, baseDir } = ctx;
    const dir = taskSetDir(params.task_set, baseDir);
    const names = ctx.task === null ? chosenTasks(params, dir) : [ctx.task];
    const shared = await prepare(ctx);
    const series = new StepSeries((values) => ctx.series(values));
    const done: Scored[] = [];
    for (const name of names) {
      series.startInstance();
      const spentBefore = done.reduce((sum, { ledger }) => sum + (ledger.total.costUsd ?? 0), 0);
      const scored = await runAndGrade(name, { ctx, dir, shared, series, spentBefore });
      done.push(scored);
      if (scored.exit.status === "exit_cost_study") break;
    }
    const metrics = totalMetrics(done);
    await shared.trace.end({ "assay.solve_rate": metrics.solve_rate ?? 0 });
    if (metrics.cost_usd === null) ctx.warn(`the price of ${params.model} is unknown, so costs are, too`);
    failIfBroken(done, metrics, ctx);
    if (done.length === 1) {
      ctx.label?.("exit_status", done[0]!.exitStatus);
      ctx.label?.("exit_owner", done[0]!.exit.owner);
    }
    return metrics;
  },
});

type Context = TargetContext<AgentParams>;
type Shared = Pick<InstanceSetting, "model" | "summariser" | "strategy" | "strategyOptions"> & {
  trace: RunTrace;
};

function chosenTasks(params: AgentParams, dir: string): string[] {
  return selectTasks(listTasks(dir), {
    subset: params.instances_subset,
    slice: params.instances_slice,
    shuffle: params.instances_shuffle,
    shuffleSeed: params.instances_shuffle_seed,
  });
}

/** The models and the strategy: what all instances of a run share. */
async function prepare({ params, baseDir, outDir, task }: Context): Promise<Shared> {
  const strategy = await loadStrategy(params.strategy, baseDir);
  const strategyOptions = strategy.options({ ...params, ...params.strategy_options }) as never;
  const options: ModelOptions = {
    baseDir,
    baseUrl: params.base_url || undefined,
    record: params.record || undefined,
    ...(params.prices !== "" && { prices: await readPriceFile(resolve(baseDir, params.prices)) }),
  };
  const trace = await startRunTrace({
    run: task ?? "instances",
    file: outDir === null ? null : `${outDir}/trace.jsonl`,
    isOff: !params.trace,
    attributes: { "assay.strategy": params.strategy },
  });
  const model = trace.traceModel(await createModel(params.model, options));
  const isSame = params.summarizer_model === "same" || params.summarizer_model === params.model;
  const summariser = isSame ? model : trace.traceModel(await createModel(params.summarizer_model, options));
  return { model, summariser, strategy, strategyOptions, trace };
}

interface Place {
  ctx: Context;
  dir: string;
  shared: Shared;
  series: StepSeries;
  spentBefore: number;
}

async function runAndGrade(name: string, { ctx, dir, shared, series, spentBefore }: Place): Promise<Scored> {
  const { params, seed, signal, outDir } = ctx;
  const task = loadTask(dir, name);
  const spent = outDir === null ? undefined : new SpentFile(outDir);
  const sandbox = sandboxes[params.sandbox]!;
  const workspace = await sandbox.open(task.files, { parentDir: outDir });
  try {
    const result = await runInstance(task, {
      ...shared,
      params,
      workspace,
      seed,
      signal,
      onStep: (step, ledger) => {
        series.add(step);
        spent?.note(spentBefore + (ledger.total.costUsd ?? 0));
      },
    });
    const scored = {
      ...result,
      ...(await grade(task, result.submission, { sandbox, parentDir: outDir, signal })),
    };
    if (outDir !== null) writeTrajectory(`${outDir}/trajectories`, scored, params);
    return scored;
  } finally {
    await workspace.close();
  }
}

/** Where no instance could be measured, it is not the agent that failed. */
function failIfBroken(done: readonly Scored[], metrics: Metrics, ctx: Context): void {
  const broken = done.filter(
    ({ exit }) => exit.owner === "infrastructure" || exit.status === "exit_cost_study",
  );
  const first = broken.find(({ exit }) => exit.status === "exit_cost_study") ?? broken[0];
  if (!first) return;
  const reason = `${first.exit.status}: ${first.exit.reason}`;
  // What a spent budget left undone is missing: a rate over the instances before it would flatter whoever spends more.
  if (first.exit.status === "exit_cost_study")
    throw new RunFailure(first.exit.owner, reason, { ...metrics, solve_rate: null, submission_rate: null });
  if (broken.length === done.length) throw new RunFailure(first.exit.owner, reason, metrics);
  ctx.warn(
    `${broken.length} of ${done.length} instances could not be measured; the first: ${first.instance}, ${reason}`,
  );
}
