import { appendFileSync, mkdtempSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { asMachineError, errorText, MachineError } from "../../../core/errors.ts";
import { fixedText } from "../../../core/number-text.ts";
import { createModel } from "../../../models/create-model.ts";
import { removeFolder } from "../../../sandboxes/private-folder.ts";
import { MissingProgramError, type ProgramSandbox, SandboxError } from "../../../sandboxes/sandbox.ts";
import type { RolloutParams } from "../params.ts";
import { suspicionText } from "../suspicion/suspicion.ts";
import type { RolloutTask } from "../tasks/task.ts";
import { openWorkFolder } from "../work-folder.ts";
import type { Base } from "../workspace/base.ts";
import type { SpareCopy } from "../workspace/spare-copy.ts";
import { measureCustom } from "./custom-metrics.ts";
import type { Grade, TestResult } from "./grade.ts";
import { type GradePlaces, openGradePlaces } from "./grade-places.ts";
import { type Judgement, judge } from "./judge.ts";
import { readReward } from "./read-reward.ts";
import type { GradeSetting } from "./run-script.ts";
import { scoreRubrics } from "./score-rubrics.ts";
import { patchedTexts, suspectPatch } from "./suspect-patch.ts";
import { runOrFail, whoBroke } from "./who-broke.ts";

export interface GradeRequest {
  task: RolloutTask;
  base: Base;
  patch: string;
  /** The image with all that the agent left, where the task runs in one: it goes before the patch. */
  left?: string;
  sandbox: ProgramSandbox;
  params: Pick<
    RolloutParams,
    | "env"
    | "grade_network"
    | "grade_timeout_s"
    | "memory_mb"
    | "disk_mb"
    | "judge"
    | "judge_repeats"
    | "judge_base_url"
  >;
  /** Where eval.log is kept, once it has been made; null for nowhere. */
  logsDir: string | null;
  signal: AbortSignal;
  /** For the graded copy, which is gone afterwards; a folder of its own where absent. */
  workDir?: string;
  /** A copy that may have been made already. */
  spare?: SpareCopy;
  /** Recordings of the judge are relative to it. */
  baseDir?: string;
  seed?: number;
  /** What the agent printed, to look for signs that it did not solve the task. */
  log?: string;
  /** The patch is the task's own solution, which is beyond suspicion. */
  isSolution?: boolean;
}

type Tested = Pick<
  Grade,
  "score" | "isSolved" | "rubrics" | "tests" | "custom" | "suspicions" | "warnings" | "problem"
>;

const UNTESTED: Tested = {
  score: null,
  isSolved: null,
  rubrics: [],
  tests: [],
  custom: {},
  suspicions: [],
  warnings: [],
};

/**
 * Grades a patch on a fresh copy of the task's repository. What the patch is worth and what went wrong around it both
 * come back; only an abort is thrown, and what no run on this machine would survive, such as a full disk.
 */
export async function gradePatch(request: GradeRequest): Promise<Grade> {
  const { task, base, patch, left, sandbox, signal, spare } = request;
  const start = performance.now();
  const log = new EvalLog(request.logsDir);
  const own = { runDir: null, copyBytes: base.copyBytes, sandbox };
  const work = request.workDir === undefined ? await openWorkFolder(own) : undefined;
  const dir = realpathSync(mkdtempSync(join(work?.path ?? request.workDir!, "grade-")));
  let way: Grade["patch"] = "empty";
  let tested: Tested = UNTESTED;
  try {
    const { places, applied } = await openGradePlaces({
      task,
      base,
      patch,
      sandbox,
      ...(left && { left }),
      dir: join(dir, "patched"),
      ...(spare && { spare }),
    });
    way = applied.way;
    log.say(`task ${task.id}, patch: ${way}, sandbox: ${sandbox.name}`);
    if (applied.way === "refused") tested = refused(task, applied.reason);
    else tested = await runTests({ request, places, log, dir });
  } catch (error) {
    signal.throwIfAborted();
    const cause = asMachineError(error);
    if (cause instanceof MachineError) throw cause;
    tested = { ...UNTESTED, problem: problemOf(error) };
  } finally {
    await removeFolder(work?.path ?? dir);
  }
  const judgement = way === "refused" ? undefined : await askJudge(request);
  const warnings = [...tested.warnings, ...(judgement?.warnings ?? [])];
  if (way === "empty" && tested.isSolved)
    warnings.push("the tests give full marks to a patch that changes nothing: they can't tell");
  const isJudged = tested.problem?.reason === NOTHING_TESTS && judgement?.score != null;
  const { problem, ...rest } = tested;
  const grade: Grade = {
    ...rest,
    patch: way,
    ...(problem && !isJudged && { problem }),
    ...(judgement && { judgement }),
    warnings,
    wallMs: performance.now() - start,
  };
  log.close(grade);
  return grade;
}

/** A sandbox that could not start is tried again; a test whose program is not there would fail again. */
function problemOf(error: unknown): NonNullable<Tested["problem"]> {
  if (!(error instanceof SandboxError))
    return { owner: "grader", reason: `grading broke: ${errorText(error)}` };
  const owner = error instanceof MissingProgramError ? "grader" : "infrastructure";
  return { owner, reason: `the tests could not run: ${errorText(error)}` };
}

function refused({ grading }: RolloutTask, reason: string): Tested {
  const none = scoreRubrics(grading, [], null);
  return {
    ...UNTESTED,
    rubrics: none.rubrics,
    score: 0,
    isSolved: false,
    problem: { owner: "agent", reason: `the patch does not apply: ${reason}` },
  };
}

const NOTHING_TESTS = "the task has no tests";

interface Testing {
  request: GradeRequest;
  places: GradePlaces;
  log: EvalLog;
  /** For further copies, should they be needed. */
  dir: string;
}

async function runTests({ request, places, log, dir }: Testing): Promise<Tested> {
  const { task } = request;
  const { grading } = task;
  const setting = settingOf(request);
  const texts = patchedTexts(request.patch, places.repo);
  const tests: TestResult[] = [];
  const warnings: string[] = [];
  /** A test that did not do its work has failed where that is the patch's doing, and is broken where it is not. */
  const judgeBroken = async (test: TestResult): Promise<TestResult> => {
    const { owner, note, isGuess } = await whoBroke(test, { request, setting, dir });
    const reason = [test.reason, note].filter(Boolean).join("; ");
    if (isGuess) warnings.push(`${test.path} could not run: ${reason}`);
    return { ...test, reason, verdict: owner === "agent" ? "failed" : "broken" };
  };
  for (const script of grading.tests) {
    let test = await runOrFail(script, places, { request, setting, dir });
    if (test.verdict === "broken") test = await judgeBroken(test);
    log.test(test);
    tests.push(test);
  }
  const custom: Record<string, number> = {};
  let reward: number | null = null;
  if (grading.verdict === "reward" && tests[0] && tests[0].verdict !== "broken") {
    try {
      const found = readReward(places.logs);
      reward = found.value;
      Object.assign(custom, found.others);
      warnings.push(...found.warnings);
    } catch (error) {
      const reason = `${errorText(error)}; it ended with ${tests[0].reason}`;
      const wasBroken = tests[0].mayBePatch !== undefined;
      tests[0] = wasBroken ? tests[0] : await judgeBroken({ ...tests[0], reason });
      reward = tests[0].verdict === "broken" ? null : 0;
    }
    if (reward !== null) for (const test of tests) test.verdict = reward >= 1 ? "passed" : "failed";
  }
  const broken = tests.find(({ verdict }) => verdict === "broken");
  let problem = broken && `${broken.path} could not run: ${broken.reason}`;
  if (tests.length === 0) problem = NOTHING_TESTS;
  const measured = await measureCustom(places, setting);
  const score = scoreRubrics(grading, tests, reward);
  if (score.score === null) problem ??= score.warnings.at(-1) ?? NOTHING_TESTS;
  const isSolved = problem === undefined && score.isSolved === true;
  const suspicions = await suspectPatch({ request, setting, dir }, { tests, texts, isSolved });
  return {
    ...score,
    ...(problem !== undefined && {
      ...{ score: null, isSolved: null },
      problem: { owner: "grader" as const, reason: problem },
    }),
    tests,
    suspicions,
    custom: { ...custom, ...measured.metrics },
    warnings: [...score.warnings, ...warnings, ...measured.warnings],
  };
}

function settingOf({ task, sandbox, params, signal }: GradeRequest): GradeSetting {
  const { limits } = task;
  return {
    task,
    sandbox,
    timeoutMs: limits.graderMs ?? params.grade_timeout_s * 1000,
    memoryMb: params.memory_mb || (limits.memoryMb ?? 0),
    diskMb: params.disk_mb || (limits.diskMb ?? 0),
    network:
      params.grade_network === "task"
        ? task.machine !== undefined && (limits.graderInternet ?? limits.allowInternet) !== false
        : params.grade_network,
    env: openVariables(params.env),
    signal,
  };
}

/** The study's variables are for the whole environment of a task, but keys, which stand for ours, are the agent's alone. */
function openVariables(env: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => !value.includes("${envvar:")));
}

