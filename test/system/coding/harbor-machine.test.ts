import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { TrafficOptions } from "../../../src/core/executor.ts";
import { OK, type RunFailure, type RunRecord } from "../../../src/core/run.ts";
import { rollout } from "../../../src/targets/coding/index.ts";
import { aProvider } from "../../support/a-provider.ts";
import { BASE_IMAGE, testedEngine } from "../../support/base-image.ts";
import { TempFolder } from "../../support/temp-folder.ts";

const DOCKERFILE = `FROM ${BASE_IMAGE}\nWORKDIR /app\nRUN echo start > log\n`;
const reward = (condition: string) =>
  `#!/bin/bash\nif ${condition}; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n`;

/** Its second step brings a file and stands on the first; both share a helper, and the second has its own. */
const STEPS = {
  "task/task.toml": `schema_version = "1.4"
[agent]
timeout_sec = 60
[environment]
allow_internet = false
[[steps]]
name = "one"
min_reward = 1.0
[[steps]]
name = "two"
[steps.agent]
timeout_sec = 50
[steps.verifier.env]
WORD = "two"
`,
  "task/environment/Dockerfile": DOCKERFILE,
  "task/tests/helper.sh": "WORD=$" + "{WORD:-one}\n",
  "task/steps/one/instruction.md": "Append one to the log.\n",
  "task/steps/one/solution/solve.sh": "echo one >> log; echo kept > /etc/kept\n",
  "task/steps/one/tests/test.sh": reward('. /tests/helper.sh; grep -qx "$WORD" log && [ ! -e given ]'),
  "task/steps/two/instruction.md": "Append what is given to the log.\n",
  "task/steps/two/workdir/given": "two\n",
  "task/steps/two/workdir/setup.sh": "tr a-z A-Z < given > GIVEN\n",
  "task/steps/two/solution/solve.sh": "cat GIVEN given >> log\n",
  "task/steps/two/tests/test.sh": `. /tests/helper.sh
if [ "$(tail -n +2 log | tr '\\n' ' ')" = "one TWO $WORD " ] && [ -e /etc/kept ]
then echo '{"reward": 1, "speed": 0.5}'; else echo '{"reward": 0.5, "speed": 0.1}'; fi > /logs/verifier/reward.json
`,
};

const { note, isUsable } = await testedEngine();

/** One rollout in a container, with what it was warned of. */
async function roll(files: Record<string, string>, params: object, traffic: TrafficOptions = {}) {
  const folder = new TempFolder({ ...files, "study/runs/one/out/x": "" });
  const warnings: string[] = [];
  const labels: Record<string, string> = {};
  const out = `${folder.path}/study/runs/one/out`;
  try {
    const metrics = (await rollout.run(
      {
        params: rollout.params.parse({ sandbox: "podman", ...params }),
        ...{ seed: 1, task: "task", repeat: 0, iteration: 0, baseDir: folder.path, outDir: out },
        ...{ signal: new AbortController().signal, series: () => {}, traffic },
        ...{
          warn: (text: string) => warnings.push(text),
          label: (name: string, text: string) => (labels[name] = text),
        },
      },
      undefined,
    )) as Record<string, unknown>;
    return { metrics, warnings, labels, out, folder };
  } catch (error) {
    return {
      failure: error as RunFailure,
      metrics: {} as Record<string, unknown>,
      warnings,
      labels,
      out,
      folder,
    };
  }
}

