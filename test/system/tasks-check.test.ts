import { expect, test } from "vitest";
import { fixture } from "../support/fixture.ts";
import { titled } from "../support/sandboxed.ts";

/** Long enough to be known by its content. */
const NOTE = "# A line that makes it long enough to be known.";
const SOLUTION = `#!/bin/bash\necho on > lamp.txt\n${NOTE}\n`;

const task = (name: string, test: string) => ({
  [`tasks/${name}/task.toml`]: 'version = "1.0"\n',
  [`tasks/${name}/instruction.md`]: "Write on into lamp.txt.\n",
  [`tasks/${name}/environment/Dockerfile`]: "FROM debian\nWORKDIR /app\nCOPY . /app\n",
  [`tasks/${name}/environment/lamp.txt`]: "off\n",
  [`tasks/${name}/solution/solve.sh`]: SOLUTION,
  [`tasks/${name}/tests/test.sh`]: `#!/bin/bash\n${test}\n${NOTE}\n`,
});
const REWARD = "if grep -qx on lamp.txt; then echo 1; else echo 0; fi > /logs/verifier/reward.txt";

for (const { sandbox, title, isUsable } of await titled(["directory", "bubblewrap"]))
  test.runIf(isUsable)(
    `assay tasks check tells a good task from one that doing nothing solves, that leaks, or can't be read, in ${title}`,
    async () => {
      await using project = await fixture("coding", {
        ...task("good", REWARD),
        ...task("easy", "echo 1 > /logs/verifier/reward.txt"),
        "tasks/easy/environment/told.sh": SOLUTION,
        "tasks/broken/task.toml": "version = 1.0\n",
        "tasks/README.md": "No task.\n",
      });
      const names = ["good", "easy", "broken", "README.md"].map((name) => `tasks/${name}`);
      const { code, stdout } = await project.assay(
        "tasks",
        "check",
        ...names,
        "--sandbox",
        sandbox,
        "--json",
      );
      const { tasks } = JSON.parse(stdout);
      const isHidden = sandbox !== "directory";
      expect(tasks).toMatchObject([
        {
          ...{ task: "tasks/good", oracle: { solved: 5, graded: 5 }, nop: false, exitZero: false },
          ...{ isHidden, leaks: [], problems: [] },
        },
        {
          ...{ task: "tasks/easy", oracle: { solved: 5, graded: 5 }, nop: true, isHidden },
          leaks: ["solution/solve.sh as ./told.sh"],
          problems: ["doing nothing solves it", "the agent can read solution/solve.sh as ./told.sh"],
        },
        { task: "tasks/broken", problems: [expect.stringContaining("can't be read")] },
      ]);
      expect(code).toBe(1);
    },
  );

test("assay tasks check names a folder without tasks", async () => {
  await using project = await fixture("coding", { "none/empty/README.md": "No task.\n" });
  const { code, stderr } = await project.assay("tasks", "check", "none");
  expect(stderr).toContain("there is no task in none");
  expect(code).toBe(2);
});
