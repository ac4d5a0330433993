import { mkdirSync } from "node:fs";
import { directory } from "../../src/sandboxes/directory.ts";
import type { AgentJob } from "../../src/targets/coding/agents/agent.ts";
import { rolloutSchema } from "../../src/targets/coding/params.ts";
import type { RolloutTask } from "../../src/targets/coding/tasks/task.ts";
import type { TempFolder } from "./temp-folder.ts";

/** A whole task of which a test says only what it is about. */
export function aTask(part: Partial<Omit<RolloutTask, "grading">> & { grading?: object } = {}): RolloutTask {
  const { grading, ...rest } = part;
  return {
    ...{ id: "lamp", title: null, tags: [], format: "tb-meta", dir: "/nowhere" },
    ...{ instruction: "Make the lamp work.", source: { kind: "empty" }, env: {}, limits: {} },
    overlay: { files: {}, copies: {}, remove: [] },
    ...{ solution: null, workDir: null, image: null, build: null },
    warnings: [],
    ...rest,
    grading: {
      ...{ rubrics: [], tests: [], files: {}, mounts: {}, env: {}, verdict: "exit", metricsScript: null },
      ...grading,
    },
  };
}

/** An agent's job in a folder of the test's: repo/, agent/, home/ and logs/. */
export function anAgentJob(folder: TempFolder, part: Partial<AgentJob> = {}): AgentJob {
  const at = (name: string) => `${folder.path}/${name}`;
  const places = { repo: at("repo"), outDir: at("agent"), homeDir: at("home"), logsDir: at("logs") };
  for (const path of Object.values(places)) mkdirSync(path, { recursive: true });
  return {
    ...{ task: aTask(), params: rolloutSchema.parse({}), seed: 1, repeat: 0, baseDir: folder.path, places },
    ...{ runDir: null, trace: false, sandbox: directory, signal: new AbortController().signal },
    limits: { timeoutMs: 60_000, memoryMb: 0, diskMb: 0, network: true },
    onSpent: () => {},
    onStep: () => {},
    ...part,
  };
}
