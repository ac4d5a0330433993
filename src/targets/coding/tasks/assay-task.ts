import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { UserError } from "../../../core/errors.ts";
import { shellWord } from "../../../core/escape.ts";
import { readTask } from "../../agent/tasks/load-task.ts";
import type { AgentTask } from "../../agent/tasks/task.ts";
import { solutionOf } from "./solution-of.ts";
import type { RolloutTask, TaskReader } from "./task.ts";

/** Tasks of the target `agent`, such as those that ship: graded here as there. */
export const assayTask: TaskReader = {
  name: "assay",
  description: "a task of the target agent: task.json, repo/ and check/",
  looksFor: "task.json with repo/ and check/",
  detects: (dir) => existsSync(join(dir, "task.json")),
  read(dir): RolloutTask {
    for (const folder of ["repo", "check"]) {
      if (!existsSync(join(dir, folder)))
        throw new UserError(`${join(dir, folder)} is missing`, {
          expected: folder === "repo" ? "the repository that the agent gets" : "the tests that grade",
          remedy: `Add the folder ${folder}/ to the task's.`,
        });
    }
    const full = resolve(dir);
    const task = readTask(dirname(full), basename(full));
    const visible = [...task.files].filter(([path]) => path.startsWith("test/"));
    return {
      id: task.id,
      title: null,
      tags: [task.level],
      format: "assay",
      dir: full,
      instruction: task.instruction,
      source: { kind: "folder", dir: join(full, "repo") },
      overlay: { files: {}, copies: {}, remove: [] },
      env: {},
      grading: {
        rubrics: [{ id: "solved", criterion: "The hidden and the visible tests pass", weight: 1 }],
        tests: [
          {
            ...{ path: ".assay/grade.sh", rubricId: "solved", content: gradeScript(task) },
            ...(task.answers !== undefined && { answer: task.answers }),
          },
        ],
        // The visible tests too, as they were: no change to a test makes a difference.
        files: Object.fromEntries([...visible, ...task.checkFiles]),
        mounts: {},
        env: {},
        verdict: "exit",
        metricsScript: null,
      },
      limits: {},
      workDir: null,
      build: null,
      image: null,
      solution: solutionOf(full),
      warnings: [],
    };
  },
};

/** Code that ends a check early can't fake it: its last line tells, or what it reports. */
function gradeScript({ check, test, passes, answers }: AgentTask): string {
  const isWhole =
    passes === undefined ? "" : ` || [ "$(printf '%s\\n' "$output" | tail -n 1)" != ${shellWord(passes)} ]`;
  const runCheck = answers === undefined ? `run ${shellWord(check)}` : `sh -c ${shellWord(check)} || exit`;
  return `#!/bin/sh
run() {
  output=$(sh -c "$1" 2>&1)
  code=$?
  printf '%s\\n' "$output"
  if [ "$code" -ne 0 ]${isWhole}; then
    [ "$code" -ne 0 ] && exit "$code"
    exit 1
  fi
}
${runCheck}
run ${shellWord(test)}
`;
}
