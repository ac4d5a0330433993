import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SUSPECT } from "../../core/agent-run.ts";
import { canonicalJson } from "../../core/hash.ts";
import { failed, type Metrics, OK, type RunRecord } from "../../core/run.ts";
import { runOutDir, STEPS_FOLDER } from "../../core/study-folder.ts";
import { readJsonIfAny } from "../../host/files.ts";
import { chooseSandbox } from "../../sandboxes/choose-sandbox.ts";
import type { Regrading } from "../target.ts";
import { agentLog } from "./agents/read-output.ts";
import { IMAGE_CHANGES, writeResults } from "./files/write-rollout.ts";
import { findTask, readOptions } from "./find-task.ts";
import type { Grade } from "./grading/grade.ts";
import { type GradeRequest, gradePatch } from "./grading/grade-patch.ts";
import { rolloutMetrics } from "./metrics.ts";
import { openTaskBase } from "./open-task.ts";
import { type RolloutParams, rolloutSchema } from "./params.ts";
import type { Rollout } from "./rollout.ts";
import { gradedInStep, gradeOf, isBelow, taskInStep } from "./run-steps.ts";
import { suspectLabel, suspicionText } from "./suspicion/suspicion.ts";
import { needsImage, taskInImage } from "./task-image.ts";
import { readTask } from "./tasks/index.ts";
import type { RolloutTask, TaskStep } from "./tasks/task.ts";

/** Metrics that the grade gives; all others are the agent's own and stay. */
const GRADED = /^(score|solved|tests_|untested_rubrics$|rubric\/|custom\/|judge\/|grade_seconds$)/;

/** Whether there is a patch that was graded, or that the grader broke on: only such can be graded again. */
export function canRegrade(record: RunRecord, studyDir: string): boolean {
  return record.labels?.patch !== undefined && existsSync(patchOf(studyDir, record.id));
}

/**
 * Grades a recorded patch with the task as it is now; the record is the old one where nothing changed by that. Throws
 * where it can't be graded now, and has changed nothing then.
 */
export const regrade: Regrading["regrade"] = async (record, { studyDir, baseDir, signal }) => {
  const outDir = runOutDir(studyDir, record.id);
  const params = rolloutSchema.parse(record.params);
  const named = readTask(findTask(record.task, baseDir), readOptions(params, baseDir));
  const patch = readFileSync(patchOf(studyDir, record.id), "utf8");
  const logsDir = join(outDir, "logs");
  mkdirSync(logsDir, { recursive: true });
  const warnings: string[] = [];
  const sandbox = await chooseSandbox(params.sandbox, {
    warn: (text) => warnings.push(text),
    needsImage: needsImage(named),
  });
  const task = sandbox.images
    ? await taskInImage(named, sandbox.images, { signal, network: params.build_network })
    : named;
  const base = await openTaskBase(task);
  const given: Given = { record, outDir, base, sandbox, params, signal, baseDir };
  const grade = task.steps
    ? await regradeSteps(task, given)
    : await gradeAgain(task, { ...given, patch, logsDir });
  grade.warnings.unshift(...warnings);
  const rollout: Rollout = { ...recalled(record, outDir, patch), task, base, sandbox: sandbox.name, grade };
  const next = recordOf(record, rollout, grade);
  writeResults(outDir, rollout, record.startedAtMs + record.wallMs);
  return isSame(record, next) ? record : next;
};

type Given = Pick<GradeRequest, "base" | "sandbox" | "signal"> & {
  record: RunRecord;
  outDir: string;
  params: RolloutParams;
  baseDir: string;
};

async function gradeAgain(
  task: RolloutTask,
  { record, outDir, patch, logsDir, ...given }: Given & { patch: string; logsDir: string },
): Promise<Grade> {
  const elsewhere = changesElsewhere(outDir, task);
  if (elsewhere > 0)
    throw new Error(
      `the agent changed ${elsewhere} files of the image outside of ${task.machine!.workDir}, which no patch holds`,
    );
  const grade = await gradePatch({
    ...{ ...given, task, patch, logsDir, seed: record.seed, log: agentLog(logsDir) },
    isSolution: record.labels?.agent === "oracle",
  });
  // What the grader could not do says nothing about the patch, so the grade that it has stays.
  if (grade.problem && grade.problem.owner !== "agent") throw new Error(grade.problem.reason);
  return grade;
}

/** Each step by what the agent had changed until then, as long as the steps ask for no more than that gets. */
async function regradeSteps(task: RolloutTask, given: Given): Promise<Grade> {
  const { record, base, sandbox, params } = given;
  const agent = record.labels?.agent ?? "";
  const done: { step: TaskStep; grade: Grade; dir: string; patch: string }[] = [];
  for (const step of task.steps!) {
    const dir = join(given.outDir, STEPS_FOLDER, step.name);
    const file = join(dir, "artifacts", "diff.patch");
    if (!existsSync(file))
      throw new Error(`the agent has not come to the step ${step.name}, which it would now: run it again`);
    // A step that changed nothing has the state of the one before.
    const hasChanged = existsSync(join(dir, "artifacts", IMAGE_CHANGES));
    const patch = hasChanged ? readFileSync(file, "utf8") : (done.at(-1)?.patch ?? "");
    const here = gradedInStep(taskInStep(task, step), { isFirst: done.length === 0, agent });
    const logsDir = join(given.outDir, "logs", step.name);
    mkdirSync(logsDir, { recursive: true });
    const own = { ...params, judge: "" };
    const grade = await gradeAgain(here, { ...given, outDir: dir, patch, logsDir, params: own });
    done.push({ step, grade, dir, patch });
    if (isBelow(grade, step.least)) break;
  }
  for (const { step, grade, dir, patch } of done) {
    const { end_time: endedAt } = readFacts(join(dir, "results.json"));
    const rollout = { ...recalled(record, dir, patch), task: taskInStep(task, step), base, grade };
    writeResults(dir, { ...rollout, sandbox: sandbox.name }, Date.parse(String(endedAt)));
  }
  return gradeOf(done, task);
}

