import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorText } from "../../../core/errors.ts";
import { scriptedModel } from "../../../gateway/scripted.ts";
import { chooseSandbox } from "../../../sandboxes/choose-sandbox.ts";
import { makePrivateFolder, removeFolder } from "../../../sandboxes/private-folder.ts";
import { rolloutSchema } from "../params.ts";
import { readPlainFile } from "../read-plain-file.ts";
import type { RolloutTask } from "../tasks/task.ts";
import type { AgentPreset, AgentWork } from "./agent.ts";

/** What came of one small call of an agent. */
export interface Tried {
  /** Undefined where it worked. */
  problem?: string;
  sandbox: string;
  calls: number;
  seconds: number;
}

/** Any name will do: nobody asks a real one. */
const MODELS = { openai: "gpt-5-mini", anthropic: "claude-sonnet-4-0", google: "gemini-2.5-flash" };
const TIMEOUT_MS = 120_000;
const TOLD_CHARACTERS = 300;

/**
 * Starts an agent as a rollout would, in the same sandbox and through the same gateway, and lets a stand-in for its
 * provider answer: it must call its model, take the answer, and end well. It costs nothing and needs no key.
 */
export async function tryAgent(preset: AgentPreset, signal: AbortSignal): Promise<Tried> {
  const sandbox = await chooseSandbox("auto");
  const folder = makePrivateFolder();
  const at = (name: string) => join(folder, name);
  const places = { repo: at("repo"), outDir: at("agent"), homeDir: at("home"), logsDir: at("logs") };
  for (const path of Object.values(places)) mkdirSync(path, { recursive: true });
  writeFileSync(join(places.repo, "README.md"), "A folder to try an agent in.\n");
  const agent = preset.create();
  const model = MODELS[agent.vendorOf?.("") ?? "openai"];
  const tried = { sandbox: sandbox.name, calls: 0, seconds: 0 };
  try {
    const work = await agent.work({
      task: aTask(folder),
      params: rolloutSchema.parse({ agent: preset.name, model }),
      ...{
        seed: 1,
        repeat: 0,
        baseDir: folder,
        places,
        runDir: null,
        trace: false,
        sandbox,
        signal,
        standIn: scriptedModel([]),
      },
      limits: { timeoutMs: TIMEOUT_MS, memoryMb: 0, diskMb: 0, network: "models" },
      onSpent() {},
      onStep() {},
    });
    const problem = problemOf(work, places.logsDir);
    return {
      ...tried,
      ...(problem !== undefined && { problem }),
      calls: work.traffic?.model_calls ?? 0,
      seconds: work.wallMs / 1000,
    };
  } catch (error) {
    if (signal.aborted) throw error;
    return { ...tried, problem: errorText(error) };
  } finally {
    await removeFolder(folder);
  }
}

function problemOf({ failure, exit }: AgentWork, logsDir: string): string | undefined {
  if (!failure && exit === "0") return undefined;
  const printed = [`${logsDir}/agent.stderr.txt`, `${logsDir}/agent.stdout.txt`]
    .map((path) => (readPlainFile(path, 1 << 20) ?? "").trim().slice(-TOLD_CHARACTERS))
    .find((text) => text !== "");
  const why = failure?.reason.replace(/: see logs.*/, "") ?? `it ended with ${exit}`;
  return printed === undefined ? why : `${why}; it printed: ${printed}`;
}

function aTask(dir: string): RolloutTask {
  return {
    ...{ id: "try", title: null, tags: [], format: "tb-meta", dir, env: {}, limits: {}, warnings: [] },
    ...{ instruction: "Say that you are done.", source: { kind: "empty" } },
    ...{
      overlay: { files: {}, copies: {}, remove: [] },
      solution: null,
      workDir: null,
      image: null,
      build: null,
    },
    grading: {
      ...{ rubrics: [], tests: [], files: {}, mounts: {}, env: {}, verdict: "exit", metricsScript: null },
    },
  };
}
