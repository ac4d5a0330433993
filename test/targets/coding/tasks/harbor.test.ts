import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readTask } from "../../../../src/targets/coding/tasks/index.ts";
import { everythingIn } from "../../../support/a-repository.ts";
import { TempFolder } from "../../../support/temp-folder.ts";

const OPTIONS = { applyOverrides: true, overrides: null };
const TOML = `version = "1.0"

[metadata]
author_name = "A"
difficulty = "easy"
tags = ["games"]

[verifier]
timeout_sec = 360.0

[agent]
timeout_sec = 120.5

[environment]
build_timeout_sec = 600.0
cpus = 1
memory_mb = 2048
storage_mb = 10240
`;
const DOCKERFILE = `# comment
FROM python:3.13-slim
WORKDIR /app
ENV LANG=C MODE="very fast"
COPY cargo.json /app/cargo.json
COPY --chown=1:1 src/ ./src/
RUN mkdir -p /app/data
`;

function harborTask(files: Record<string, string> = {}): TempFolder {
  return new TempFolder({
    "task.toml": TOML,
    "instruction.md": "Balance the cargo.\n",
    "environment/Dockerfile": DOCKERFILE,
    "environment/cargo.json": "[]",
    "environment/src/a.py": "a\n",
    "environment/src/deep/b.py": "b\n",
    "tests/test.sh": "#!/bin/bash\necho 1 > /logs/verifier/reward.txt\n",
    "solution/solve.sh": "#!/bin/bash\ntrue\n",
    ...files,
  });
}

