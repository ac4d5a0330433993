import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parse } from "smol-toml";
import { UserError } from "../../../../core/errors.ts";
import { buildOf, composeRefusal, meantFor, readImage } from "../dockerfile/read-image.ts";
import { checkTask, parseText, readText } from "../read-file.ts";
import { solutionOf } from "../solution-of.ts";
import type { Grading, RolloutTask, TaskLimits, TaskReader, TaskStep } from "../task.ts";
import { type HarborConfig, harborSchema } from "./schema.ts";

const CONFIG = "task.toml";
const TEST = `#!/bin/bash
export TEST_DIR=/tests
exec bash /tests/test.sh
`;

export const harbor: TaskReader = {
  name: "harbor",
  description:
    "a task of Harbor: task.toml, instruction.md, environment/, tests/test.sh, which leaves a reward; or steps/ with these",
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
    const image = readImage(join(full, "environment"));
    const { environment, task, metadata } = config;
    const warnings = missingParts(full, config);
    const filled = (variables: Record<string, string>) => fillVariables(variables, warnings);
    const refusal = whyRefused(full, config);
    return {
      id: task?.name ?? basename(full),
      title: metadata?.title ?? (task?.description || null),
      tags: metadata?.tags ?? task?.keywords ?? [],
      format: "harbor",
      dir: full,
      ...(config.steps ? inSteps(full, config, { file, filled }) : inOne(full, filled(config.verifier.env))),
      source: { kind: "empty" },
      overlay: { files: {}, copies: image.copies, remove: [] },
      env: { ...image.env, ...filled(environment.env) },
      limits: limitsOf(config, file),
      workDir: environment.workdir ?? image.workDir,
      image: environment.docker_image ?? image.image,
      build: buildOf(join(full, "environment"), {
        ...(environment.build_timeout_sec && { timeoutS: environment.build_timeout_sec }),
        ...(environment.docker_image && { prebuilt: environment.docker_image }),
      }),
      solution: solutionOf(full, filled(config.solution.env)),
      ...(environment.healthcheck && { health: environment.healthcheck }),
      ...(environment.mcp_servers.length > 0 && { mcpServers: environment.mcp_servers }),
      ...usersOf(config.agent?.user, config.verifier.user),
      ...(refusal !== undefined && { refusal }),
      ...(metadata?.impossible && { isImpossible: true }),
      warnings,
      withoutImage: [
        ...image.withoutImage,
        ...(environment.docker_image === undefined ? [] : [meantFor(environment.docker_image)]),
      ],
    };
  },
};

type Told = Pick<RolloutTask, "instruction" | "grading" | "steps" | "rewardOf">;

function inOne(dir: string, env: Record<string, string>): Told {
  const instruction = readText(dir, "instruction.md", "what the agent is told");
  readText(dir, "tests/test.sh", "the script that grades and leaves /logs/verifier/reward.txt");
  return { instruction, grading: gradingOf({ id: "reward", tests: [join(dir, "tests")], env }) };
}

function gradingOf({
  id,
  tests,
  env,
}: {
  id: string;
  tests: string[];
  env: Record<string, string>;
}): Grading {
  const path = id === "reward" ? ".assay/test.sh" : `.assay/${id}/test.sh`;
  return {
    rubrics: [{ id, criterion: "The reward that the verifier gives", weight: 1 }],
    tests: [{ path, rubricId: id, content: TEST }],
    files: {},
    mounts: { "/tests": tests },
    env,
    verdict: "reward",
    metricsScript: null,
  };
}

