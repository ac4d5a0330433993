import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SUSPECT } from "../../core/agent-run.ts";
import { canonicalJson } from "../../core/hash.ts";
import { failed, type Metrics, OK, type RunRecord } from "../../core/run.ts";
import { runOutDir } from "../../core/study-folder.ts";
import { readJsonIfAny } from "../../host/files.ts";
import { chooseSandbox } from "../../sandboxes/choose-sandbox.ts";
import type { Regrading } from "../target.ts";
import { agentLog } from "./agents/read-output.ts";
import { IMAGE_CHANGES, writeResults } from "./files/write-rollout.ts";
import { findTask, readOptions } from "./find-task.ts";
import type { Grade } from "./grading/grade.ts";
import { gradePatch } from "./grading/grade-patch.ts";
import { rolloutMetrics } from "./metrics.ts";
import { openTaskBase } from "./open-task.ts";
import { rolloutSchema } from "./params.ts";
import type { Rollout } from "./rollout.ts";
import { suspectLabel, suspicionText } from "./suspicion/suspicion.ts";
import { needsImage, taskInImage } from "./task-image.ts";
import { readTask } from "./tasks/index.ts";
import type { RolloutTask } from "./tasks/task.ts";

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
  if (named.steps) throw new Error("of a task of several steps no patch holds what each step left");
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
  const elsewhere = changesElsewhere(outDir, task);
  if (elsewhere > 0)
    throw new Error(
      `the agent changed ${elsewhere} files of the image outside of ${task.machine!.workDir}, which no patch holds`,
    );
  const grade = await gradePatch({
    ...{ task, base, patch, sandbox, params, logsDir, signal, baseDir, seed: record.seed },
    log: agentLog(logsDir),
    isSolution: record.labels?.agent === "oracle",
  });
  // What the grader could not do says nothing about the patch, so the grade that it has stays.
  if (grade.problem && grade.problem.owner !== "agent") throw new Error(grade.problem.reason);
  grade.warnings.unshift(...warnings);
  const rollout: Rollout = { ...recalled(record, outDir, patch), task, base, sandbox: sandbox.name, grade };
  const next = recordOf(record, rollout, grade);
  writeResults(outDir, rollout, record.startedAtMs + record.wallMs);
  return isSame(record, next) ? record : next;
};

/** What the run's files and its record tell of the agent's work. */
function recalled(record: RunRecord, outDir: string, patch: string): Rollout {
  const { metrics, labels = {}, params } = record;
  const repo = readFacts(join(outDir, "artifacts", "repo_info.json"));
  const before = readFacts(join(outDir, "evaluation_results.json"));
  const results = readFacts(join(outDir, "results.json"));
  const {
    tokens_total: _,
    tool_calls: __,
    time_taken_seconds: ___,
    money_spent_usd: costUsd,
    exit: ____,
    ...others
  } = (before.agent_metrics ?? {}) as Record<string, number>;
  return {
    runId: record.id,
    taskDir: record.task ?? "",
    seed: record.seed,
    model: typeof params.model === "string" ? params.model : "",
    agent: labels.agent ?? "",
    sandbox: labels.sandbox ?? "",
    startedAtMs: record.startedAtMs,
    work: {
      exit: labels.agent_exit ?? "",
      exitCode: typeof results.exit_code === "number" ? results.exit_code : null,
      wallMs: (metrics.agent_seconds ?? 0) * 1000,
      usage: {
        tokensTotal: metrics.tokens_total ?? null,
        toolCalls: metrics.tool_calls ?? null,
        costUsd: typeof costUsd === "number" ? costUsd : null,
        ...(Object.keys(others).length > 0 && { others }),
      },
    },
    change: {
      patch,
      lines: metrics.diff_lines ?? 0,
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
