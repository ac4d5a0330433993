import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parse } from "smol-toml";
import * as z from "zod";
import { UserError } from "../../../core/errors.ts";
import { buildOf, otherServices, readImage } from "./dockerfile/read-image.ts";
import { checkTask, parseText, readText } from "./read-file.ts";
import { solutionOf } from "./solution-of.ts";
import type { RolloutTask, TaskLimits, TaskReader } from "./task.ts";

const CONFIG = "task.toml";
const TEST = `#!/bin/bash
export TEST_DIR=/tests
exec bash /tests/test.sh
`;

export const harbor: TaskReader = {
  name: "harbor",
  description:
    "a task of Harbor: task.toml, instruction.md, environment/, tests/test.sh, which leaves a reward",
  looksFor: "task.toml with instruction.md",
  detects: (dir) => existsSync(join(dir, CONFIG)),
  read(dir): RolloutTask {
    const full = resolve(dir);
    const file = join(full, CONFIG);
    const config = checkTask(
      harborSchema,
      parseText(readText(full, CONFIG, "the task's settings"), file, parse),
      file,
    );
    if (config.steps || existsSync(join(full, "steps")))
      throw new UserError(`${file} is a task of several steps`, {
        expected: "one instruction.md and one tests/test.sh",
        remedy: "Make a task of each step.",
      });
    const instruction = readText(full, "instruction.md", "what the agent is told");
    readText(full, "tests/test.sh", "the script that grades and leaves /logs/verifier/reward.txt");
    const image = readImage(join(full, "environment"));
    const { environment, task, metadata } = config;
    const warnings = [...image.warnings, ...missingParts(full, config)];
    const filled = (variables: Record<string, string>) => fillVariables(variables, warnings);
    return {
      id: task?.name ?? basename(full),
      title: metadata?.title ?? (task?.description || null),
      tags: metadata?.tags ?? task?.keywords ?? [],
      format: "harbor",
      dir: full,
      instruction,
      source: { kind: "empty" },
      overlay: { files: {}, copies: image.copies, remove: [] },
      env: { ...image.env, ...filled(environment.env) },
      grading: {
        rubrics: [{ id: "reward", criterion: "The reward that the verifier gives", weight: 1 }],
        tests: [{ path: ".assay/test.sh", rubricId: "reward", content: TEST }],
        files: {},
        mounts: { "/tests": join(full, "tests") },
        env: filled(config.verifier.env),
        verdict: "reward",
        metricsScript: null,
      },
      limits: limitsOf(config, file),
      workDir: environment.workdir ?? image.workDir,
      image: environment.docker_image ?? image.image,
      services: otherServices(join(full, "environment")),
      build: buildOf(join(full, "environment"), {
        ...(environment.build_timeout_sec && { timeoutS: environment.build_timeout_sec }),
        ...(environment.docker_image && { prebuilt: environment.docker_image }),
      }),
      solution: solutionOf(full, filled(config.solution.env)),
      ...(metadata?.impossible && { isImpossible: true }),
      warnings,
    };
  },
};

function limitsOf({ agent, verifier, environment }: HarborConfig, file: string): TaskLimits {
  const { cpus, memory_mb, storage_mb, memory, storage, allow_internet, network_mode } = environment;
  const memoryMb = memory === undefined ? memory_mb : megabytes(memory, file);
  const diskMb = storage === undefined ? storage_mb : megabytes(storage, file);
  const mode = agent?.network_mode ?? network_mode;
  const allowInternet = mode === undefined ? allow_internet : mode !== "no-network";
  return {
    graderMs: verifier.timeout_sec * 1000,
    ...(agent?.timeout_sec !== undefined && { agentMs: agent.timeout_sec * 1000 }),
    ...(cpus !== undefined && { cpus }),
    ...(memoryMb !== undefined && { memoryMb }),
    ...(diskMb !== undefined && { diskMb }),
    ...(allowInternet !== undefined && { allowInternet }),
  };
}