describe.skipIf(!isUsable)(`a task of Harbor with several steps${note}`, () => {
  test("is solved by its oracle, step by step, in one machine", async () => {
    const { metrics, out, folder, warnings, failure } = await roll(STEPS, { agent: "oracle" });
    using _ = folder;
    expect(failure).toBeUndefined();
    expect(metrics).toMatchObject({
      score: 1,
      solved: 1,
      "rubric/one": 1,
      "rubric/two": 1,
      "custom/steps_done": 2,
    });
    expect(metrics["custom/speed"]).toBe(0.25);
    expect(warnings).toEqual([]);
    const patch = readFileSync(`${out}/artifacts/diff.patch`, "utf8");
    expect(patch).toContain("+one\n+TWO\n+two\n");
    expect(readFileSync(`${out}/logs/two/eval.log`, "utf8")).toContain("score: 1");
    expect(readFileSync(`${out}/evaluation_results.json`, "utf8")).toContain(".assay/two/test.sh");
  });

  test("ends where a step's reward is below what it asks for, and each step tells the agent its own", async () => {
    const none = await roll(STEPS, { agent: "nop" });
    using _ = none.folder;
    expect(none.metrics).toMatchObject({ score: 0, solved: 0, "custom/steps_done": 1 });
    expect(none.warnings).toEqual([expect.stringMatching("ended after the step one")]);
    const words = [
      "sh",
      "-c",
      "cat $0 | grep -o 'one$\\|one to' | cut -c1-3 >> log; ls /tests /run/assay-step; true",
      "${prompt_file}",
    ];
    const half = await roll(STEPS, { agent: words });
    using __ = half.folder;
    expect(half.metrics).toMatchObject({ score: 0.75, solved: 0, "rubric/one": 1, "rubric/two": 0.5 });
    expect(readFileSync(`${half.out}/logs/two/agent.stderr.txt`, "utf8")).toMatch("/tests");

    // Graded again, by each step's own patch.
    const { labels, metrics } = half;
    const record = {
      ...{ id: "one", study: "study", task: "task", seed: 1, attempt: 1, outcome: OK, labels, metrics },
      ...{ params: { sandbox: "podman", agent: words }, startedAtMs: 0, wallMs: 1 },
    } as unknown as RunRecord;
    const again = () =>
      rollout.regrading!.regrade(record, {
        ...{ studyDir: `${half.folder.path}/study`, baseDir: half.folder.path },
        signal: new AbortController().signal,
      });
    expect(await again()).toBe(record);
    half.folder.write("task/steps/two/tests/test.sh", reward('[ "$(sed -n 2p log)" = one ] && [ -e GIVEN ]'));
    expect((await again()).metrics).toMatchObject({ score: 1, solved: 1, "rubric/two": 1 });
    const step = `${half.out}/steps/two/evaluation_results.json`;
    expect(JSON.parse(readFileSync(step, "utf8"))).toMatchObject({ total_score: 1 });
    half.folder.write("task/steps/one/tests/test.sh", reward("false"));
    expect((await again()).metrics).toMatchObject({ score: 0, solved: 0, "custom/steps_done": 1 });
  });

  test("is replayed step by step, with no key and no provider", async () => {
    // In each step one call, whose answer decides what the agent does.
    const script = `at=$(echo $MODELS | sed 's,.*//,,; s,/.*,,; s,:,/,'); word=$(grep -o 'one to\\|given' "$0" | head -1)
body='{"model":"gpt-5-mini","messages":[{"role":"user","content":"'$word'"}]}'
exec 3<>/dev/tcp/$at
printf '%s\r\n' 'POST /v1/chat/completions HTTP/1.0' 'Content-Type: application/json' "Content-Length: $(printf %s "$body" | wc -c)" '' >&3
printf %s "$body" >&3; cat <&3 > /tmp/answer; grep -q Done /tmp/answer || exit 1
if [ -e GIVEN ]; then cat GIVEN given >> log; else echo one >> log; echo kept > /etc/kept; fi`;
    const command = ["bash", "-c", script, "${prompt_file}"];
    const params = { agent: { name: "asks", command, env: { MODELS: "${gateway}" } }, model: "gpt-5-mini" };
    const own = ["OPENAI_BASE_URL", "OPENAI_API_KEY"];
    const before = own.map((name) => process.env[name]);
    try {
      const provider = await aProvider("true");
      Object.assign(process.env, { OPENAI_BASE_URL: `${provider.url}/v1`, OPENAI_API_KEY: "sk-a" });
      const first = await roll(STEPS, params, { record: true });
      using _ = first.folder;
      await provider[Symbol.asyncDispose]();
      expect(first.failure).toBeUndefined();
      expect(first.metrics).toMatchObject({ solved: 1, model_calls: 2 });
      expect(provider.requests).toHaveLength(2);
      for (const name of own) delete process.env[name];
      const second = await roll(STEPS, params, { replay: `${first.folder.path}/study` });
      using __ = second.folder;
      expect(second.failure).toBeUndefined();
      expect(second.metrics).toMatchObject({ solved: 1, model_calls: 2 });
    } finally {
      for (const [i, name] of own.entries())
        if (before[i] === undefined) delete process.env[name];
        else process.env[name] = before[i];
    }
  });

  test("counts the last step alone where it says so, and a set-up that fails is nobody's fault", async () => {
    const toml = `multi_step_reward_strategy = "final"\n${STEPS["task/task.toml"].replace("min_reward = 1.0\n", "")}`;
    const last = await roll({ ...STEPS, "task/task.toml": toml }, { agent: "nop" });
    using _ = last.folder;
    expect(last.metrics).toMatchObject({ score: 0.5, "rubric/one": 0 });
    const broken = await roll(
      { ...STEPS, "task/steps/one/workdir/setup.sh": "echo no such luck >&2; exit 7\n" },
      { agent: ["sh", "-c", "echo 'assay: ready'"] },
    );
    using __ = broken.folder;
    expect(broken.failure).toMatchObject({
      owner: "infrastructure",
      message: "the task's machine is not ready: the step's setup.sh ended with 7",
    });
  });

  test("needs its container", async () => {
    const { failure, folder } = await roll(STEPS, { agent: "nop", sandbox: "directory" });
    using _ = folder;
    expect(failure).toMatchObject({
      owner: "infrastructure",
      message: expect.stringMatching("docker or podman"),
    });
  });
});

