import { join } from "node:path";
import { RunFailure } from "../../core/run.ts";
import type { Images } from "../../sandboxes/sandbox.ts";
import type { Agent, AgentPlaces, AgentUsage, AgentWork } from "./agents/agent.ts";
import type { Grade } from "./grading/grade.ts";
import type { RolloutParams } from "./params.ts";
import type { Rollout } from "./rollout.ts";
import type { RolloutTask, TaskStep } from "./tasks/task.ts";

/** One step, as whoever works and grades is told of it. */
export interface StepRun {
  name: string;
  rollout: Rollout;
  /** The task as it is in this step, in the machine that the step before left. */
  task: RolloutTask;
  /** The same for its graders. */
  graded: RolloutTask;
  files: string | null;
  places: AgentPlaces;
  params: RolloutParams;
  /** What the steps before it cost. */
  earlierUsd: number;
}

interface Steps {
  agent: Agent;
  places: AgentPlaces;
  params: RolloutParams;
  images: Images | undefined;
  warn(text: string): void;
  /** Lets the agent work and grades it, and leaves both in the step's rollout. */
  runStep(step: StepRun): Promise<void>;
}

type Done = Required<Pick<Rollout, "work" | "change" | "grade">> & { step: TaskStep };

/**
 * A task of several steps: in each the agent starts anew, in the machine as it left it, and tests that it never sees
 * grade what is there. A reward below what a step asks for ends the task. The rewards become one as Harbor does it.
 */
export async function runSteps(rollout: Rollout, task: RolloutTask, given: Steps): Promise<void> {
  const { agent, params, images } = given;
  const { machine, steps = [] } = task;
  if (!machine || !images)
    throw new RunFailure(
      "infrastructure",
      "a task of several steps needs its own image, and so a container: sandbox docker or podman",
    );
  if (agent.usesCopy)
    throw new RunFailure(
      "infrastructure",
      `the agent ${agent.name} works outside of the task's machine, where a task of several steps can't go on`,
    );
  const done: Done[] = [];
  const left: string[] = [];
  try {
    for (const step of steps) {
      const { name, files } = step;
      const image = left.at(-1) ?? machine.image;
      const here: RolloutTask = { ...taskInStep(task, step), machine: { ...machine, image } };
      const run: Rollout = { ...rollout, task: here };
      await given.runStep({
        ...{ name, files, rollout: run, task: here, places: placesOf(given.places, name) },
        graded: gradedInStep(here, { isFirst: done.length === 0, agent: agent.name }),
        params: remaining(params, done),
        earlierUsd: sum(done, ({ work }) => work.usage.costUsd) ?? 0,
      });
      const { work, change, grade } = run;
      if (work!.left) left.push(work!.left.image);
      done.push({ step, work: work!, change: change!, grade: grade! });
      if (isBelow(grade!, step.least)) break;
    }
  } finally {
    // The last one first: it stands on the others.
    for (const image of left.reverse()) await images.remove(image);
  }
  rollout.work = workOf(done);
  rollout.change = {
    ...(done.findLast(({ change }) => change.patch !== "") ?? done.at(-1)!).change,
    files: [...new Set(done.flatMap(({ change }) => change.files))],
  };
  rollout.grade = gradeOf(done, task);
  if (done.length < steps.length) given.warn(rollout.grade.warnings.at(-1)!);
}

/** The task as it is in one of its steps. */
export function taskInStep(task: RolloutTask, step: TaskStep): RolloutTask {
  const { instruction, grading, limits, solution, health = task.health } = step;
  return {
    ...{ ...task, instruction, grading, limits, users: { ...task.users, ...step.users } },
    solution: solution ?? task.solution,
    ...(health && { health }),
  };
}

/** The same for graders: whoever came before may have spoilt what a solution needs. */
export function gradedInStep(
  task: RolloutTask,
  { isFirst, agent }: { isFirst: boolean; agent: string },
): RolloutTask {
  return isFirst || agent === "oracle" ? task : { ...task, solution: null };
}

/** Folders of the step's own, but for the agent's home, which goes with it. */
function placesOf({ repo, logsDir, ...rest }: AgentPlaces, name: string): AgentPlaces {
  return { ...rest, repo: `${repo}-${name}`, logsDir: join(logsDir, name) };
}