function megabytes(size: string, file: string): number {
  const [, number, unit] = /^\s*([\d.]+)\s*([KMG])B?\s*$/i.exec(size) ?? [];
  if (number === undefined)
    throw new UserError("", {
      place: { file, path: "environment" },
      expected: "a size such as 2G",
      got: size,
    });
  return Number(number) * { K: 1 / 1024, M: 1, G: 1024 }[unit!.toUpperCase() as "K" | "M" | "G"];
}

/** What a task asks for that nobody gives it here. */
function missingParts(dir: string, { environment, agent }: HarborConfig): string[] {
  const { docker_image: image, gpus, mcp_servers: servers, network_mode } = environment;
  const isCompose = ["yaml", "yml"].some((end) => existsSync(join(dir, `environment/docker-compose.${end}`)));
  return [
    ...(image !== undefined
      ? [`the task is meant for the image ${image}: only the sandboxes docker and podman have it`]
      : []),
    ...(isCompose ? ["the services in environment/docker-compose.yaml are not started"] : []),
    ...(gpus ? ["the task asks for a GPU"] : []),
    ...(servers && servers.length > 0 ? ["the task's MCP servers are not started"] : []),
    ...([agent?.network_mode, network_mode].includes("allowlist")
      ? ["the task allows some hosts only: here it is all or none"]
      : []),
  ];
}

const TEMPLATE = /\$\{(\w+)(?::-([^}]*))?\}/g;

/**
 * Environment variables with `${NAME}` and `${NAME:-default}` filled in from ours. One that needs what is not set here
 * is left out, which is told.
 */
function fillVariables(variables: Record<string, string>, warnings: string[]): Record<string, string> {
  const filled: Record<string, string> = {};
  for (const [name, template] of Object.entries(variables)) {
    const missing: string[] = [];
    const text = template.replaceAll(TEMPLATE, (_, wanted: string, otherwise: string | undefined) => {
      const value = process.env[wanted] ?? otherwise;
      if (value === undefined) missing.push(wanted);
      return value ?? "";
    });
    if (missing.length === 0) filled[name] = text;
    else
      warnings.push(`the task's variable ${name} is left out, since ${missing.join(", ")} is not set here`);
  }
  return filled;
}

const seconds = z.number().positive();
const variables = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String));
const networkMode = z.enum(["public", "no-network", "allowlist"]);

/** task.toml of Harbor, from version 1.0 on; what it has beyond this makes no difference here. */
const harborSchema = z.looseObject({
  version: z.union([z.string(), z.number()]).optional(),
  schema_version: z.union([z.string(), z.number()]).optional(),
  task: z
    .looseObject({
      name: z.string().optional(),
      description: z.string().optional(),
      keywords: z.array(z.string()).optional(),
    })
    .optional(),
  metadata: z
    .looseObject({
      tags: z.array(z.string()).optional(),
      title: z.string().optional(),
      impossible: z.boolean().optional(),
    })
    .optional(),
  agent: z.looseObject({ timeout_sec: seconds.optional(), network_mode: networkMode.optional() }).optional(),
  verifier: z.looseObject({ timeout_sec: seconds.default(600), env: variables.default({}) }).prefault({}),
  environment: z
    .looseObject({
      docker_image: z.string().optional(),
      build_timeout_sec: seconds.optional(),
      cpus: z.number().positive().optional(),
      memory_mb: z.number().positive().optional(),
      storage_mb: z.number().positive().optional(),
      /** Of old files: "2G". */
      memory: z.string().optional(),
      storage: z.string().optional(),
      gpus: z.number().optional(),
      allow_internet: z.boolean().optional(),
      network_mode: networkMode.optional(),
      workdir: z.string().optional(),
      env: variables.default({}),
      mcp_servers: z.array(z.unknown()).optional(),
    })
    .prefault({}),
  solution: z.looseObject({ env: variables.default({}) }).prefault({}),
  steps: z.array(z.unknown()).optional(),
});

type HarborConfig = z.output<typeof harborSchema>;