/** Each step has an instruction, tests laid over the task's own, and what the task says where it says nothing itself. */
function inSteps(
  dir: string,
  config: HarborConfig,
  { file, filled }: { file: string; filled(env: Record<string, string>): Record<string, string> },
): Told {
  const steps = config.steps!.map((step): TaskStep => {
    const at = (path: string) => join("steps", step.name, path);
    const tests = ["tests", at("tests")].filter((path) => existsSync(join(dir, path)));
    if (!tests.some((path) => existsSync(join(dir, path, "test.sh"))))
      throw new UserError(`${join(dir, at("tests/test.sh"))} is missing`, {
        expected: "the script that grades the step, there or in tests/",
      });
    const agent = { ...config.agent, ...defined(step.agent ?? {}) };
    const { timeout_sec = config.verifier.timeout_sec, ...own } = step.verifier;
    const verifier = { ...config.verifier, ...defined(own), timeout_sec };
    return {
      name: step.name,
      instruction: readText(dir, at("instruction.md"), "what the agent is told in this step"),
      grading: gradingOf({
        id: step.name,
        tests: tests.map((path) => join(dir, path)),
        env: filled({ ...config.verifier.env, ...step.verifier.env }),
      }),
      limits: limitsOf({ ...config, agent, verifier }, file),
      solution: solutionOf(join(dir, "steps", step.name), filled(config.solution.env)),
      files: existsSync(join(dir, at("workdir"))) ? join(dir, at("workdir")) : null,
      ...(step.healthcheck && { health: step.healthcheck }),
      ...usersOf(agent.user, verifier.user),
      least: step.min_reward,
    };
  });
  const gradings = steps.map(({ grading }) => grading);
  return {
    instruction: steps.map(({ name, instruction }) => `# ${name}\n\n${instruction}`).join("\n"),
    grading: {
      ...gradings[0]!,
      rubrics: gradings.flatMap(({ rubrics }) => rubrics),
      tests: gradings.flatMap(({ tests }) => tests),
    },
    steps,
    rewardOf: config.multi_step_reward_strategy,
  };
}

function usersOf(agent: string | undefined, verifier: string | undefined): Pick<RolloutTask, "users"> {
  if (agent === undefined && verifier === undefined) return {};
  return { users: { ...(agent !== undefined && { agent }), ...(verifier !== undefined && { verifier }) } };
}

function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as T;
}

function limitsOf({ agent, verifier, environment }: HarborConfig, file: string): TaskLimits {
  const { cpus, memory_mb, storage_mb, memory, storage, allow_internet, network_mode } = environment;
  const memoryMb = memory === undefined ? memory_mb : megabytes(memory, file);
  const diskMb = storage === undefined ? storage_mb : megabytes(storage, file);
  const isOpen = (mode: typeof network_mode) => (mode === undefined ? allow_internet : mode !== "no-network");
  const allowInternet = isOpen(agent?.network_mode ?? network_mode);
  const graderInternet = isOpen(verifier.network_mode ?? network_mode);
  return {
    graderMs: verifier.timeout_sec * 1000,
    ...(agent?.timeout_sec !== undefined && { agentMs: agent.timeout_sec * 1000 }),
    ...(cpus !== undefined && { cpus }),
    ...(memoryMb !== undefined && { memoryMb }),
    ...(diskMb !== undefined && { diskMb }),
    ...(allowInternet !== undefined && { allowInternet }),
    ...(graderInternet !== allowInternet && graderInternet !== undefined && { graderInternet }),
  };
}

/** What would make its result another task's. */
function whyRefused(dir: string, { environment, verifier, steps = [] }: HarborConfig): string | undefined {
  const compose = composeRefusal(join(dir, "environment"));
  if (compose !== undefined) return compose;
  if (environment.os !== undefined && environment.os !== "linux")
    return `the task is for ${environment.os}, and containers here run Linux`;
  const isSeparate = [verifier, ...steps.map((step) => step.verifier)].some(
    ({ environment_mode, environment: own }) => environment_mode === "separate" || own !== undefined,
  );
  return isSeparate
    ? "the task's tests want an environment of their own, which is not built here"
    : undefined;
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
function missingParts(dir: string, { environment, agent, verifier }: HarborConfig): string[] {
  const { gpus, network_mode, skills_dir: skills } = environment;
  const isCompose = ["yaml", "yml"].some((end) => existsSync(join(dir, `environment/docker-compose.${end}`)));
  return [
    ...(isCompose ? ["what environment/docker-compose.yaml sets is not used"] : []),
    ...(skills === undefined ? [] : [`the agent isn't told of the task's skills in ${skills}`]),
    ...(verifier.collect === undefined ? [] : ["what verifier.collect names is not run before the tests"]),
    ...(gpus ? ["the task asks for a GPU"] : []),
    ...([agent?.network_mode, verifier.network_mode, network_mode].includes("allowlist")
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