/** Its image starts something of its own, which takes a moment. */
const BOOTED = {
  "task/task.toml": `[agent]
user = "1234"
[environment]
allow_internet = false
[environment.healthcheck]
command = "test -e /tmp/up && echo ready > /root/healthy"
interval_sec = 0.1
retries = 1000
[[environment.mcp_servers]]
name = "tools"
transport = "stdio"
command = "/opt/server"
args = ["--all"]
`,
  "task/instruction.md": "Ask the service.\n",
  "task/environment/Dockerfile": `${DOCKERFILE}COPY boot /boot.sh\nRUN chmod 777 /app && chmod 700 /root\nENTRYPOINT ["bash", "/boot.sh"]\n`,
  "task/environment/boot":
    '(until [ -e /tmp/asked ]; do touch /tmp/asked; done; echo up > /tmp/up) & exec "$@"\n',
  "task/tests/test.sh": reward('[ "$(cat /app/said /tmp/up)" = "up\nup" ]'),
};

describe.skipIf(!isUsable)(`the machine of a task of Harbor${note}`, () => {
  test("boots and is healthy before its agent and its tests start, who are whom the task says", async () => {
    const script =
      "cat /tmp/up > said; echo $(id -u) $(id -g) $HOME > who; ls /root; cat $ASSAY_MCP_CONFIG > servers";
    const { metrics, failure, out, folder } = await roll(BOOTED, { agent: ["sh", "-c", script] });
    using _ = folder;
    expect(failure).toBeUndefined();
    expect(metrics).toMatchObject({ score: 1 });
    const patch = readFileSync(`${out}/artifacts/diff.patch`, "utf8");
    expect(patch).toContain("+1234 1234 /\n");
    expect(patch).toContain('+{"mcpServers":{"tools":{"command":"/opt/server","args":["--all"]}}}');
    expect(readFileSync(`${out}/logs/agent.stdout.txt`, "utf8")).toBe("");
    expect(readFileSync(`${out}/logs/agent.stderr.txt`, "utf8")).toMatch("Permission denied");
  });

  test("that is never healthy, or doesn't start what follows its ENTRYPOINT, is a failure of the machine", async () => {
    const toml = BOOTED["task/task.toml"]
      .replace("/tmp/up && echo ready > /root/healthy", "/no/such")
      .replace("1000", "2");
    const ill = await roll({ ...BOOTED, "task/task.toml": toml }, { agent: ["touch", "begun"] });
    using _ = ill.folder;
    expect(ill.failure).toMatchObject({
      owner: "infrastructure",
      message: "the task's machine is not ready: its health check failed 2 times: test -e /no/such",
    });
    const deaf = await roll({ ...BOOTED, "task/environment/boot": "true\n" }, { agent: ["touch", "begun"] });
    using __ = deaf.folder;
    expect(deaf.failure?.message).toMatch("its ENTRYPOINT does not start what follows it");
  });
});

test("a task that needs services of docker-compose is refused by their names", async () => {
  const compose = "services:\n  main: {}\n  database:\n    image: postgres\n";
  const { failure, folder, out } = await roll(
    { ...BOOTED, "task/environment/docker-compose.yaml": compose },
    { agent: ["touch", "begun"], sandbox: "directory" },
  );
  using _ = folder;
  expect(failure).toMatchObject({
    owner: "infrastructure",
    message: expect.stringMatching("services database"),
  });
  expect(existsSync(`${out}/logs`)).toBe(false);
});