async function askJudge(request: GradeRequest): Promise<Judgement | undefined> {
  const { task, patch, params, signal, baseDir = process.cwd(), seed = 1 } = request;
  if (params.judge === "" || task.grading.rubrics.length === 0) return undefined;
  try {
    const model = await createModel(params.judge, { baseDir, baseUrl: params.judge_base_url || undefined });
    const rubrics = task.grading.rubrics;
    return await judge(
      { instruction: task.instruction, rubrics, patch },
      { model, repeats: params.judge_repeats, seed, signal },
    );
  } catch (error) {
    signal.throwIfAborted();
    const none = { score: null, sd: null, repeats: 0, rubrics: [], summary: "", costUsd: 0 };
    return { ...none, warnings: [`the judge can't be asked: ${errorText(error)}`] };
  }
}

/** How grading went, for people: written as it goes, so that it can be watched. */
class EvalLog {
  readonly #path: string | null;

  constructor(logsDir: string | null) {
    this.#path = logsDir === null ? null : `${logsDir}/eval.log`;
  }

  say(text: string): void {
    if (this.#path !== null) appendFileSync(this.#path, `${text}\n`);
  }

  test({ path, verdict, reason, wallMs, output }: TestResult): void {
    const head = `--- ${path}: ${verdict} (${reason}, ${fixedText(wallMs / 1000, 2)} s)`;
    this.say(output === "" ? head : `${head}\n${output.trimEnd()}`);
  }

  close({ score, problem, warnings, suspicions }: Grade): void {
    for (const found of suspicions) this.say(suspicionText(found));
    for (const warning of warnings) this.say(`warning: ${warning}`);
    if (problem) this.say(`${problem.owner}: ${problem.reason}`);
    this.say(`--- score: ${score === null ? "unknown" : fixedText(score, 4)}`);
  }
}
