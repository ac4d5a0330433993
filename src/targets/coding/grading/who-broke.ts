import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { errorText } from "../../../core/errors.ts";
import { removeFolder } from "../../../sandboxes/private-folder.ts";
import { SandboxError } from "../../../sandboxes/sandbox.ts";
import { agentLimits } from "../agents/agent.ts";
import { chooseAgent } from "../agents/index.ts";
import { rolloutSchema } from "../params.ts";
import { solutionText } from "../tasks/solution-of.ts";
import type { RolloutTask, TestScript } from "../tasks/task.ts";
import type { TestResult } from "./grade.ts";
import type { GradeRequest } from "./grade-patch.ts";
import { type GradePlaces, openGradePlaces } from "./grade-places.ts";
import { NoReward, readReward } from "./read-reward.ts";
import type { GradeSetting } from "./run-script.ts";
import { runTest } from "./run-test.ts";

export interface Question {
  request: GradeRequest;
  setting: GradeSetting;
  /** For further copies, should they be needed. */
  dir: string;
}

interface Answer {
  owner: "agent" | "grader";
  /** How it is known. */
  note: string;
  /** It is not known, and a rule decided. */
  isGuess?: boolean;
}

/**
 * Whose doing it is that a test did not do its work. The task's own solution tells: a test that works with it was kept
 * from working by the patch, or by what the patch left undone; one that does not is broken. Where there is no solution,
 * a test that works without the patch was kept from it by the patch. Where that does not tell either, what a wrong patch
 * can bring about counts as the patch's: else an agent would be judged by the tasks alone that it solves.
 */
export async function whoBroke(test: TestResult, question: Question): Promise<Answer> {
  const { request } = question;
  const script = request.task.grading.tests.find(({ path }) => path === test.path)!;
  const solved = await trySolution(script, question);
  if (solved?.works) return { owner: "agent", note: `with the task's own solution it runs (${solved.how})` };
  if (solved) return { owner: "grader", note: "so with the task's own solution" };
  if (request.patch !== "" || request.left !== undefined) {
    const control = await tryClean(script, question);
    if (control.works) return { owner: "agent", note: `without the patch it runs (${control.how})` };
  }
  if (!test.mayBePatch) return { owner: "grader", note: "" };
  const note = "the task has no solution to tell by, so it counts as the patch's doing";
  return { owner: "agent", note, isGuess: true };
}

/**
 * A test that can't even start in what the agent left has failed, where it can in a machine that nobody changed: else
 * whoever ruins the machine would not be judged at all.
 */
export async function runOrFail(
  script: TestScript,
  places: GradePlaces,
  question: Question,
): Promise<TestResult> {
  const { request, setting } = question;
  const run = () => runTest(script, places, setting);
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof SandboxError) || request.left === undefined) throw error;
    await tryClean(script, question);
  }
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    const reason = `it can't start in the machine that the agent left: ${errorText(error)}`;
    const { path, rubricId } = script;
    return {
      ...{ path, rubricId, reason, verdict: "failed", mayBePatch: true },
      ...{ exitCode: null, wallMs: 0, output: "" },
    };
  }
}

/** How a test fares where nobody changed anything. */
function tryClean(script: TestScript, question: Question): Promise<Trial> {
  return tryOn({ patch: "" }, script, { ...question, dir: join(question.dir, "control") });
}

/** What a solution changes: a patch, and the image that it left where the task runs in one. */
interface Solution {
  patch: string;
  left?: string;
}

interface Trial {
  works: boolean;
  how: string;
  /** What the test printed, where it ran. */
  output?: string;
}

/** Whether a test does its work on a fresh copy with this patch. */
async function tryOn(
  { patch, left }: Solution,
  script: TestScript,
  { request, setting, dir }: Question,
): Promise<Trial> {
  const { task, base, sandbox } = request;
  try {
    const { places, applied } = await openGradePlaces({
      ...{ task, base, patch, sandbox, dir },
      ...(left !== undefined && { left }),
    });
    if (applied.way === "refused") return { works: false, how: applied.reason };
    const { verdict, reason, output } = await runTest(script, places, setting);
    if (verdict !== "broken" && task.grading.verdict === "reward") readReward(places.logs);
    return { works: verdict !== "broken", how: reason, output };
  } catch (error) {
    setting.signal.throwIfAborted();
    if (error instanceof NoReward) return { works: false, how: error.message };
    throw error;
  } finally {
    await removeFolder(dir);
  }
}

/** What is known of solutions: they are tried once in each thread, not once for each patch that fails. */
const tried = new WeakMap<RolloutTask, Map<string, Trial | Solution | null>>();

/** How a test fares with the task's own solution; undefined where there is none that can be had. */
async function trySolution(script: TestScript, question: Question): Promise<Trial | undefined> {
  const { task, sandbox } = question.request;
  if (task.solution === null) return undefined;
  const known = tried.get(task) ?? new Map<string, Trial | Solution | null>();
  tried.set(task, known);
  const once = async <T extends Trial | Solution | null>(name: string, find: () => Promise<T>) => {
    const key = `${sandbox.name} ${name}`;
    if (!known.has(key)) known.set(key, await find());
    return known.get(key) as T;
  };
  const solution = await once("", () => solutionPatch(question));
  if (solution === null) return undefined;
  const dir = join(question.dir, "solution");
  return await once(`${script.path} ${question.setting.timeoutMs}`, () =>
    tryOn(solution, script, { ...question, dir }),
  );
}

/** What a test prints with the task's own solution; undefined where that can't be had, or the test doesn't work with it. */
export async function solutionOutput(script: TestScript, question: Question): Promise<string | undefined> {
  const trial = await trySolution(script, question);
  return trial?.works ? trial.output : undefined;
}

/** What the task's own solution changes; null where it can't be made to work. */
async function solutionPatch({ request, setting, dir }: Question): Promise<Solution | null> {
  const { task, base, sandbox } = request;
  if (task.solution!.kind === "patch") return { patch: solutionText(task.solution!) };
  const at = (name: string) => join(dir, "solve", name);
  const places = { repo: at("repo"), outDir: at("agent"), homeDir: at("home"), logsDir: at("logs") };
  try {
    for (const path of [places.outDir, places.homeDir, places.logsDir]) mkdirSync(path, { recursive: true });
    if (!task.machine) await base.copyTo(places.repo, { withGit: true });
    const params = { ...rolloutSchema.parse({}), ...request.params };
    const { exitCode, left } = await chooseAgent("oracle").work({
      ...{ task, params, places, sandbox, seed: 1, repeat: 0, baseDir: request.baseDir ?? process.cwd() },
      ...{ runDir: null, signal: setting.signal, limits: agentLimits(task, params) },
      onSpent: () => {},
      trace: false,
      onStep: () => {},
    });
    if (exitCode !== 0) return null;
    // It stays as long as this process, which may ask again; the next one removes it.
    if (task.machine) return left ? { patch: "", left: left.image } : null;
    return { patch: (await base.diff(places.repo)).patch };
  } catch {
    setting.signal.throwIfAborted();
    return null;
  } finally {
    await removeFolder(join(dir, "solve"));
  }
}
