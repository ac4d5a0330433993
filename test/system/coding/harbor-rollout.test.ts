import "../../support/in-memory.ts";
import { afterEach, describe, expect, test } from "vitest";
import { rollout } from "../../../src/targets/coding/index.ts";
import { hashTree } from "../../../src/targets/coding/tasks/hash-tree.ts";
import { titled } from "../../support/sandboxed.ts";
import { TempFolder } from "../../support/temp-folder.ts";

const names = ["directory", "bubblewrap"];

const HARBOR = {
  "task/task.toml":
    'version = "1.0"\n[verifier]\ntimeout_sec = 60\n[agent]\ntimeout_sec = 60\n[solution.env]\nSTATE = "on"\n',
  "task/instruction.md": "Write `on` into /app/lamp.txt.\n",
  "task/environment/Dockerfile": "FROM debian\nWORKDIR /app\nCOPY lamp.txt /app/lamp.txt\n",
  "task/environment/lamp.txt": "off\n",
  "task/solution/solve.sh": '#!/bin/bash\necho "$STATE" > /app/lamp.txt\n',
  "task/tests/test.sh":
    "#!/bin/bash\ncd /app\nif bash /tests/check.sh; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi\n",
  "task/tests/check.sh": "grep -qx on /app/lamp.txt\n",
};

const realTmp = process.env.TMPDIR;
afterEach(() => {
  if (realTmp === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = realTmp;
});

describe.each(await titled(names))("a task of Harbor in $title", ({ sandbox, isUsable }) => {
  test.runIf(isUsable).each([
    ["oracle", 1],
    ["nop", 0],
    [["sh", "-c", "cat ${prompt_file} && echo on > ${repo}/lamp.txt"], 1],
  ])("solved by %j has the reward %s", async (agent, score) => {
    using folder = new TempFolder(HARBOR);
    process.env.TMPDIR = folder.path;
    const before = hashTree(`${folder.path}/task`);
    const metrics = await rollout.run(
      {
        params: rollout.params.parse({ agent, sandbox }),
        ...{ seed: 1, task: "task", repeat: 0, iteration: 0, baseDir: folder.path, outDir: null },
        ...{ signal: new AbortController().signal, series: () => {}, warn: () => {} },
      },
      undefined,
    );
    expect(metrics).toMatchObject({ score, solved: score, "rubric/reward": score });
    expect(hashTree(`${folder.path}/task`)).toBe(before);
  });
});