describe("a task of Harbor", () => {
  test("gives its instruction, limits, solution, and the files that its image would have", () => {
    using folder = harborTask();
    const before = everythingIn(folder.path);
    const task = readTask(folder.path, OPTIONS);
    const environment = join(folder.path, "environment");
    expect(task).toMatchObject({
      id: folder.path.split("/").at(-1),
      format: "harbor",
      tags: ["games"],
      instruction: "Balance the cargo.\n",
      source: { kind: "empty" },
      env: { LANG: "C", MODE: "very fast" },
      limits: { agentMs: 120_500, graderMs: 360_000, cpus: 1, memoryMb: 2048, diskMb: 10_240 },
      workDir: "/app",
      image: "python:3.13-slim",
      solution: { kind: "script", path: join(folder.path, "solution/solve.sh") },
      warnings: [],
    });
    expect(task.overlay.copies).toEqual({
      "cargo.json": join(environment, "cargo.json"),
      "src/a.py": join(environment, "src/a.py"),
      "src/deep/b.py": join(environment, "src/deep/b.py"),
    });
    expect(task.grading).toMatchObject({
      verdict: "reward",
      mounts: { "/tests": [join(folder.path, "tests")] },
      tests: [{ rubricId: "reward", content: expect.stringContaining("bash /tests/test.sh") }],
    });
    expect(everythingIn(folder.path)).toEqual(before);
  });

  test("of the newer schema has a name, keywords, variables and a network of its own", () => {
    using folder = harborTask({
      "task.toml": `schema_version = "1.1"
[task]
name = "org/cargo"
description = "Balance"
keywords = ["a", "b"]
[verifier]
env = { KEY = "\${ASSAY_TEST_UNSET}", LEVEL = "\${ASSAY_TEST_UNSET:-low}" }
[environment]
docker_image = "example.com/cargo:1"
memory = "2G"
storage = "512M"
network_mode = "no-network"
env = { N = 3 }
[solution]
env = { ANSWER = "42" }
`,
    });
    const task = readTask(folder.path, OPTIONS);
    expect(task).toMatchObject({
      id: "org/cargo",
      title: "Balance",
      tags: ["a", "b"],
      image: "example.com/cargo:1",
      limits: { graderMs: 600_000, memoryMb: 2048, diskMb: 512, allowInternet: false },
      solution: { env: { ANSWER: "42" } },
    });
    expect(task.env.N).toBe("3");
    expect(task.grading.env).toEqual({ LEVEL: "low" });
    expect(task.limits.agentMs).toBeUndefined();
    expect(task.withoutImage).toEqual([
      "the task is meant for the image example.com/cargo:1: only the sandboxes docker and podman have it",
    ]);
    expect(task.warnings).toEqual([
      "the task's variable KEY is left out, since ASSAY_TEST_UNSET is not set here",
    ]);
  });

  test("with an image that does more says what is missing", () => {
    const more = `${DOCKERFILE}RUN apt-get update \\\n    && apt-get install -y gawk\nCOPY cargo.json /tmp/x\nCOPY --from=build /x /app/x\n`;
    using folder = harborTask({ "environment/Dockerfile": more });
    const { withoutImage, image } = readTask(folder.path, OPTIONS);
    expect(image).toBeNull();
    expect(withoutImage).toEqual([
      expect.stringMatching(
        /Dockerfile is not built here: .*\(RUN apt-get update && apt-get install -y gawk and 2 more\)/,
      ),
    ]);
  });

  test("may copy everything, by stars, and in the form of a list", () => {
    const copy = (line: string) => {
      using folder = harborTask({
        "environment/Dockerfile": `FROM x\nWORKDIR /work\n${line}\n`,
        "environment/b.json": "1",
      });
      return Object.keys(readTask(folder.path, OPTIONS).overlay.copies).sort();
    };
    expect(copy("COPY . .")).toEqual(["b.json", "cargo.json", "src/a.py", "src/deep/b.py"]);
    expect(copy("COPY *.json ./data/")).toEqual(["data/b.json", "data/cargo.json"]);
    expect(copy('COPY ["cargo.json", "/work/a b.json"]')).toEqual(["a b.json"]);
    expect(copy("ADD src lib")).toEqual(["lib/a.py", "lib/deep/b.py"]);
    expect(copy("COPY cargo.json b.json data")).toEqual(["data/b.json", "data/cargo.json"]);
    expect(copy("COPY ../outside .")).toEqual([]);
  });

  test.each([
    ["instruction.md", /instruction\.md is missing: expected what the agent is told/],
    ["tests/test.sh", /tests\/test\.sh is missing: expected the script that grades/],
  ])("without %s is a mistake that is named", (name, message) => {
    using folder = harborTask();
    rmSync(join(folder.path, name));
    expect(() => readTask(folder.path, OPTIONS)).toThrow(message);
  });

  test("has steps, each with what the task says where it says nothing itself", () => {
    using folder = harborTask({
      "task.toml": `multi_step_reward_strategy = "final"
[agent]
timeout_sec = 100
user = "agent"
[verifier]
env = { A = "1", B = "1" }
[environment.healthcheck]
command = "true"
[[steps]]
name = "01-first"
min_reward = 0.5
[[steps]]
name = "02-second"
min_reward = { safety = 1 }
[steps.agent]
timeout_sec = 10
[steps.verifier]
timeout_sec = 20
network_mode = "no-network"
env = { B = "2" }
[steps.healthcheck]
command = "test -e ready"
retries = 7
`,
      "steps/01-first/instruction.md": "First.",
      "steps/02-second/instruction.md": "Second.",
      "steps/02-second/workdir/setup.sh": "",
      "steps/02-second/tests/more.py": "",
      "steps/02-second/solution/solve.sh": "",
    });
    const at = (...path: string[]) => join(folder.path, ...path);
    const task = readTask(folder.path, OPTIONS);
    expect(task).toMatchObject({ rewardOf: "final", health: { command: "true", retries: 3 } });
    expect(task.instruction).toBe("# 01-first\n\nFirst.\n# 02-second\n\nSecond.");
    const [first, second] = task.steps!;
    expect(first).toMatchObject({
      ...{ name: "01-first", instruction: "First.", files: null, solution: null, least: { reward: 0.5 } },
      ...{ limits: { agentMs: 100_000, graderMs: 600_000 }, users: { agent: "agent" } },
      grading: { mounts: { "/tests": [at("tests")] }, env: { A: "1", B: "1" } },
    });
    expect(second).toMatchObject({
      ...{ least: { safety: 1 }, files: at("steps/02-second/workdir"), health: { retries: 7 } },
      limits: { agentMs: 10_000, graderMs: 20_000, graderInternet: false },
      grading: {
        mounts: { "/tests": [at("tests"), at("steps/02-second/tests")] },
        env: { A: "1", B: "2" },
        tests: [{ path: ".assay/02-second/test.sh", rubricId: "02-second" }],
      },
      solution: { path: at("steps/02-second/solution/solve.sh") },
    });
    rmSync(at("tests"), { recursive: true });
    expect(() => readTask(folder.path, OPTIONS)).toThrow(/01-first\/tests\/test\.sh is missing/);
  });

  test.each([
    ["[environment]\nos = 'windows'\n", /for windows/],
    ["[verifier]\nenvironment_mode = 'separate'\n", /environment of their own/],
    ["[verifier.environment]\ncpus = 1\n", /environment of their own/],
  ])("that would be another one here is refused: %j", (toml, why) => {
    using folder = harborTask({ "task.toml": toml });
    expect(readTask(folder.path, OPTIONS).refusal).toMatch(why);
  });

  test("that is broken or wrong is a mistake that is named", () => {
    const read = (toml: string) => () => {
      using folder = harborTask({ "task.toml": toml });
      readTask(folder.path, OPTIONS);
    };
    expect(read("[agent\n")).toThrow(/task\.toml can't be read: got /);
    expect(read('[agent]\ntimeout_sec = "x"\n')).toThrow(
      /task\.toml agent\.timeout_sec: expected a number, got "x"/,
    );
    expect(read('[environment]\nmemory = "lots"\n')).toThrow(/expected a size such as 2G, got lots/);
    expect(read('[[steps]]\nname = "one"\n')).toThrow(/steps\/one\/instruction\.md is missing/);
    expect(read('[[steps]]\nname = "../one"\n')).toThrow(/steps\.0\.name: expected a folder's name/);
    expect(read('[[environment.mcp_servers]]\nname = "a"\n')).toThrow(/mcp_servers\.0: expected a command/);
  });
});
