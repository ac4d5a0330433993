import { statSync } from "node:fs";
import { join } from "node:path";
import { runPrepared } from "../api/run-study.ts";
import { UserError } from "../core/errors.ts";
import { shortHash } from "../core/hash.ts";
import { plural } from "../core/number-text.ts";
import { taskName } from "../design/run-name.ts";
import { loadStudies } from "../launch/load-study.ts";
import { prepareStudy } from "../launch/prepare-study.ts";
import { tasksIn } from "../targets/coding/tasks/index.ts";
import { readTaskCheck, type TaskCheck, writeTaskCheck } from "./check-tasks.ts";
import { listenForInterrupts } from "./interrupts.ts";
import { Progress } from "./progress.ts";
import { printable, styleFor, table } from "./terminal.ts";

interface CheckOptions {
  jobs?: number;
  sandbox?: string;
  fresh?: boolean;
  quiet?: boolean;
  json?: boolean;
}

/** Whether tasks can be trusted: their oracle solves them, nothing else does, and their tests agree with themselves. */
export async function checkTasks(dirs: string[], options: CheckOptions): Promise<void> {
  // A pattern such as tasks/* names the files beside the tasks, too.
  const folders = dirs.filter((dir) => !statSync(dir, { throwIfNoEntry: false })?.isFile());
  if (folders.length === 0)
    throw new UserError(`${dirs[0]} is a file`, { expected: "folders of tasks, such as tasks/*" });
  const plain = [...new Set(folders.flatMap((dir) => tasksIn(dir.replace(/(?<=.)\/+$/, ""))))];
  const file = join("data", "tasks-check", `tasks-check-${shortHash(plain.join("\n"))}.toml`);
  const { jobs = 2, sandbox } = options;
  const { readable, unreadable } = writeTaskCheck(plain, { file, jobs, sandbox });
  let checks = unreadable;
  let studyDir: string | null = null;
  let isInterrupted = false;
  if (readable.length > 0) {
    const [loaded] = loadStudies(file, {
      launch: { isFresh: options.fresh, isRerun: false, stamp: undefined },
    });
    const prepared = await prepareStudy(loaded!);
    studyDir = prepared.studyDir;
    const interrupts = listenForInterrupts();
    try {
      const verbosity = options.quiet || options.json ? -1 : 0;
      const { summary } = await runPrepared(prepared, {
        sinks: [new Progress({ stream: process.stderr, verbosity, hide: prepared.redactor.text })],
        stop: interrupts.stop.signal,
        kill: interrupts.kill,
      });
      isInterrupted = summary.stopped === "interrupted";
      if (isInterrupted) process.exitCode = interrupts.exitCode;
    } finally {
      interrupts.release();
    }
    checks = [...(await readTaskCheck(studyDir, readable)), ...unreadable];
  }
  const bad = checks.filter(({ problems }) => problems.length > 0);
  if (!isInterrupted) process.exitCode = bad.length > 0 ? 1 : 0;
  if (options.json) console.log(JSON.stringify({ studyDir, tasks: checks }));
  else console.log(textOf(checks, { bad, studyDir, isInterrupted }));
}

function textOf(
  checks: readonly TaskCheck[],
  told: { bad: readonly TaskCheck[]; studyDir: string | null; isInterrupted: boolean },
): string {
  const { bad, studyDir, isInterrupted } = told;
  const style = styleFor(process.stdout);
  const yes = (value: boolean | null) => (value === null ? "?" : value ? "solves" : "-");
  const rows = checks.map(({ task, oracle, nop, exitZero, leaks, problems }) => [
    printable(taskName(task)),
    `${oracle.solved}/${oracle.graded}`,
    yes(nop),
    yes(exitZero),
    leaks.length,
    problems.length === 0 ? style.green("ok") : style.red(printable(problems[0]!).slice(0, 160)),
  ]);
  return [
    table(["task", "oracle", "nop", "exit 0", "leaks", "verdict"], rows),
    "",
    isInterrupted
      ? "The check was stopped: the same command resumes it."
      : bad.length === 0
        ? `${plural(checks.length, "task")}: all can be trusted`
        : `${bad.length} of ${plural(checks.length, "task")} can't be trusted`,
    ...bad.flatMap(({ task, problems }) =>
      problems.slice(1).map((text) => `  ${taskName(task)}: ${printable(text)}`),
    ),
    ...(checks.some(({ isHidden }) => isHidden === false)
      ? ["This sandbox hides nothing, so leaks were looked for in the agents' own folder alone."]
      : []),
    ...(studyDir === null ? [] : [`Next: assay summarize ${studyDir}`]),
  ].join("\n");
}
