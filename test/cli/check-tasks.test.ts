import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { writeTaskCheck } from "../../src/cli/check-tasks.ts";
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
