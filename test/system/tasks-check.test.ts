import { expect, test } from "vitest";
import { fixture } from "../support/fixture.ts";

const task = (name: string, test: string) => ({
  [`tasks/${name}/task.toml`]: 'version = "1.0"\n',
  [`tasks/${name}/instruction.md`]: "Write on into lamp.txt.\n",
  [`tasks/${name}/environment/Dockerfile`]: "FROM debian\nWORKDIR /app\nCOPY . /app\n",
  [`tasks/${name}/environment/lamp.txt`]: "off\n",
  [`tasks/${name}/solution/solve.sh`]:
    "#!/bin/bash\necho on > lamp.txt\n# A line that makes it long enough to be known.\n",
  [`tasks/${name}/tests/test.sh`]: `#!/bin/bash\n${test}\n# A line that makes it long enough to be known.\n`,
});
const REWARD = "if grep -qx on lamp.txt; then echo 1; else echo 0; fi > /logs/verifier/reward.txt";

test("assay tasks check tells a good task from one that nothing solves, leaks or can't be read", async () => {
  await using project = await fixture("coding", {
    ...task("good", REWARD),
    ...task("easy", "echo 1 > /logs/verifier/reward.txt"),
    "tasks/easy/environment/told.sh":
      "#!/bin/bash\necho on > lamp.txt\n# A line that makes it long enough to be known.\n",
    "tasks/broken/task.toml": "version = 1.0\n",
  });
  const args = [
    "tasks",
    "check",
    "tasks/good",
    "tasks/easy",
    "tasks/broken",
    "--sandbox",
    "directory",
    "--json",
  ];
  const { code, stdout } = await project.assay(...args);
  expect(code).toBe(1);
  const { tasks } = JSON.parse(stdout);
  expect(tasks).toMatchObject([
    {
      task: "tasks/good",
      oracle: { solved: 5, graded: 5 },
      nop: false,
      exitZero: false,
      leaks: [],
      problems: [],
    },
    { task: "tasks/easy", nop: true, leaks: [expect.stringContaining("solution/solve.sh as ")] },
    { task: "tasks/broken", problems: [expect.stringContaining("can't be read")] },
  ]);
  expect(tasks[1].problems[0]).toBe("doing nothing solves it");
});
