import { lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { SUSPECT } from "../../core/agent-run.ts";
import { asMachineError, errorText, MachineError, UserError } from "../../core/errors.ts";
import { type Metrics, RunFailure } from "../../core/run.ts";
import { STEPS_FOLDER } from "../../core/study-folder.ts";
import { chooseSandbox } from "../../sandboxes/choose-sandbox.ts";
import { type Images, type ProgramSandbox, SandboxError } from "../../sandboxes/sandbox.ts";
import { SpentFile } from "../agent/spent-file.ts";
import type { TargetContext } from "../target.ts";
import { type Agent, type AgentJob, type AgentWork, agentLimits } from "./agents/agent.ts";
import { chooseAgent } from "./agents/index.ts";
import { agentLog } from "./agents/read-output.ts";
import { writeArtifacts, writeMetadata, writeResults, writeWhole } from "./files/write-rollout.ts";
import { gradePatch } from "./grading/grade-patch.ts";
import { rolloutMetrics } from "./metrics.ts";
import { openTask, openTaskBase } from "./open-task.ts";
import type { RolloutParams } from "./params.ts";
import { readPlainFile } from "./read-plain-file.ts";
import type { Rollout } from "./rollout.ts";
import { runSteps, type StepRun } from "./run-steps.ts";
import { suspectLabel, suspicionText } from "./suspicion/suspicion.ts";
import { copyFolderOut, needsImage, taskInImage } from "./task-image.ts";
import type { RolloutTask } from "./tasks/task.ts";
import { openWorkFolder, type WorkFolder } from "./work-folder.ts";
import type { Base, Change } from "./workspace/base.ts";
import { SpareCopy } from "./workspace/spare-copy.ts";

type Context = TargetContext<RolloutParams>;

/** One rollout from the task to its metrics. Its copies are gone afterwards, whatever happened. */
export async function runRollout(ctx: Context): Promise<Metrics> {
  const { params, outDir, seed, signal } = ctx;
  const agent = chooseAgent(params.agent);
  const rollout: Rollout = {
    runId: ctx.runId ?? "",
    taskDir: ctx.task ?? "",
    ...{ seed, model: params.model, agent: agent.name, sandbox: params.sandbox, startedAtMs: Date.now() },
  };
  ctx.label?.("agent", agent.name);
  let sandboxImages: Images | undefined;
  let work: WorkFolder | undefined;
  let spare: SpareCopy | undefined;
  try {
    const opened = await open(rollout, ctx);
    const { base, sandbox } = opened;
    sandboxImages = sandbox.images;
    work = await openWorkFolder({ runDir: outDir, copyBytes: base.copyBytes, sandbox });
    const places = makePlaces(work.path, outDir);
    const isInImage = opened.task.machine !== undefined && !agent.usesCopy;
    if (!isInImage) await base.copyTo(places.repo, { withGit: true });
    spare = new SpareCopy(base, work.path, { isNeeded: !isInImage });
    const workDir = work.path;
    if (opened.task.steps) {
      const { params } = ctx;
      await runSteps(rollout, opened.task, {
        ...{ agent, places, params, images: sandbox.images, warn: ctx.warn },
        runStep: (step) => runStep(step, agent, { ctx, spare: spare!, workDir, ...opened }),
      });
      reportSteps(rollout, ctx);
    } else {
      await letWork(agent, rollout, { ctx, places, spare, ...opened });
      await grade(rollout, { ctx, spare, workDir, logsDir: places.logsDir, ...opened });
    }
    return rolloutMetrics(rollout);
  } catch (error) {
    throw signal.aborted ? error : explained(error, rollout);
  } finally {
    await spare?.settled();
    await work?.remove();
    if (rollout.work?.left) await sandboxImages?.remove(rollout.work.left.image);
    if (outDir !== null) writeResults(outDir, rollout, Date.now());
  }
}

interface Opened {
  task: RolloutTask;
  base: Base;
  sandbox: ProgramSandbox;
}

async function open(rollout: Rollout, ctx: Context): Promise<Opened> {
  const named = openTask(ctx);
  const sandbox = await chooseSandbox(ctx.params.sandbox, { warn: ctx.warn, needsImage: needsImage(named) });
  rollout.sandbox = sandbox.name;
  ctx.label?.("sandbox", sandbox.name);
  if (named.refusal !== undefined) throw new SandboxError(named.refusal);
  const task = sandbox.images
    ? await taskInImage(named, sandbox.images, { signal: ctx.signal, network: ctx.params.build_network })
    : named;
  rollout.task = task;
  ctx.label?.("task_id", task.id);
  const base = await openTaskBase(task);
  rollout.base = base;
  for (const warning of [...(task.withoutImage ?? []), ...task.warnings, ...base.warnings]) ctx.warn(warning);
  if (ctx.outDir !== null) writeMetadata(ctx.outDir, rollout);
  return { task, base, sandbox };
}

interface Working extends Opened {
  ctx: Context;
  spare: SpareCopy;
  places: AgentJob["places"];
  /** Where it is one of several. */
  step?: Pick<StepRun, "name" | "files" | "earlierUsd"> & { spent: SpentFile | undefined };
}

/** A step is a rollout of its own, in a folder of its own; what the run has cost stands at the top. */
async function runStep(
  step: StepRun,
  agent: Agent,
  { ctx, ...given }: Omit<Grading, "logsDir">,
): Promise<void> {
  const { name, rollout, task, graded, files, places, params, earlierUsd } = step;
  const outDir = ctx.outDir === null ? null : join(ctx.outDir, STEPS_FOLDER, name);
  for (const path of [places.logsDir, outDir]) if (path !== null) mkdirSync(path, { recursive: true });
  const own: Context = {
    ...{ ...ctx, outDir, params: { ...params, judge: "" } },
    label: (key, text) => key !== SUSPECT && ctx.label?.(key, text),
    warn: (text) => ctx.warn(`${name}: ${text}`),
  };
  const spent = ctx.outDir === null ? undefined : new SpentFile(ctx.outDir);
  await letWork(agent, rollout, {
    ...given,
    ctx: own,
    task,
    places,
    step: { name, files, earlierUsd, spent },
  });
  await grade(rollout, { ...given, ctx: own, task: graded, logsDir: places.logsDir });
  if (outDir !== null) writeResults(outDir, rollout, Date.now());
}

/** What all steps came to. */
function reportSteps(rollout: Rollout, ctx: Context): void {
  const { suspicions } = rollout.grade!;
  if (suspicions.length > 0) ctx.label?.(SUSPECT, suspectLabel(suspicions));
  if (ctx.params.judge !== "") ctx.warn("the judge is not asked about tasks of several steps");
  if (ctx.outDir !== null) writeArtifacts(ctx.outDir, rollout, undefined);
}

/** The agent's time, and what it left: kept before anybody grades it. */
async function letWork(
  agent: Agent,
  rollout: Rollout,
  { ctx, places, spare, task, base, sandbox, step }: Working,
): Promise<void> {
  const { params, seed, repeat, baseDir, outDir, signal } = ctx;
  const spent = step ? step.spent : outDir === null ? undefined : new SpentFile(outDir);
  const { earlierUsd = 0 } = step ?? {};
  const work = await agent.work({
    ...{ task, params, seed, repeat, baseDir, places, runDir: outDir, sandbox, signal },
    trace: ctx.trace ?? true,
    traffic: ctx.traffic ?? {},
    runId: rollout.runId,
    limits: agentLimits(task, params),
    ...(step && { step }),
    onStart: () => spare.make(),
    onSpent: (costUsd, options) => spent?.note(earlierUsd + costUsd, options),
    onStep: (values) => ctx.series(values),
  });
  rollout.work = work;
  // What it cost is written down before anything else: a run that is killed while it is graded has cost it, too.
  if (work.usage.costUsd !== null) spent?.note(earlierUsd + work.usage.costUsd);
  noteWork(work, ctx);
  const change =
    task.machine && !agent.usesCopy
      ? await changeInImage(base, places, { sandbox, task, work })
      : await base.diff(places.repo);
  rollout.change = change;
  for (const warning of change.warnings) ctx.warn(warning);
  if (outDir !== null) writeArtifacts(outDir, rollout, collectAgentFiles(places.outDir, outDir).notes);
  signal.throwIfAborted();
  const { failure } = work;
  // Nobody will grade it, and what the agent did until then is what tells why.
  if (failure && outDir !== null)
    work.writeTrajectory?.(`${outDir}/trajectories`, { patch: change.patch, isSolved: null });
  if (failure) throw new RunFailure(failure.owner, failure.reason, rolloutMetrics(rollout));
}

/** What the agent changed in the task's folder, as a patch for people; what it changed elsewhere is listed. */
async function changeInImage(
  base: Base,
  { repo }: AgentJob["places"],
  { sandbox, task, work }: { sandbox: ProgramSandbox; task: RolloutTask; work: AgentWork },
): Promise<Change> {
  const nothing: Change = { patch: "", lines: 0, files: [], warnings: [] };
  if (!work.left) return nothing;
  const { image, changes } = work.left;
  const { workDir } = task.machine!;
  const paths = changes.map((line) => line.slice(2));
  const isInside = (path: string) => workDir !== "/" && path.startsWith(`${workDir}/`);
  const outside = paths.filter((path) => !isInside(path));
  if (!paths.some(isInside)) return { ...nothing, files: outside };
  try {
    await copyFolderOut(sandbox.images!, { image, folder: workDir, to: repo });
    const change = await base.diff(repo);
    return { ...change, files: [...change.files, ...outside] };
  } catch (error) {
    return {
      ...nothing,
      files: paths,
      warnings: [`the changes can't be shown as a patch: ${errorText(error)}`],
    };
  }
}

function makePlaces(work: string, outDir: string | null): AgentJob["places"] {
  const places = {
    repo: join(work, "repo"),
    outDir: join(work, "agent"),
    homeDir: join(work, "home"),
    logsDir: outDir === null ? join(work, "logs") : join(outDir, "logs"),
  };
  for (const path of [places.outDir, places.homeDir, places.logsDir]) mkdirSync(path, { recursive: true });
  return places;
}

function noteWork({ exit, labels = {}, warnings = [] }: AgentWork, ctx: Context): void {
  for (const [name, text] of Object.entries({ agent_exit: exit, ...labels })) ctx.label?.(name, text);
  for (const warning of warnings) ctx.warn(warning);
}

interface Grading extends Opened {
  ctx: Context;
  spare: SpareCopy;
  workDir: string;
  logsDir: string;
}

async function grade(rollout: Rollout, { ctx, ...given }: Grading): Promise<void> {
  const { params, signal, baseDir, seed, outDir } = ctx;
  const { patch } = rollout.change!;
  const left = rollout.work!.left?.image;
  const found = await gradePatch({
    ...{ ...given, patch, params, signal, baseDir, seed, log: agentLog(given.logsDir) },
    ...(left && { left }),
    isSolution: rollout.agent === "oracle",
  });
  rollout.grade = found;
  ctx.label?.("patch", found.patch);
  if (found.suspicions.length > 0) ctx.label?.(SUSPECT, suspectLabel(found.suspicions));
  for (const suspicion of found.suspicions) ctx.warn(suspicionText(suspicion));
  for (const warning of found.warnings) ctx.warn(warning);
  const metrics = rolloutMetrics(rollout);
  if (outDir !== null) {
    if (typeof metrics.cost_usd === "number" && params.judge !== "")
      new SpentFile(outDir).note(metrics.cost_usd);
    const isSolved = found.isSolved === true;
    rollout.work!.writeTrajectory?.(`${outDir}/trajectories`, { patch, isSolved });
  }
  if (found.problem) throw new RunFailure(found.problem.owner, found.problem.reason, metrics);
}

/** Nothing that happens around the agent is the agent's fault: not a broken task, not the machine, not a bug of ours. */
function explained(error: unknown, rollout: Rollout): unknown {
  const cause = asMachineError(error);
  if (cause instanceof RunFailure || cause instanceof MachineError) return cause;
  const isKnown = cause instanceof UserError || cause instanceof SandboxError;
  if (!isKnown && cause instanceof Error) console.error(cause.stack);
  const { score: _, solved: __, ...metrics } = rolloutMetrics(rollout);
  return new RunFailure("infrastructure", errorText(cause), metrics);
}

const TRAJECTORY = /\.traj$|\.traj\.json$|^trajectory[\w.-]*\.json$|\.atif\.json$/;
const MOST_BYTES = 32 << 20;
const MOST_FILES = 20;

/** Keeps what a program left about its work: trajectories and notes. Links are not followed. */
function collectAgentFiles(agentDir: string, runDir: string): { notes: string | undefined } {
  if (!lstatSync(agentDir, { throwIfNoEntry: false })?.isDirectory()) return { notes: undefined };
  const names = readdirSync(agentDir).filter((name) => TRAJECTORY.test(name));
  for (const name of names.slice(0, MOST_FILES)) {
    const text = readPlainFile(`${agentDir}/${name}`, MOST_BYTES);
    if (text !== undefined) writeWhole(`${runDir}/trajectories/${name}`, text);
  }
  return { notes: readPlainFile(`${agentDir}/notes.md`, MOST_BYTES) };
}
