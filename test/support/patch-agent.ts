import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { directory } from "../../src/sandboxes/directory.ts";
import { memory } from "../../src/sandboxes/memory/index.ts";
import { readWholeTree } from "../../src/sandboxes/read-tree.ts";
import type { FileTree, ProgramSandbox } from "../../src/sandboxes/sandbox.ts";
import { grade as gradeInMemory } from "../../src/targets/agent/grade.ts";
import { applyPatch } from "../../src/targets/agent/patch/apply-patch.ts";
import { makePatch } from "../../src/targets/agent/patch/make-patch.ts";
import { loadTask, taskSetDir } from "../../src/targets/agent/tasks/load-task.ts";
import { gradePatch } from "../../src/targets/coding/grading/grade-patch.ts";
import { openTaskBase } from "../../src/targets/coding/open-task.ts";
import { rolloutSchema } from "../../src/targets/coding/params.ts";
import { findSuspicions } from "../../src/targets/coding/suspicion/find-suspicions.ts";
import type { Suspicion } from "../../src/targets/coding/suspicion/suspicion.ts";
import { readTask } from "../../src/targets/coding/tasks/index.ts";
import type { RolloutTask } from "../../src/targets/coding/tasks/task.ts";

/** An agent of which only what it leaves counts: new files, changed ones (a text or a change of the old one), null for deleted. */
export interface PatchAgent {
  name: string;
  task: string;
  files: Record<string, string | null | ((before: string) => string)>;
  /** Before its own changes, the task's solution goes in, or this patch. */
  isSolved?: boolean;
  patch?: string;
}

export interface Judged {
  name: string;
  score: number;
  isSolved: boolean;
  suspicions: Suspicion[];
  reasons: string[];
}

const EXAMPLES = fileURLToPath(new URL("../../examples/agent-rollouts/tasks", import.meta.url));
const SHIPPED = taskSetDir("shipped", ".");
const signal = new AbortController().signal;
const tasks = new Map<string, RolloutTask>();

interface Judging {
  /** Of the example tasks. */
  overrides?: string | null;
  /** Where all of them are graded by their own scripts; otherwise shipped tasks are in the sandbox `memory`, and examples in `directory`. */
  sandbox?: ProgramSandbox;
}

async function judgeAgent(agent: PatchAgent, { overrides = null, sandbox }: Judging): Promise<Judged> {
  if (!isShipped(agent.task)) return judgeTask(agent, join(EXAMPLES, agent.task), { overrides, sandbox });
  return sandbox ? judgeTask(agent, join(SHIPPED, agent.task), { overrides, sandbox }) : judgeShipped(agent);
}

function isShipped(name: string): boolean {
  return /^(?:library|shop|transit)-/.test(name);
}

async function judgeTask(
  { name, files, isSolved, patch: given }: PatchAgent,
  dir: string,
  { overrides, sandbox = directory }: { overrides: string | null; sandbox: ProgramSandbox | undefined },
): Promise<Judged> {
  const key = `${dir} ${overrides}`;
  const task = tasks.get(key) ?? readTask(dir, { applyOverrides: true, overrides });
  tasks.set(key, task);
  const base = await openTaskBase(task);
  const before = readWholeTree(base.dir).files;
  const first = given ?? (isSolved ? readFileSync(task.solution!.path, "utf8") : undefined);
  const patch = patchOf(before, files, first);
  const found = await gradePatch({
    ...{ task, base, patch, sandbox, logsDir: null, signal },
    params: rolloutSchema.parse({ grade_timeout_s: 300 }),
  });
  if (found.patch === "refused") throw new Error(`${name}: its patch does not apply`);
  const reasons = found.tests.map(({ path, verdict, reason }) => `${path} ${verdict}: ${reason}`);
  const { score, suspicions } = found;
  return { name, score: score ?? 0, isSolved: found.isSolved === true, suspicions, reasons };
}

async function judgeShipped({ name, task: id, files, isSolved }: PatchAgent): Promise<Judged> {
  const task = loadTask(SHIPPED, id);
  const reference = readFileSync(join(SHIPPED, id, "reference.patch"), "utf8");
  const patch = patchOf(task.files, files, isSolved ? reference : undefined);
  const after = applyPatch(task.files, patch);
  const graded = await gradeInMemory(task, patch, { sandbox: memory, parentDir: null, signal });
  const suspicions = findSuspicions({
    ...{ patch, reference, known: [...task.files.values()], textOf: (path) => after.get(path) },
    task: readTask(join(SHIPPED, id), { applyOverrides: true, overrides: null }),
  });
  return {
    name,
    score: graded.isSolved ? 1 : 0,
    isSolved: graded.isSolved,
    suspicions,
    reasons: [graded.report],
  };
}

function patchOf(before: FileTree, files: PatchAgent["files"], solution: string | undefined): string {
  const after = new Map(solution === undefined ? before : applyPatch(before, solution));
  for (const [path, change] of Object.entries(files)) {
    if (change === null) after.delete(path);
    else after.set(path, typeof change === "string" ? change : change(after.get(path) ?? ""));
  }
  return makePatch(before, after);
}

/** So many at a time as there are processors to speak of. */
export async function judgeAll(agents: readonly PatchAgent[], judging: Judging = {}): Promise<Judged[]> {
  const judged: Judged[] = [];
  const left = [...agents];
  const work = async () => {
    for (let agent = left.shift(); agent; agent = left.shift()) judged.push(await judgeAgent(agent, judging));
  };
  await Promise.all([work(), work(), work()]);
  return judged;
}

export const answersDir = join(dirname(EXAMPLES), "agents", "answers");
