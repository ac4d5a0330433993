import "../../support/in-memory.ts";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { directory } from "../../../src/sandboxes/directory.ts";
import type { ProgramSandbox, SandboxedProgram } from "../../../src/sandboxes/sandbox.ts";
import { createProgramAgent } from "../../../src/targets/coding/agents/program-agent.ts";
import { rolloutSchema } from "../../../src/targets/coding/params.ts";
import { anAgentJob, aTask } from "../../support/an-agent-job.ts";
import { TempFolder } from "../../support/temp-folder.ts";

afterEach(() => {
  delete process.env.ASSAY_TEST_SECRET_KEY;
});

/** Processes that work in a folder. */
function processesAt(folder: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false;
    }
  });
}

describe("a program as an agent", () => {
  test("starts in the repository with its prompt, and tells of itself in agent_metrics.json", async () => {
    using folder = new TempFolder({
      "agent.sh": `cat "$1" > "$2/seen.txt"; pwd > where.txt
        echo '{"tokens_total": 12, "money_spent_usd": 0.5, "turns": 3, "tool_calls": "many"}' > "$3/agent_metrics.json"
        exit 3`,
    });
    const command = ["sh", "./agent.sh", "${prompt_file}", "${repo}", "${out_dir}"];
    const work = await createProgramAgent({ name: "own", command }).work(anAgentJob(folder));
    expect(folder.read("repo/seen.txt")).toBe("Make the lamp work.");
    expect(folder.read("repo/where.txt").trim()).toBe(`${folder.path}/repo`);
    expect(work).toMatchObject({ exit: "3", exitCode: 3 });
    expect(work.usage).toEqual({ tokensTotal: 12, toolCalls: null, costUsd: 0.5, others: { turns: 3 } });
  });

  test("gets the task's, the study's and its own variables, and no others of ours", async () => {
    process.env.ASSAY_TEST_SECRET_KEY = "sesame-open-now";
    using folder = new TempFolder();
    const params = rolloutSchema.parse({ env: { A: "study", B: "study" } });
    const job = anAgentJob(folder, { task: aTask({ env: { A: "task", C: "task" } }), params });
    const command = ["sh", "-c", "env > env.txt"];
    await createProgramAgent({ name: "own", command }).work(job);
    expect(folder.read("repo/env.txt")).toMatch(/^A=study$/m);
    expect(folder.read("repo/env.txt")).toMatch(/^C=task$/m);
    expect(folder.read("repo/env.txt")).not.toContain("sesame");
    const env = { KEY: "${envvar:ASSAY_TEST_SECRET_KEY}" };
    const printing = ["sh", "-c", 'env > env.txt; echo "key $KEY"'];
    await createProgramAgent({ name: "own", command: printing, env }).work(job);
    expect(folder.read("repo/env.txt")).toContain("KEY=sesame-open-now");
    expect(readFileSync(`${job.places.logsDir}/agent.stdout.txt`, "utf8")).toBe("key [secret KEY]\n");
  });

  test("that is not installed is the infrastructure's fault, and so is a variable that is not set", async () => {
    using folder = new TempFolder();
    const start = (command: string[], env = {}) =>
      createProgramAgent({ name: "own", command, env }).work(anAgentJob(folder));
    await expect(start(["no-such-agent"])).rejects.toMatchObject({ owner: "infrastructure" });
    await expect(start(["sh"], { K: "${envvar:NO_SUCH_VARIABLE}" })).rejects.toMatchObject({
      owner: "infrastructure",
      message: expect.stringContaining("NO_SUCH_VARIABLE"),
    });
  });

  test("that takes too long is ended, with all that it started", async () => {
    using folder = new TempFolder();
    const command = ["sh", "-c", "touch begun; (sleep 300; touch later) & sleep 300"];
    const workFor = (timeoutMs: number) => {
      const limits = { timeoutMs, memoryMb: 0, diskMb: 0, network: true };
      return createProgramAgent({ name: "own", command }).work(anAgentJob(folder, { limits }));
    };
    const hasBegun = () => existsSync(`${folder.path}/repo/begun`);
    let work = await workFor(500);
    // A slow machine may not even have begun with it by then.
    for (let timeoutMs = 1000; !hasBegun() && timeoutMs < 40_000; timeoutMs *= 2)
      work = await workFor(timeoutMs);
    expect(work.exit).toBe("timeout");
    expect(hasBegun()).toBe(true);
    expect(processesAt(`${folder.path}/repo`)).toEqual([]);
  });

  test("that leaves links where its reports should be has none", async () => {
    using folder = new TempFolder({ "secret.json": '{"tokens_total": 99}' });
    const command = [
      "sh",
      "-c",
      'ln -s "$1/secret.json" "$2/agent_metrics.json"',
      "sh",
      folder.path,
      "${out_dir}",
    ];
    const work = await createProgramAgent({ name: "own", command }).work(anAgentJob(folder));
    expect(work.usage.tokensTotal).toBeNull();
  });
});

/** What a sandbox with files of its own is asked to start and to show. */
async function startedWith(
  command: string[],
  folder: TempFolder,
  part: Partial<Parameters<typeof anAgentJob>[1]> = {},
) {
  const asked: SandboxedProgram[] = [];
  const sandbox: ProgramSandbox = {
    ...{ name: "apart", description: "", isolates: ["files"], open: directory.open },
    async execute(program) {
      asked.push(program);
      return { exitCode: 0, wallMs: 0, omittedBytes: 0 };
    },
  };
  await createProgramAgent({ name: "own", command }).work(anAgentJob(folder, { sandbox, ...part }));
  return { argv: asked[0]!.argv, shown: asked[0]!.readable.map(({ path }) => path) };
}

describe("a program in a sandbox with files of its own", () => {
  test("is looked up there, not in our PATH", async () => {
    using folder = new TempFolder();
    const { argv } = await startedWith(["python3", "-c", "pass"], folder);
    expect(argv).toEqual(["python3", "-c", "pass"]);
  });

  test("sees the folder of its script, and neither folders that it names nor files from elsewhere", async () => {
    using folder = new TempFolder({
      "study/agents/own.sh": "",
      "study/agent.sh": "",
      "study/.env": "KEY=secret",
      "study/data/x": "",
    });
    using other = new TempFolder({ "deep/key.txt": "secret" });
    const at = (path: string) => `${folder.path}/study/${path}`;
    const shown = async (...command: string[]) =>
      (await startedWith(["sh", ...command], folder, { baseDir: `${folder.path}/study` })).shown;
    expect(await shown("agents/own.sh")).toEqual([at("agents")]);
    expect(await shown("./agent.sh")).toEqual([at("agent.sh")]);
    expect(await shown("./data", "/", "../", "/etc/", at("agents"))).toEqual([]);
    expect(await shown(`${other.path}/deep/key.txt`)).toEqual([]);
  });
});
