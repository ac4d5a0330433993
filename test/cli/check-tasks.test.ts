import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { readLook, writeTaskCheck } from "../../src/cli/check-tasks.ts";
import { tasksIn } from "../../src/targets/coding/tasks/index.ts";
import { TempFolder } from "../support/temp-folder.ts";

test("the check of tasks is a rollouts file with the oracle five times and three others, without what is no task", () => {
  using folder = new TempFolder({
    "good/task.toml": 'version = "1.0"\n',
    "good/instruction.md": "Write on into lamp.txt.\n",
    "good/tests/test.sh": "#!/bin/bash\necho 1 > /logs/verifier/reward.txt\n",
    "bad/task.toml": 'version = "1.0"\n',
  });
  const [good, bad] = [`${folder.path}/good`, `${folder.path}/bad`];
  expect(tasksIn(folder.path)).toEqual([bad, good]);
  expect(tasksIn(good)).toEqual([good]);
  const file = `${folder.path}/data/check.toml`;
  const { readable, unreadable } = writeTaskCheck([good, bad], { file, jobs: 3, sandbox: "directory" });
  expect(readable).toEqual([good]);
  expect(unreadable).toMatchObject([{ task: bad, problems: [expect.stringContaining("can't be read")] }]);
  const { parallel, sandbox, tasks } = parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  expect({ parallel, sandbox }).toEqual({ parallel: 3, sandbox: "directory" });
  expect(tasks).toMatchObject([
    { prepared_dir: good, agent: "oracle", rollouts: 5 },
    { prepared_dir: good, agent: "nop", rollouts: 1 },
    { agent: { name: "exit-0", command: ["sh", "-c", expect.stringContaining("process.exit(0);")] } },
    { agent: { name: "look", command: ["sh", "-c", expect.stringContaining("sha256sum")] } },
  ]);
});

const SCRIPT = "#!/bin/bash\necho long enough to be known by what is in it\n";
const line = (text: string, path: string) => `${createHash("sha256").update(text).digest("hex")}  ${path}\n`;

test("a look around a task of several steps knows the tests and solutions of each of them, in whichever step it saw them", () => {
  const steps = ["one", "two"].flatMap((step) => [
    [`task/steps/${step}/instruction.md`, "Do it.\n"],
    [`task/steps/${step}/tests/test.sh`, `${SCRIPT}# tests ${step}\n`],
    [`task/steps/${step}/solution/solve.sh`, `${SCRIPT}# solves ${step}\n`],
  ]);
  using folder = new TempFolder({
    ...Object.fromEntries(steps),
    "task/task.toml": 'schema_version = "1.4"\n[[steps]]\nname = "one"\n[[steps]]\nname = "two"\n',
    "task/environment/Dockerfile": "FROM debian\nWORKDIR /app\n",
    "logs/one/agent.stdout.txt": line(`${SCRIPT}# solves two\n`, "/opt/told.sh") + line("else", "./else"),
    "logs/two/agent.stdout.txt": line(`${SCRIPT}# tests one\n`, "./left.sh"),
  });
  expect(readLook(`${folder.path}/task`, `${folder.path}/logs`)).toEqual({
    leaks: ["steps/one/tests/test.sh as ./left.sh", "steps/two/solution/solve.sh as /opt/told.sh"],
    isHidden: true,
  });
  expect(readLook(`${folder.path}/task`, `${folder.path}/none`)).toEqual({ leaks: [], isHidden: null });
});