/** What the steps before have left of the run's own limits; one that is used up allows nothing more. */
function remaining(params: RolloutParams, done: readonly Done[]): RolloutParams {
  const used = (limit: number, of: (work: AgentWork) => number | null | undefined) =>
    limit === 0 ? 0 : Math.max(limit - (sum(done, ({ work }) => of(work) ?? 0) ?? 0), Number.EPSILON);
  return {
    ...params,
    max_calls: Math.ceil(used(params.max_calls, ({ traffic }) => traffic?.model_calls)),
    max_tokens: Math.ceil(used(params.max_tokens, ({ usage }) => usage.tokensTotal)),
    max_cost_usd: used(params.max_cost_usd, ({ usage }) => usage.costUsd),
  };
}

/** Whether a step asks for more, so that none follows it. */
export function isBelow({ score, custom }: Grade, least: Record<string, number>): boolean {
  const rewards: Record<string, number> = { ...custom, ...(score !== null && { reward: score }) };
  return Object.entries(least).some(([name, wanted]) => (rewards[name] ?? Number.NEGATIVE_INFINITY) < wanted);
}

function workOf(done: readonly Done[]): AgentWork {
  const works = done.map(({ work }) => work);
  const { exit, exitCode, labels } = works.at(-1)!;
  const total = (key: keyof Omit<AgentUsage, "others">) => sum(works, ({ usage }) => usage[key]);
  const metered = works.flatMap(({ traffic }) => (traffic ? [traffic] : []));
  const names = [...new Set(metered.flatMap((traffic) => Object.keys(traffic)))];
  const firsts = metered.flatMap(({ first_token_seconds: first }) => first ?? []);
  return {
    ...{ exit, exitCode, wallMs: sum(works, ({ wallMs }) => wallMs) ?? 0 },
    usage: { tokensTotal: total("tokensTotal"), toolCalls: total("toolCalls"), costUsd: total("costUsd") },
    ...(labels && { labels }),
    ...(metered.length > 0 && {
      traffic: {
        ...Object.fromEntries(names.map((name) => [name, sum(metered, (traffic) => traffic[name])])),
        first_token_seconds: firsts.length === 0 ? null : sum(firsts, (first) => first)! / firsts.length,
      },
    }),
  };
}

/** What the grades of the steps that were done come to. */
export function gradeOf(
  done: readonly Pick<Done, "step" | "grade">[],
  { steps = [], rewardOf }: RolloutTask,
): Grade {
  const grades = done.map(({ grade }) => grade);
  const last = grades.at(-1)!;
  const names = [...new Set(grades.flatMap(({ custom }) => Object.keys(custom)))];
  const mean = (of: (grade: Grade) => number | null | undefined) => {
    const all = sum(grades, (grade) => of(grade) ?? 0);
    return all === null ? null : all / grades.length;
  };
  const isWhole = done.length === steps.length;
  const judged = rewardOf === "final" ? [last] : grades;
  return {
    patch: last.patch,
    score: rewardOf === "final" ? last.score : mean(({ score }) => score),
    isSolved: isWhole && judged.every(({ isSolved }) => isSolved === true),
    rubrics: grades.flatMap(({ rubrics }) => rubrics),
    tests: grades.flatMap(({ tests }) => tests),
    custom: {
      ...Object.fromEntries(
        names.map((name) => [
          name,
          (rewardOf === "final" ? last.custom[name] : mean(({ custom }) => custom[name])) ?? 0,
        ]),
      ),
      steps_done: done.length,
    },
    suspicions: grades.flatMap(({ suspicions }) => suspicions),
    warnings: [
      ...grades.flatMap(({ warnings }) => warnings),
      ...(isWhole
        ? []
        : [
            `the task ended after the step ${done.at(-1)!.step.name}, whose reward is below what it asks for`,
          ]),
    ],
    wallMs: sum(grades, ({ wallMs }) => wallMs) ?? 0,
  };
}

/** Null where one of them is unknown. */
function sum<T>(items: readonly T[], of: (item: T) => number | null | undefined): number | null {
  return items.reduce<number | null>((total, item) => {
    const value = of(item);
    return total === null || value === null || value === undefined ? null : total + value;
  }, 0);
}