/** What the run's files and its record tell of the agent's work. */
function recalled(record: RunRecord, outDir: string, patch: string): Rollout {
  const { metrics, labels = {}, params } = record;
  const repo = readFacts(join(outDir, "artifacts", "repo_info.json"));
  const before = readFacts(join(outDir, "evaluation_results.json"));
  const results = readFacts(join(outDir, "results.json"));
  const {
    tokens_total: tokensTotal = metrics.tokens_total,
    tool_calls: toolCalls = metrics.tool_calls,
    time_taken_seconds: seconds = metrics.agent_seconds,
    money_spent_usd: costUsd,
    exit = labels.agent_exit,
    ...others
  } = (before.agent_metrics ?? {}) as Record<string, number | null>;
  return {
    runId: record.id,
    taskDir: record.task ?? "",
    seed: record.seed,
    model: typeof params.model === "string" ? params.model : "",
    agent: labels.agent ?? "",
    sandbox: labels.sandbox ?? "",
    startedAtMs: record.startedAtMs,
    work: {
      exit: String(exit ?? ""),
      exitCode: typeof results.exit_code === "number" ? results.exit_code : null,
      wallMs: (seconds ?? 0) * 1000,
      usage: {
        tokensTotal: tokensTotal ?? null,
        toolCalls: toolCalls ?? null,
        costUsd: typeof costUsd === "number" ? costUsd : null,
        ...(Object.keys(others).length > 0 && { others: others as Record<string, number> }),
      },
    },
    change: {
      patch,
      lines: typeof repo.diff_lines === "number" ? repo.diff_lines : (metrics.diff_lines ?? 0),
      files: Array.isArray(repo.changed_files) ? repo.changed_files.map(String) : [],
      warnings: [],
    },
  };
}

function recordOf(record: RunRecord, rollout: Rollout, grade: Grade): RunRecord {
  const own = Object.entries(record.metrics).filter(([name]) => !GRADED.test(name));
  const graded = Object.entries(rolloutMetrics(rollout)).filter(([name]) => GRADED.test(name));
  const agentUsd = rollout.work?.usage.costUsd ?? null;
  const judgeUsd = grade.judgement ? grade.judgement.costUsd : 0;
  const metrics: Metrics = { ...Object.fromEntries(own), ...Object.fromEntries(graded) };
  metrics.cost_usd = agentUsd === null || judgeUsd === null ? null : agentUsd + judgeUsd;
  const { warnings: _, costUsd: __, earlier: ___, ...rest } = record;
  const { [SUSPECT]: ____, ...labels } = record.labels ?? {};
  const { suspicions } = grade;
  const next: RunRecord = {
    ...rest,
    attempt: record.attempt + 1,
    outcome: grade.problem ? failed(grade.problem.owner, grade.problem.reason) : OK,
    metrics,
    labels: {
      ...{ ...labels, patch: grade.patch, sandbox: rollout.sandbox },
      ...(suspicions.length > 0 && { [SUSPECT]: suspectLabel(suspicions) }),
    },
  };
  const warnings = [...suspicions.map(suspicionText), ...grade.warnings];
  if (warnings.length > 0) next.warnings = warnings;
  // The agent was paid for by the record before.
  if (typeof judgeUsd === "number" && judgeUsd > 0) next.costUsd = judgeUsd;
  return next;
}

/** How long grading took is no result. */
function isSame(a: RunRecord, b: RunRecord): boolean {
  const core = ({ outcome, metrics, labels }: RunRecord) => {
    const { grade_seconds: _, ...rest } = metrics;
    const { status, owner = null, reason = null } = outcome;
    const [patch, suspect] = [labels?.patch ?? null, labels?.[SUSPECT] ?? null];
    return canonicalJson({ status, owner, reason, rest, patch, suspect });
  };
  return core(a) === core(b);
}

/** Files that an agent changed in the task's image, where its patch does not have them. */
function changesElsewhere(outDir: string, { machine }: RolloutTask): number {
  const file = join(outDir, "artifacts", IMAGE_CHANGES);
  if (!machine || !existsSync(file)) return 0;
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.filter((line) => !`${line.slice(2)}/`.startsWith(`${machine.workDir}/`)).length;
}

function patchOf(studyDir: string, id: string): string {
  return join(runOutDir(studyDir, id), "artifacts", "diff.patch");
}

function readFacts(path: string): Record<string, unknown> {
  return readJsonIfAny<Record<string, unknown>>(path) ?? {};
}
