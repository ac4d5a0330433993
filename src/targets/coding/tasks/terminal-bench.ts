import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { UserError } from "../../../core/errors.ts";
import { buildOf, composeRefusal, readImage } from "./dockerfile/read-image.ts";
import { checkTask, parseText, readText } from "./read-file.ts";
import { solutionOf } from "./solution-of.ts";
import type { Grading, RolloutTask, TaskReader } from "./task.ts";

const CONFIG = "task.yaml";
const RUN_TESTS = "run-tests.sh";

const seconds = z.number().positive().nullish();
const schema = z.looseObject({
  instruction: z.string().nullish(),
  /** Of the oldest files. */
  descriptions: z.array(z.looseObject({ key: z.string(), description: z.string() })).nullish(),
  tags: z.array(z.string()).nullish(),
  parser_name: z.string().nullish(),
  max_agent_timeout_sec: seconds,
  max_test_timeout_sec: seconds,
});

/** What belongs to the task and not to the work folder, even where the image copies everything. */
const isTaskFile = (path: string): boolean =>
  /^(tests\/|solution|run-tests\.sh$|task\.yaml$|docker-compose\.ya?ml$|Dockerfile|\.dockerignore$)/.test(
    path,
  );

export const terminalBench: TaskReader = {
  name: "terminal-bench",
  description: "a task of Terminal-Bench 1: task.yaml, run-tests.sh, tests/, solution.sh",
  looksFor: "task.yaml with run-tests.sh",
  detects: (dir) => existsSync(join(dir, CONFIG)),
  read(dir): RolloutTask {
    const full = resolve(dir);
    const file = join(full, CONFIG);
    const config = checkTask(
      schema,
      parseText(readText(full, CONFIG, "the task's settings"), file, (text) => parse(text)),
      file,
    );
    const base = config.descriptions?.find(({ key }) => key === "base") ?? config.descriptions?.[0];
    const instruction = config.instruction ?? base?.description;
    if (!instruction?.trim())
      throw new UserError("", {
        place: { file, path: "instruction" },
        expected: "what the agent is told",
        got: "nothing",
      });
    const image = readImage(full, isTaskFile);
    const refusal = composeRefusal(full);
    const { max_agent_timeout_sec: agentS, max_test_timeout_sec: testS } = config;
    const parser = config.parser_name ?? "pytest";
    return {
      id: basename(full),
      title: null,
      tags: config.tags ?? [],
      format: "terminal-bench",
      dir: full,
      instruction,
      source: { kind: "empty" },
      overlay: { files: {}, copies: image.copies, remove: [] },
      env: image.env,
      grading: gradingOf(full, parser === "pytest"),
      limits: { ...(agentS && { agentMs: agentS * 1000 }), ...(testS && { graderMs: testS * 1000 }) },
      workDir: image.workDir,
      image: image.image,
      ...(refusal !== undefined && { refusal }),
      build: buildOf(full),
      solution: solutionOf(full),
      warnings:
        parser === "pytest"
          ? []
          : [`the output of ${RUN_TESTS} is for the parser ${parser}: here its exit code tells`],
      withoutImage: image.withoutImage,
    };
  },
};

function gradingOf(dir: string, isPytest: boolean): Grading {
  const script = readText(dir, RUN_TESTS, "the script that runs the tests");
  const tests = join(dir, "tests");
  return {
    rubrics: [{ id: "tests", criterion: "All tests pass", weight: 1 }],
    tests: [{ path: ".assay/test.sh", rubricId: "tests", content: isPytest ? BY_SUMMARY : BY_EXIT }],
    files: { [`.assay/${RUN_TESTS}`]: script },
    mounts: existsSync(tests) ? { "/tests": [tests] } : {},
    env: {},
    verdict: "exit",
    metricsScript: null,
  };
}

const BY_EXIT = `#!/bin/bash
export TEST_DIR=/tests
exec bash .assay/${RUN_TESTS}
`;

/** Terminal-Bench goes by what pytest prints at its end: no test but those that passed. A script's last command may be another one. */
const BY_SUMMARY = `#!/bin/bash
export TEST_DIR=/tests
output=$(mktemp)
bash .assay/${RUN_TESTS} >"$output" 2>&1
code=$?
cat "$output"
summary=$(sed -n '/short test summary info/,$p' "$output")
rm -f "$output"
if [ -z "$summary" ]; then
  [ "$code" -ne 0 ] && exit "$code"
  exit 1
fi
printf '%s\\n' "$summary" | grep -qE '^(FAILED|ERROR|XPASS) ' && exit 1
printf '%s\\n' "$summary" | grep -q '^PASSED ' || exit 1
exit 0
`;
